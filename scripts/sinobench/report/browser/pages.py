"""Items as scripts that a page loads from disk, where it may fetch nothing: calls of a function with data.

A corpus has a file with the kinds of error of every model, one number an item, by which the page filters; and files of
``PAGE`` items each with what it shows of them and searches in.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from sinobench.report.browser.items import Items, Kinds

PAGE = 2000
_PACKED_AT_ONCE = 3 * 2**16  # whole groups of base64, which ends in the last part alone
_ESCAPED = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def call(function: str, *values: object) -> str:
    """A script that calls a function of the page; what the values hold can't end or start an element."""
    return f"{function}({','.join(map(_json, values))});\n"


def write(parts: Iterable[Items], folder: Path) -> dict:
    """Write a corpus's files into the folder; what the index says of them. parts: of whole pages, but the last."""
    folder.mkdir(parents=True, exist_ok=True)
    key = folder.name
    sets: dict[Kinds, int] = {None: 0, (): 1}
    codes: dict[str, list[np.ndarray]] = {}
    lengths_ms = []
    n = 0
    for items in parts:
        for model, kinds in items.kinds.items():
            codes.setdefault(model, []).append(np.array([sets.setdefault(each, len(sets)) for each in kinds], "<u4"))
        if "start_ms" in items.columns:
            lengths_ms.append(np.subtract(items.columns["end_ms"], items.columns["start_ms"]).astype("<u4"))
        n_here = len(next(iter(items.columns.values())))
        for start in range(0, n_here, PAGE):
            page, part = (n + start) // PAGE, slice(start, start + PAGE)
            columns = {name: values[part] for name, values in items.columns.items()}
            answers = [_sparse(values[part]) for values in items.answers.values()]
            _write(folder / f"{page}.js", call("sinobench.page", key, page, columns, answers))
        n += n_here
    with (folder / "kinds.js").open("w", encoding="utf-8") as file:
        file.write(f'sinobench.kinds({_json(key)},{{"sets":[')
        known = [kinds or () for kinds in sets]
        for start in range(0, len(known), PAGE):
            file.write("," * (start > 0) + _json(known[start : start + PAGE])[1:-1])
        file.write('],"codes":[')
        for place, code in enumerate(codes.values()):
            file.write("," * (place > 0))
            file.writelines(_packed(_narrow(np.concatenate(code), len(sets))))
        file.write("]")
        if lengths_ms:
            file.writelines([',"ms":', *_packed(np.concatenate(lengths_ms))])
        file.write("});\n")
    return {
        "key": key,
        "task": items.task,
        "corpus": items.corpus,
        "models": list(items.answers),
        "n": n,
        "page": PAGE,
        "bits": 16 if len(sets) < 1 << 16 else 32,
    }


def write_call(path: Path, function: str, *values: object) -> None:
    """Write a script that calls a function of the page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, call(function, *values))


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character, escape in _ESCAPED.items():  # str.translate takes twenty times as long
        text = text.replace(character, escape)
    return text


def _packed(values: np.ndarray) -> Iterator[str]:
    """Base64 in quotes, in parts: a corpus of millions of items is not held as text."""
    yield '"'
    for start in range(0, len(values), _PACKED_AT_ONCE):
        yield base64.b64encode(values[start : start + _PACKED_AT_ONCE].tobytes()).decode()
    yield '"'


def _narrow(codes: np.ndarray, n_sets: int) -> np.ndarray:
    return codes.astype("<u2") if n_sets < 1 << 16 else codes


def _sparse(values: Sequence) -> list | dict:
    """The values; those that are given, by their place, where that is shorter."""
    given = {str(place): value for place, value in enumerate(values) if value is not None}
    return given if len(given) < len(values) * 0.7 else list(values)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
