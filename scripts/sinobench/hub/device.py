"""Where a pretrained network runs: on the GPU where there is one, in batches that its memory holds.

On a GPU it computes in half precision, unless its numbers overflow there. On a CPU, items go through one by one: their
results then depend on nothing beside them, and memory stays that of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from sinobench.errors import InputError

if TYPE_CHECKING:
    import torch

Item = TypeVar("Item")
Result = TypeVar("Result")
BATCH = {"cuda": 256, "cpu": 1}  # items at first; memory that runs out halves it


class Runner:
    """A network on its device, and the size of the batches that fit beside it."""

    def __init__(self, network: torch.nn.Module, name: str) -> None:
        """name: of the model, in messages. Raises InputError where the network alone is larger than the memory."""
        import torch

        self._name = name
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._size = BATCH[self._device.type]
        self.network = network.eval()
        self._move(torch.float16 if self._device.type == "cuda" else torch.float32)

    def put(self, tensor: torch.Tensor) -> torch.Tensor:
        """The tensor on the device; real numbers in the network's precision."""
        return tensor.to(self._device, self._dtype if tensor.is_floating_point() else None)

    def each(self, items: Sequence[Item], forward: Callable[[Sequence[Item]], Sequence[Result]]) -> list[Result]:
        """forward's result for each item, in their order.

        forward: a batch of items to as many results; it passes what the network returns through `finite`. Raises
        InputError where one item alone is too large for the memory, and where results are not finite.
        """
        import torch

        results: list[Result] = []
        while len(results) < len(items):
            batch = items[len(results) : len(results) + self._size]
            try:
                with torch.inference_mode():
                    results.extend(forward(batch))
                continue
            except FloatingPointError:
                smaller = False
            except RuntimeError as error:
                if not _out_of_memory(error):
                    raise
                smaller = True
            # Out of the handlers, whose exception holds on to the batch's memory.
            if smaller:
                self._halve(len(batch))
            else:
                self._take_single_precision()
        return results

    def _halve(self, size: int) -> None:
        import torch

        if size == 1:
            raise self._too_large("one item")
        self._size = size // 2
        torch.cuda.empty_cache()
        print(f"{self._name}: batches of {size} do not fit into the memory; {self._size} at a time")

    def _take_single_precision(self) -> None:
        import torch

        if self._dtype == torch.float32:
            raise InputError(f"model '{self._name}' computes numbers that are not finite; its weights are damaged")
        self._move(torch.float32)
        print(f"{self._name}: half precision overflows; it goes on in single precision")

    def _move(self, dtype: torch.dtype) -> None:
        """The network to its device, in this precision."""
        self._dtype = dtype
        try:
            self.network.to(self._device, dtype)
        except RuntimeError as error:
            if not _out_of_memory(error):
                raise
            raise self._too_large("its weights") from None

    def _too_large(self, what: str) -> InputError:
        if self._device.type == "cpu":
            return InputError(f"model '{self._name}': no room for {what} in the memory; give it more")
        return InputError(
            f"model '{self._name}': no room for {what} in the memory of the GPU; take a larger one, or hide it by "
            "CUDA_VISIBLE_DEVICES= and run on the CPU"
        )


def finite(output: torch.Tensor) -> torch.Tensor:
    """The output in single precision. Raises FloatingPointError where a number is infinite or none."""
    if not output.isfinite().all():
        raise FloatingPointError("numbers that are not finite")
    return output.float()


def _out_of_memory(error: RuntimeError) -> bool:
    import torch

    # A CPU's allocator has no exception of its own.
    return isinstance(error, torch.OutOfMemoryError) or "can't allocate memory" in str(error)
