"""A table of predictions in any order beside the items of a corpus: of both, digests are held instead of texts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from operator import ge

import numpy as np

from sinobench.errors import InputError
from sinobench.g2p.syllables import parse_labels
from sinobench.g2p.table import COLUMNS
from sinobench.results import tables
from sinobench.text import stream_lines, whole_number

_NEEDED = {"text", "position", "prediction"}


class Tabled:
    """The predictions of a table by text and position, some tens of bytes a row; None from ``of`` where it can't be.

    names: the distinct predictions; keys (n, 2) uint64, ordered; name, length: (n,) of each key.
    """

    def __init__(self, names: list[str | None], keys: np.ndarray, name: np.ndarray, length: np.ndarray) -> None:
        self._names, self._keys, self._name, self._length = names, keys, name, length
        self._is_met = np.zeros(len(keys), bool)

    @classmethod
    def of(cls, path: str) -> "Tabled | None":
        """None where a row is not clean or stands twice with different predictions, which ``from_file`` tells."""
        known: dict[str, int] = {}
        parts: list[tuple[np.ndarray, ...]] = []
        for columns in _parts(path):
            if columns is None:
                return None
            texts, positions = columns["text"], columns["position"]
            name = np.array([known.setdefault(each, len(known)) for each in columns["prediction"]], np.uint32)
            length = np.array(columns.get("output_length") or list(map(len, texts)), np.int32)
            parts.append((_keys(texts, positions), name, length))
        keys, name, length = map(np.concatenate, zip(*parts, strict=True))
        del parts
        order = np.lexsort((keys[:, 1], keys[:, 0]))
        keys, name, length = keys[order], name[order], length[order]
        is_new = np.ones(len(keys), bool)
        is_new[1:] = (keys[1:] != keys[:-1]).any(axis=1)
        if ((name[1:] != name[:-1]) | (length[1:] != length[:-1]))[~is_new[1:]].any():
            return None
        keys = keys[is_new]
        if (keys[1:, 0] == keys[:-1, 0]).any():  # other texts of one half of a digest
            return None
        return cls([each or None for each in known], keys, name[is_new], length[is_new])

    def given(self, items: Sequence[tuple[str, int]]) -> list[tuple[str | None, int]]:
        """The prediction and the length of the output of each item; none, as long as its text, for one it lacks."""
        keys = _keys(*zip(*items, strict=True))
        place = np.minimum(np.searchsorted(self._keys[:, 0], keys[:, 0]), len(self._keys) - 1)
        is_here = (self._keys[place] == keys).all(axis=1)
        self._is_met[place[is_here]] = True
        rows = zip(items, is_here.tolist(), self._name[place].tolist(), self._length[place].tolist(), strict=True)
        return [(self._names[name], length) if here else (None, len(item[0])) for item, here, name, length in rows]

    @property
    def is_used_up(self) -> bool:
        """Whether each row was some item's."""
        return bool(self._is_met.all())


def _parts(path: str) -> Iterator[Mapping[str, list] | None]:
    """The columns of some rows at a time; None where one is not clean, or there is none."""
    lines = stream_lines(path)
    header = next(lines).split("\t")
    part = list(islice(lines, tables.ROWS_IN_HAND))
    if not (_NEEDED <= set(header) <= set(COLUMNS) and len(set(header)) == len(header) and part):
        yield None
    while part:
        yield _columns(header, part, path)
        part = list(islice(lines, tables.ROWS_IN_HAND))


def _columns(header: Sequence[str], lines: Sequence[str], path: str) -> dict[str, list] | None:
    if any(line.count("\t") != len(header) - 1 for line in lines):
        return None
    cells = "\t".join(lines).split("\t")
    columns: dict[str, list] = {name: cells[place :: len(header)] for place, name in enumerate(header)}
    for name in {"position", "output_length"} & set(header):
        columns[name] = list(map(whole_number, columns[name]))
        if None in columns[name]:
            return None
    try:
        for label in set(columns.get("label", ())):
            parse_labels(label, path, 0)
    except InputError:
        return None
    return None if any(map(ge, columns["position"], map(len, columns["text"]))) else columns


def _keys(texts: Iterable[str], positions: Iterable[int]) -> np.ndarray:
    """(n, 2) uint64 digests of items by text and position."""
    pairs = zip(texts, positions, strict=True)
    digests = b"".join(blake2b(f"{p} {text}".encode(), digest_size=16).digest() for text, p in pairs)
    return np.frombuffer(digests, np.uint64).reshape(-1, 2)
