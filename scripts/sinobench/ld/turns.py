"""Language turns of many recordings as columns, from a folder of text files, an RTTM file or columns of a table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sinobench.errors import InputError, nearest, private
from sinobench.ld.rttm import NamedTurn, plain_rttm, read_optional_lines, read_rttm, read_uem
from sinobench.ld.tables import Turn
from sinobench.merlion.annotation.labels import TAGS, fold, label_columns
from sinobench.merlion.annotation.tables import read_regions, recording_name
from sinobench.merlion.intervals import difference
from sinobench.merlion.languages import LANGUAGES, TARGETS
from sinobench.merlion.tables import Redaction, Region
from sinobench.results import arrow
from sinobench.results.tables import columns_of
from sinobench.text import cells_by_column

if TYPE_CHECKING:
    import pyarrow as pa

ENGLISH, MANDARIN, NON_SPEECH, NON_EVALUATED = range(4)  # codes, places in LANGUAGES
NO_SPANS = np.empty((0, 3), np.int64)

_CODES = {tag: LANGUAGES.index(language) for tag, language in TAGS.items()}
_WHOLE = re.compile(r"[0-9]{1,9}")
_MILLISECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{0,18})?")


@dataclass(frozen=True)
class TurnTable:
    """n turns [start_ms, end_ms) in the order of their files, and all recordings, also those without a turn.

    recording: (n,) int64, places in ``recordings``; start_ms, end_ms: (n,) int64; language: (n,) int8, the codes.
    """

    recordings: list[str]
    recording: np.ndarray
    start_ms: np.ndarray
    end_ms: np.ndarray
    language: np.ndarray

    def aligned(self, recordings: Sequence[str], source: str | Path | None = None) -> TurnTable:
        """The same turns, numbered by other recordings. Raises InputError for a recording that is not among them."""
        number_of = {name: number for number, name in enumerate(recordings)}
        if unknown := [name for name in self.recordings if name not in number_of]:
            raise InputError(
                f"has '{private(unknown[0])}', which the reference does not have ({len(unknown)} such); "
                f"{nearest(unknown[0], recordings)}",
                source,
            )
        moved = np.array([number_of[name] for name in self.recordings], np.int64)
        return TurnTable(list(recordings), moved[self.recording], self.start_ms, self.end_ms, self.language)

    def among(self, recordings: Sequence[str]) -> TurnTable:
        """The turns of those of these recordings that the table has, in the order of the recordings."""
        own = set(self.recordings)
        names = [name for name in recordings if name in own]
        place_of = {name: place for place, name in enumerate(names)}
        place = np.array([place_of.get(name, -1) for name in self.recordings], np.int64)[self.recording]
        order = np.argsort(place, kind="stable")
        order = order[np.searchsorted(place[order], 0) :]
        return TurnTable(names, place[order], self.start_ms[order], self.end_ms[order], self.language[order])

    def columns(self) -> dict[str, pa.Array]:
        """The columns of a table of turns."""
        import pyarrow as pa

        return {
            "recording": pa.DictionaryArray.from_arrays(self.recording, pa.array(self.recordings, pa.string())),
            "start_ms": pa.array(self.start_ms),
            "end_ms": pa.array(self.end_ms),
            "language": pa.DictionaryArray.from_arrays(self.language, pa.array(LANGUAGES)),
        }

    def has_speech(self) -> np.ndarray:
        """(number of recordings,) whether a recording has an English or Mandarin turn."""
        counts = np.bincount(self.recording[self.language <= MANDARIN], minlength=len(self.recordings))
        return counts > 0

    def is_unsorted(self) -> np.ndarray:
        """(number of recordings,) whether English and Mandarin turns leave the order of (start, end)."""
        chosen = np.flatnonzero(self.language <= MANDARIN)
        chosen = chosen[self.recording[chosen].argsort(kind="stable")]
        recording, start, end = self.recording[chosen], self.start_ms[chosen], self.end_ms[chosen]
        back = (np.diff(start) < 0) | ((np.diff(start) == 0) & (np.diff(end) < 0))
        found = np.zeros(len(self.recordings), bool)
        found[recording[1:][back & (np.diff(recording) == 0)]] = True
        return found

    def parts(self, n_recordings: int) -> Iterator[TurnTable]:
        """The turns of so many recordings after the other, each part with its own recordings."""
        order = np.argsort(self.recording, kind="stable")
        starts = range(0, max(1, len(self.recordings)), n_recordings)
        ends = np.searchsorted(self.recording[order], [*starts, len(self.recordings)])
        for start, (low, high) in zip(starts, pairwise(ends), strict=True):
            chosen = order[low:high]
            names = self.recordings[start : start + n_recordings]
            columns = (self.start_ms[chosen], self.end_ms[chosen], self.language[chosen])
            yield TurnTable(names, self.recording[chosen] - start, *columns)

    def spans(self, language: int) -> np.ndarray:
        """(k, 3) int64 of recording, start_ms, end_ms of one language's turns."""
        chosen = self.language == language
        return np.column_stack([self.recording[chosen], self.start_ms[chosen], self.end_ms[chosen]])


