"""The reference of language identification, and scores in both formats that the challenge allows.

A segment's id is ``<recording>_<utt_id>_<start ms>_<end ms>``. Source: plan, "Format of result files" and Appendix C.
"""

import contextlib
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import compress
from pathlib import Path

import numpy as np

from sinobench.cells import Cells, columns
from sinobench.errors import InputError, private
from sinobench.merlion.languages import is_trial
from sinobench.text import lines_of, read_utf8, stream_lines

_ID = re.compile(r"(.+)_[^_]+_[0-9]+_[0-9]+")
_NUMBERS = re.compile(r"[-+.eE0-9 ]*")
_LABELS = ("0", "1")  # English, Mandarin
_LARGEST = 1e300  # a difference of two scores stays finite
_LONGEST_FIELD = 32  # of an id, but its recording
_BAR, _ZERO = b"_0"


@dataclass(frozen=True)
class Reference:
    """n segments in the order of the file: ids, the recording of each, and is_english, bool (n,)."""

    ids: Sequence[str]
    recordings: Sequence[str]
    is_english: np.ndarray


@dataclass(frozen=True)
class Predictions:
    """Scores (n,) in the order of the reference; ``format`` is 1 or 2.

    ``order_differs`` says that the file's lines stand in another order, which a submission must not have.
    """

    english: np.ndarray
    mandarin: np.ndarray
    format: int
    order_differs: bool


def read_reference(path: str | Path) -> Reference:
    """The segments to score: lines ``id 0`` (English) or ``id 1`` (Mandarin), or a labels table as released.

    A table (XLSX, CSV, or any text with a column audio_name) gives its English and Mandarin segments without overlap.
    Raises InputError with file and line for what is neither, an id that stands twice, and a table without any of them.
    """
    path = Path(path)
    if path.suffix.lower() in (".xlsx", ".xlsm", ".csv") or "audio_name" in next(stream_lines(path)).lower():
        return _labels_reference(path)
    names, labels = _columns(path, 2, "id and label, 0 for English or 1 for Mandarin")
    codes, recordings = _label_codes(labels), _recordings(names)
    if names.are_distinct() and codes is not None and recordings is not None:
        return Reference(names, recordings.coded(), codes == 0)
    _rows_by_id(names, path)
    recordings = []
    for line, (name, label) in enumerate(zip(names, labels, strict=True), start=1):
        match = _ID.fullmatch(name)
        if not match:
            raise InputError(f"id '{private(name)}' is not <recording>_<utt_id>_<start>_<end>", path, line)
        if label not in _LABELS:
            raise InputError(f"label '{private(label)}'; expected 0 for English or 1 for Mandarin", path, line)
        recordings.append(match[1])
    return Reference(names, recordings, np.array(labels) == "0")


def read_predictions(path: str | Path, ids: Sequence[str]) -> Predictions:
    """The scores that a file gives to the segments ``ids``, joined by id.

    Format 1 is the lines ``id 0 score`` and ``id 1 score``, format 2 one line ``id english mandarin``; the file is in
    format 1 where each id stands exactly twice, with 0 and with 1. Raises InputError with file and line for the first
    id that is extra, missing or stands twice, and for a score that is no finite number.
    """
    path = Path(path)
    return _scores_of(_score_columns(path), Cells.of(ids), path)


def read_both(reference: str | Path, predictions: str | Path) -> tuple[Reference, Predictions]:
    """``read_reference`` and ``read_predictions`` of two files, one beside the other."""
    path = Path(predictions)
    with ThreadPoolExecutor(1) as pool:
        columns = pool.submit(_score_columns, path)
        truth = read_reference(reference)
    return truth, _scores_of(columns.result(), Cells.of(truth.ids), path)


def _score_columns(path: Path) -> list[Cells]:
    columns = _columns(path, 3, "id, 0 or 1, and score, or id and both scores")
    _ = columns[2].numbers  # kept for later
    return columns


def _scores_of(columns: Sequence[Cells], ids: Cells, path: Path) -> Predictions:
    return _joined(*columns, ids) or _joined_by_line(*map(list, (*columns, ids)), path)


