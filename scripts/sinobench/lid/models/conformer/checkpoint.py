"""Tensors and options on disk: safetensors and JSON, which hold no code."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from sinobench.errors import InputError

CONFIG, MODEL = "config.json", "model.safetensors"
_KINDS = {torch.float32: "F32"}


def save(network: torch.nn.Module, options: Mapping, folder: Path) -> None:
    """Write a network and its options into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tensors(network.state_dict(), folder / MODEL)
    (folder / CONFIG).write_text(json.dumps(options, indent=2) + "\n", encoding="utf-8")


def read_config(folder: Path) -> dict:
    """The options of a saved network; InputError for anything but a JSON object."""
    path = folder / CONFIG
    try:
        options = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"can't be read as JSON ({error}); fit the model again", path) from None
    if not isinstance(options, dict):
        raise InputError("holds no JSON object of options; fit the model again", path)
    return options


def write_tensors(tensors: Mapping[str, Tensor], path: Path, notes: Mapping[str, str] | None = None) -> None:
    """Write tensors, and notes, so that the file is whole or is the former one, whenever the job is killed."""
    part = path.with_name(path.name + ".part")
    save_file({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}, part, notes)
    with part.open("rb") as stream:
        os.fsync(stream.fileno())
    os.replace(part, path)


def read_tensors(path: Path, expected: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of a file; InputError unless they have the names, types and shapes of ``expected``, no more no less.

    The file's header is checked before a tensor is read.
    """
    try:
        with safe_open(path, framework="pt") as file:
            for name in sorted({*file.keys(), *expected}):
                _check(path, file, name, expected)
            return {name: file.get_tensor(name) for name in expected}
    except (OSError, SafetensorError) as error:
        raise InputError(f"can't be read as safetensors ({error}); fit the model again", path) from None


def read_notes(path: Path) -> dict[str, str]:
    """What `write_tensors` noted in a file; InputError for one that it did not write."""
    try:
        with safe_open(path, framework="pt") as file:
            return file.metadata() or {}
    except (OSError, SafetensorError) as error:
        raise InputError(f"can't be read as safetensors ({error})", path) from None


def _check(path: Path, file: safe_open, name: str, expected: Mapping[str, Tensor]) -> None:
    remedy = f"the options in {CONFIG} and the tensors must be of one model; fit it again"
    if name not in expected:
        raise InputError(f"has a tensor '{name}', which the model does not; {remedy}", path)
    if name not in file.keys():  # noqa: SIM118 - no mapping
        raise InputError(f"lacks the tensor '{name}'; {remedy}", path)
    part = file.get_slice(name)
    stored = f"{part.get_dtype()} of shape {tuple(part.get_shape())}"
    wanted = f"{_KINDS[expected[name].dtype]} of shape {tuple(expected[name].shape)}"
    if stored != wanted:
        raise InputError(f"tensor '{name}' is {stored}; expected {wanted}; {remedy}", path)