def turn_table(
    recordings: Sequence[str], names: Sequence[str], start_ms: object, end_ms: object, languages: Sequence[str]
) -> TurnTable:
    """Turns from columns; InputError for a recording that is not among ``recordings`` and an unknown language."""
    number_of = {name: number for number, name in enumerate(recordings)}
    if unknown := next((name for name in names if name not in number_of), None):
        raise InputError(f"turns of '{private(unknown)}', which is no recording here; {nearest(unknown, recordings)}")
    code_of = {name: language_code(name) for name in dict.fromkeys(languages)}
    return TurnTable(
        list(recordings),
        np.array([number_of[name] for name in names], np.int64),
        np.array(start_ms, np.int64),
        np.array(end_ms, np.int64),
        np.array([*map(code_of.__getitem__, languages)], np.int8),
    )


def table_of(columns: Mapping[str, Sequence], recordings: Sequence[str]) -> TurnTable:
    """The table of turns in columns named as their fields; raises InputError as ``turn_table``."""
    return turn_table(recordings, *(columns[name] for name in columns_of(Turn)))


def stored_turns(turns: pa.Table, recordings: Sequence[str], others: Collection[str]) -> TurnTable:
    """The turns of a table but those of other recordings; raises InputError as ``turn_table``."""
    names, place = arrow.codes(turns["recording"])
    number_of = {name: number for number, name in enumerate(recordings)} | dict.fromkeys(others, -1)
    if unknown := next((name for name in names if name not in number_of), None):
        raise InputError(f"turns of '{private(unknown)}', which is no recording here; {nearest(unknown, recordings)}")
    number = np.array([number_of[name] for name in names], np.int64)[place]
    kept = turns.filter(number >= 0)
    languages, code = arrow.codes(kept["language"])
    codes = np.array([language_code(name) for name in languages], np.int8)[code]
    times = (arrow.numbers(kept[name]) for name in ("start_ms", "end_ms"))
    return TurnTable(list(recordings), number[number >= 0], *times, codes)


def target_turns(segments: pa.Table) -> pa.Table:
    """The English and Mandarin turns among segments, by recording and time."""
    import pyarrow as pa
    import pyarrow.compute as pc

    turns = segments.select(list(columns_of(Turn)))
    turns = turns.filter(pc.is_in(turns["language"], pa.array(TARGETS)))
    return arrow.ordered(turns, *columns_of(Turn))


def language_code(text: str, file: Path | None = None, line: int | None = None) -> int:
    """The code of a language in any of the released spellings; InputError for another."""
    code = _CODES.get(fold(text))
    if code is None:
        raise InputError(f"language '{private(text)}' is unknown; expected one of {', '.join(LANGUAGES)}", file, line)
    return code


def read_turns(path: str | Path) -> TurnTable:
    """Turns of a folder with one ``<recording>.txt`` each, of an RTTM file with languages in place of speakers, or of a
    labels table as released.

    A line is ``start end language`` in ms, parted by spaces or tabs; times are rounded to whole ms, half to even. An
    empty file is a recording without turns. Raises InputError with file and line for another number of fields, a time
    that is no number, an end before its start and an unknown language; for a file in the folder that is not ``.txt``
    (hidden ones are passed), a link out of it, and two files of one recording. Source: plan, Appendix C.
    """
    path = Path(path)
    if path.is_dir():
        return _read_folder(path)
    if path.suffix.lower() in (".csv", ".xlsx", ".xlsm"):
        columns = label_columns(path)
        return table_of(columns, list(dict.fromkeys(columns["recording"])))
    if path.suffix.lower() != ".rttm":
        raise InputError("is neither a folder with one .txt file per recording, .rttm file nor labels as CSV", path)
    plain = plain_rttm(path)
    if plain and all(fold(name) in _CODES for name in plain.names):
        codes = np.array([*map(language_code, plain.names)], np.int8)
        return TurnTable(plain.recordings, plain.recording, plain.start_ms, plain.end_ms, codes[plain.name])
    turns = read_rttm(path)
    return turn_table(
        list(dict.fromkeys(turn.recording for turn in turns)),
        [turn.recording for turn in turns],
        [turn.start_ms for turn in turns],
        [turn.end_ms for turn in turns],
        [LANGUAGES[language_code(turn.name, path, turn.line)] for turn in turns],
    )