def _joined(names: Cells, second: Cells, third: Cells, ids: Cells) -> Predictions | None:
    """The scores of lines without any fault, by whole columns; None for others."""
    rows, labels = _rows_in(names, ids), _label_codes(second)
    if rows is None or not ids.are_distinct():
        return None
    if len(names) == len(ids):
        number, columns = 2, (second.numbers, third.numbers)
    elif labels is not None:
        number, columns, rows = 1, (third.numbers,), 2 * rows + labels
    else:
        return None
    if len(rows) * len(columns) != 2 * len(ids) or (np.bincount(rows) != 1).any():
        return None
    if any(column is None or (np.abs(column) >= _LARGEST).any() for column in columns):
        return None
    scores = np.empty((len(rows), len(columns)))
    scores[rows] = np.column_stack(columns)
    english, mandarin = scores.reshape(-1, 2).T
    return Predictions(english, mandarin, number, not np.array_equal(rows, np.arange(len(rows))))


def _joined_by_line(names: list[str], second: list[str], third: list[str], ids: list[str], path: Path) -> Predictions:
    """The same by dictionaries, which tell what is wrong with the first line that is."""
    n_lines = len(names)
    if _is_two_lines(names, second):
        order_differs = names[::2] != ids or names[1::2] != ids or second != [*_LABELS] * len(ids)
        english, mandarin = _two_lines(names, second, ids, path)
        scores = _scores(third, range(1, n_lines + 1), path)
        return Predictions(scores[english], scores[mandarin], 1, order_differs)
    rows = _join(_rows_by_id(names, path), ids, "scores", path)
    scores = _scores(second + third, [*range(1, n_lines + 1)] * 2, path)
    return Predictions(scores[rows], scores[rows + n_lines], 2, names != ids)


def write_predictions(
    path: str | Path, ids: Sequence[str], english: Sequence[float], mandarin: Sequence[float]
) -> None:
    """Write scores in format 2, in the order given, with all digits. Raises InputError for one that is not finite."""
    rows = list(zip(ids, map(float, english), map(float, mandarin), strict=True))
    for name, *scores in rows:
        if not all(abs(score) < _LARGEST for score in scores):
            raise InputError(f"segment '{private(name)}' has the scores {scores}; expected finite numbers", path)
    lines = (f"{name} {english_score!r} {mandarin_score!r}\n" for name, english_score, mandarin_score in rows)
    Path(path).write_text("".join(lines), encoding="utf-8", newline="\n")


def _labels_reference(path: Path) -> Reference:
    # Only tables need the reader of tables.
    from sinobench.merlion.annotation.labels import label_columns, segment_ids

    columns = label_columns(path)
    scored = map(is_trial, columns["language"], columns["overlap_diff_lang"])
    chosen = np.fromiter(scored, bool, len(columns["row"]))
    if not chosen.any():
        raise InputError("has no English or Mandarin segment with overlap_diff_lang False; nothing to score", path)
    kept = {name: list(compress(values, chosen)) for name, values in columns.items()}
    is_english = np.array([language == "English" for language in kept["language"]])
    return Reference(segment_ids(kept), kept["recording"], is_english)


def _columns(path: Path, n: int, expected: str) -> list[Cells]:
    data = read_utf8(path)
    plain = columns(data, n, " ") if data.isascii() else None
    if plain and all(column.lengths.all() for column in plain):
        return plain
    fields: list[str] = []
    for line, content in enumerate(lines_of(data), start=1):
        cells = content.split()
        if len(cells) != n:
            shown = f"'{private(' '.join(cells))}'" if cells else "an empty line"
            raise InputError(f"expected {expected}, {n} fields; found {shown}", path, line)
        fields += cells
    return [Cells.of(fields[column::n]) for column in range(n)]


def _label_codes(labels: Cells) -> np.ndarray | None:
    """(n,) 0 and 1; None where another label stands."""
    codes = labels.data[labels.starts] - _ZERO  # below it the numbers wrap around
    return codes.astype(np.int64) if (labels.lengths == 1).all() and (codes <= 1).all() else None


def _recordings(ids: Cells) -> Cells | None:
    """The recording of each id, as ``_ID`` has it; None where one is no id, or has a field of unusual length."""
    behind = ids.ends
    for is_number in (True, True, False):
        behind = _bars_before(ids, behind, is_number)
        if behind is None:
            return None
    return Cells(ids.data, ids.starts, behind - ids.starts) if (behind > ids.starts).all() else None


def _bars_before(ids: Cells, behind: np.ndarray, is_number: bool) -> np.ndarray | None:
    """The last underscore of each id before a place, where a field stands in between; None where one lacks it."""
    places, rows, at = np.empty_like(behind), np.arange(len(ids)), behind - 1
    for n_passed in range(_LONGEST_FIELD):
        characters = ids.data[at]
        is_bar = characters == _BAR
        if is_bar.any():
            if not n_passed:
                return None
            places[rows[is_bar]] = at[is_bar]
            rows, at, characters = (each[~is_bar] for each in (rows, at, characters))
            if not len(rows):
                return places if (places >= ids.starts).all() else None
        if is_number and (characters - _ZERO > 9).any():  # below it the numbers wrap around
            return None
        at -= 1
    return None


