"""Batches and precision of pretrained networks, with a GPU's exceptions raised on the CPU."""

import pytest
import torch

from sinobench.errors import InputError
from sinobench.hub import device
from sinobench.hub.device import Runner, finite


@pytest.fixture
def runner(monkeypatch):
    """runner(forward): of a network that doubles; eight items at a time at first."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setitem(device.BATCH, "cpu", 8)
    return Runner(torch.nn.Linear(1, 1, bias=False), "m")


def test_memory_that_runs_out_halves_the_batches_and_loses_nothing(runner, capsys):
    sizes = []

    def forward(batch):
        sizes.append(len(batch))
        if len(batch) > 2:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
        return [2 * item for item in batch]

    assert runner.each(range(9), forward) == [2 * item for item in range(9)]
    assert sizes == [8, 4, 2, 2, 2, 2, 1]
    assert runner.each([5, 6, 7], forward) == [10, 12, 14]
    assert sizes[7:] == [2, 1], "the size that fits is kept"
    assert "m: batches of 4 do not fit into the memory; 2 at a time" in capsys.readouterr().out


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory."),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried"),
    ],
)
def test_one_item_that_is_too_large_is_one_clear_error(runner, error):
    def forward(batch):
        raise error

    with pytest.raises(InputError, match="model 'm': no room for one item in the memory"):
        runner.each(range(9), forward)


def test_another_error_is_not_taken_for_a_lack_of_memory(runner):
    def forward(batch):
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    with pytest.raises(RuntimeError, match="mat1 and mat2"):
        runner.each([1], forward)


def test_half_precision_that_overflows_is_given_up(runner):
    runner._dtype = torch.float16
    runner.network.half()
    with torch.no_grad():
        runner.network.weight.fill_(60_000)

    def forward(batch):
        return finite(runner.network(runner.put(torch.tensor(batch)[:, None]))).ravel().tolist()

    assert runner.each([1.0, 2.0], forward) == [60_000, 120_000]
    assert runner._dtype == torch.float32 == runner.network.weight.dtype
    with torch.no_grad():
        runner.network.weight.fill_(torch.nan)
    with pytest.raises(InputError, match="numbers that are not finite"):
        runner.each([1.0], forward)


@pytest.mark.parametrize(
    ("device_type", "advice"), [("cuda", "hide it by CUDA_VISIBLE_DEVICES="), ("cpu", "give it more")]
)
def test_weights_that_are_too_large_are_one_clear_error(monkeypatch, device_type, advice):
    """The GPU is said to be there, and is full."""
    moved = []

    def full(self, *to):
        moved.append((to[0].type, to[1]))
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB.")

    monkeypatch.setattr(torch.cuda, "is_available", lambda: device_type == "cuda")
    monkeypatch.setattr(torch.nn.Module, "to", full)
    with pytest.raises(InputError, match=f"model 'm': no room for its weights in the memory.*{advice}"):
        Runner(torch.nn.Linear(1, 1), "m")
    assert moved == [(device_type, torch.float16 if device_type == "cuda" else torch.float32)]