def named_turns(table: TurnTable) -> list[NamedTurn]:
    """The turns for an RTTM file, languages in place of speakers."""
    columns = (column.tolist() for column in (table.recording, table.start_ms, table.end_ms, table.language))
    return [
        NamedTurn(table.recordings[recording], start_ms, end_ms, LANGUAGES[code])
        for recording, start_ms, end_ms, code in zip(*columns, strict=True)
    ]


def read_intervals(path: str | Path) -> list[Region]:
    """The regions in a workbook, a CSV or a UEM file."""
    path = Path(path)
    return read_uem(path) if path.suffix.lower() == ".uem" else read_regions(path)


def evaluated_spans(regions: Iterable[Region], recordings: Sequence[str], path: str | Path) -> np.ndarray:
    """(m, 3) spans of evaluated regions.

    Raises InputError for a region of another recording and for a recording without a region.
    """
    evaluated = spans(regions, recordings, path)
    without = np.flatnonzero(np.bincount(evaluated[:, 0], minlength=len(recordings)) == 0)
    if len(without):
        raise InputError(
            f"has no region for '{recordings[without[0]]}' ({len(without)} recordings of the reference lack one); "
            "add what is evaluated of it, or take it out of the reference",
            path,
        )
    return evaluated


def spans(
    rows: Iterable[Region | Redaction], recordings: Sequence[str], source: str | Path | None = None
) -> np.ndarray:
    """(k, 3) int64 of recording, start_ms, end_ms; InputError with the row for a recording that is not known."""
    number_of = {name: number for number, name in enumerate(recordings)}
    triples = []
    for row in rows:
        if row.recording not in number_of:
            hint = nearest(row.recording, recordings)
            raise InputError(f"'{private(row.recording)}' is no recording of the reference; {hint}", source, row.row)
        triples.append((number_of[row.recording], row.start_ms, row.end_ms))
    return np.array(triples, np.int64).reshape(-1, 3)


def less(kept: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """(m, 3) spans of recording, start_ms, end_ms of what the first cover and the second don't."""
    width = 1 + max(int(each[:, 2].max(initial=0)) for each in (kept, taken))
    line = difference(*(each[:, 1:] + each[:, :1] * width for each in (kept, taken)))
    recording = line[:, :1] // width
    return np.hstack([recording, line - recording * width])


def _read_folder(folder: Path) -> TurnTable:
    recordings: dict[str, None] = {}
    rows: list[tuple[int, int, int, int]] = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.suffix != ".txt" or not path.is_file():
            raise InputError("is not expected here: a folder of turns holds one .txt file per recording", path)
        if not path.resolve().is_relative_to(folder.resolve()):
            raise InputError("is a link to a file outside its folder; copy the file here", path)
        name = recording_name(path.stem, path, 1)
        if name in recordings:
            raise InputError(f"is a second file of the recording '{name}'; keep one", path)
        rows += [(len(recordings), *turn) for turn in _read_file(path)]
        recordings[name] = None
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    return TurnTable(list(recordings), columns[0], columns[1], columns[2], columns[3].astype(np.int8))


def _read_file(path: Path) -> list[tuple[int, int, int]]:
    lines = read_optional_lines(path)
    if (plain := _plain_turns(lines)) is not None:
        return plain
    turns = []
    for number, line in enumerate(lines, start=1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != 3:
            raise InputError(f"expected start, end and language, found '{private(line)}'", path, number)
        start_ms, end_ms = (_milliseconds(text, path, number) for text in cells[:2])
        if end_ms < start_ms:
            raise InputError(f"end {private(end_ms)} is before start {private(start_ms)}; correct it", path, number)
        turns.append((start_ms, end_ms, language_code(cells[2], path, number)))
    return turns


def _plain_turns(lines: Sequence[str]) -> list[tuple[int, int, int]] | None:
    """The turns of lines in whole ms with nothing unusual in them; None for others, and for no line."""
    columns = cells_by_column(lines, 3)
    if columns is None:
        return None
    starts, ends, languages = columns
    code_of = {language: _CODES.get(fold(language)) for language in set(languages)}
    if None in code_of.values() or not all(map(_WHOLE.fullmatch, chain(starts, ends))):
        return None
    turns = list(zip(map(int, starts), map(int, ends), map(code_of.__getitem__, languages), strict=True))
    return turns if all(start <= end for start, end, _ in turns) else None


def _milliseconds(text: str, file: Path, line: int) -> int:
    if not _MILLISECONDS.fullmatch(text):
        raise InputError(f"'{private(text)}' is no time; expected milliseconds, as in 1425 or 1425.0", file, line)
    whole, _, fraction = text.partition(".")
    return round(Decimal(text)) if fraction.strip("0") else int(whole)