def _rows_in(names: Cells, ids: Cells) -> np.ndarray | None:
    """The place of each name among the ids, each once or twice; None where one is no id."""
    n, once = len(ids), np.arange(len(ids))
    if len(names) == n and names == ids:
        return once
    if len(names) == 2 * n:
        if names[:n] == ids and names[n:] == ids:
            return np.tile(once, 2)
        if names[::2] == ids and names[1::2] == ids:
            return np.repeat(once, 2)
    return names.places_in(ids)


def _is_two_lines(names: Sequence[str], second: Sequence[str]) -> bool:
    n_ids = len(set(names))
    if n_ids == len(names):
        return False
    n_labels = sum(map(second.count, _LABELS))
    of_labels = (set(compress(names, map(label.__eq__, second))) for label in _LABELS)
    if n_labels == len(names) == 2 * n_ids == sum(map(len, of_labels)):
        return True
    # Broken either way: the message is about the format that most lines have.
    return n_labels > len(names) / 2 and n_ids < 0.75 * len(names)


def _two_lines(names: Sequence[str], labels: Sequence[str], ids: Sequence[str], path: Path) -> list[np.ndarray]:
    """The rows of the English and of the Mandarin scores."""
    rows = {}
    for label in _LABELS:
        places = [row for row, own in enumerate(labels) if own == label]
        rows[label] = dict(zip((names[row] for row in places), places, strict=True))
    if sum(map(len, rows.values())) < len(names):
        _refuse_two_lines(names, labels, path)
    return [_join(rows[label], ids, f"the line with label {label}", path) for label in _LABELS]


def _refuse_two_lines(names: Sequence[str], labels: Sequence[str], path: Path) -> None:
    """Raise the InputError of the first line that is of neither label, or stands a second time."""
    first: dict[tuple[str, str], int] = {}
    for row, (name, label) in enumerate(zip(names, labels, strict=True)):
        if label not in _LABELS:
            raise InputError(f"label '{private(label)}'; expected 0 for English or 1 for Mandarin", path, row + 1)
        earlier = first.setdefault((name, label), row)
        if earlier != row:
            raise InputError(
                f"segment '{private(name)}' with label {label} stands in line {earlier + 1} already", path, row + 1
            )


def _rows_by_id(names: Sequence[str], path: Path) -> dict[str, int]:
    rows = dict(zip(names, range(len(names)), strict=True))
    if len(rows) < len(names):
        first: dict[str, int] = {}
        row = next(row for row, name in enumerate(names) if first.setdefault(name, row) != row)
        raise InputError(
            f"segment '{private(names[row])}' stands in line {first[names[row]] + 1} already", path, row + 1
        )
    return rows


def _join(rows: Mapping[str, int], ids: Sequence[str], missed: str, path: Path) -> np.ndarray:
    """The row of each id; both sides must hold the same ids."""
    if list(rows) == ids:
        return np.fromiter(rows.values(), np.int64, len(ids))
    known = set(ids)
    if rows.keys() != known:
        missing = next((name for name in ids if name not in rows), None)
        extra = next((name for name in rows if name not in known), None)
        if extra is not None:
            hint = f"; '{private(missing)}' is missing" if missing else ""
            raise InputError(
                f"segment '{private(extra)}' is not one of the {len(ids)} to score{hint}", path, rows[extra] + 1
            )
        number = ids.index(missing) + 1
        raise InputError(f"lacks {missed} for segment '{private(missing)}', number {number} of {len(ids)}", path)
    return np.fromiter(map(rows.__getitem__, ids), np.int64, len(ids))


def _scores(texts: Sequence[str], lines: Sequence[int], path: Path) -> np.ndarray:
    if _NUMBERS.fullmatch(" ".join(texts)):  # float() alone takes nan, 1_0 and other scripts' digits
        with contextlib.suppress(ValueError):
            scores = np.fromiter(map(float, texts), np.float64, len(texts))
            if (np.abs(scores) < _LARGEST).all():
                return scores
    line, text = min((line, text) for line, text in zip(lines, texts, strict=True) if not _is_score(text))
    raise InputError(f"score '{private(text)}'; expected a finite number below {_LARGEST:g}, as in -1.25", path, line)


def _is_score(text: str) -> bool:
    try:
        return bool(_NUMBERS.fullmatch(text)) and abs(float(text)) < _LARGEST
    except ValueError:
        return False
