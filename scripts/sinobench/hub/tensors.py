"""What is refused of a safetensors file: a header that says other than what is in the file.

https://github.com/huggingface/safetensors#format
"""

import math
from collections.abc import Iterator
from pathlib import Path

from sinobench.errors import short
from sinobench.hub.settings import Unfit, parsed

_MOST_HEADER = 25 * 2**20
_BITS = {"BOOL": 8, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6}
_BITS |= {"I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32, "I64": 64, "U64": 64}
_BITS |= {"F64": 64, "C64": 64}
_MOST_SHOWN = 5


def problems(path: Path) -> list[str]:
    """Why a safetensors file is refused."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        if size < 10 or length > size - 8:
            return [f"is no safetensors file: its header is said to have {length:,} bytes, the file has {size:,}"]
        if length > _MOST_HEADER:
            return [f"has a header of {length:,} bytes; expected at most {_MOST_HEADER:,}"]
        header = stream.read(length)
    if not header.startswith(b"{"):
        return ["is no safetensors file: its header does not begin with {"]
    try:
        tensors = parsed(header)
    except Unfit as error:
        return [f"has a header that {error}"]
    found = list(_of_header(tensors, size - 8 - length))
    return found[:_MOST_SHOWN]


def _of_header(tensors: dict, n_bytes: int) -> Iterator[str]:
    metadata = tensors.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        yield "has __metadata__ that is not text by name"
    places = []
    for name, tensor in tensors.items():
        named = f"tensor '{short(name)}'"
        if not isinstance(tensor, dict) or tensor.keys() != {"dtype", "shape", "data_offsets"}:
            yield f"{named} does not have dtype, shape and data_offsets alone"
            continue
        kind, shape, offsets = tensor["dtype"], tensor["shape"], tensor["data_offsets"]
        if not isinstance(kind, str) or kind not in _BITS:
            yield f"{named} has the dtype {short(repr(kind))}, which is not known"
        elif not _are_sizes(shape) or not _are_sizes(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
            yield f"{named} has a shape or offsets that are no sizes: {short(f'{shape}, {offsets}')}"
        elif math.prod(shape) * _BITS[kind] != 8 * (offsets[1] - offsets[0]):
            held = offsets[1] - offsets[0]
            yield f"{named} is declared as {kind} of shape {short(str(shape))}, and has {held:,} bytes"
        else:
            places.append((*offsets, name))
            continue
        return
    at = 0
    for start, end, name in sorted(places):
        if start != at:
            what = "overlaps the one before it" if start < at else f"leaves {start - at:,} bytes before it unused"
            yield f"tensor '{short(name)}' {what}"
            return
        at = end
    if at != n_bytes:
        yield f"has {n_bytes:,} bytes of tensors, of which its header names {at:,}"


def _are_sizes(values: object) -> bool:
    return isinstance(values, list) and len(values) <= 64 and all(type(v) is int and 0 <= v < 2**62 for v in values)
