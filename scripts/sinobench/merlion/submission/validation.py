"""What the challenge would reject in a submission: its zip, its names, and every line of its texts.

Source: plan, "Scoring tool and format of result files" and Appendix C.
"""

import math
import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from pathlib import Path

from sinobench.errors import InputError, private
from sinobench.merlion.annotation.labels import read_labels, read_timestamps, segment_id
from sinobench.merlion.annotation.tables import read_regions, read_rows, recording_name
from sinobench.merlion.languages import TARGETS, is_trial
from sinobench.merlion.submission.archive import Report, read_texts, shown
from sinobench.merlion.submission.members import LID_MEMBER

_MAX_LINE_CHARACTERS = 1000
_SCORE = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
# The plan's own example prints whole milliseconds as 413402.0.
_MILLISECONDS = re.compile(r"[0-9]{1,9}(\.0*)?")
_CODES = ("0", "1")
_SHORTEST_MEAN_MS = 20


def validate(path: str | Path, task: str, reference: str | Path) -> Report:
    """All that is wrong with a submission.

    task: ``lid`` or ``ld``. reference: see ``read_reference``. Raises InputError for a file that can't be read and for
    a reference that is none.
    """
    expected = read_reference(reference, task)
    report = Report(len(expected))
    names = [LID_MEMBER] if task == "lid" else [f"{recording}.txt" for recording in expected]
    lengths_ms = []
    for name, lines in read_texts(path, names, report):
        if task == "lid":
            _check_scores(name, lines, expected, report)
        else:
            lengths_ms += _check_turns(name, lines, report)
    if lengths_ms and (mean := sum(lengths_ms) / len(lengths_ms)) < _SHORTEST_MEAN_MS:
        message = f"turns last {mean:.1f} ms on average; times are milliseconds: are these seconds?"
        report.warn("seconds", message)
    return report


def read_reference(path: str | Path, task: str) -> list[str]:
    """Segment ids in their order (lid), or names of recordings (ld).

    From a table of timestamps or of labels, of which lid takes the segments that are scored; from a list, one a line,
    of ids (with 0 or 1 behind them or without) or of recordings; for ld from evaluated regions too. Raises InputError
    for a file that is none of these.
    """
    path = Path(path)
    rows = list(read_rows(path))
    header = [cell.lower() for cell in rows[0][1]] if rows else []
    if "utt_id" not in header:
        if len(header) == 1:
            return _listed(rows, path, task)
        if task == "ld":
            return list(dict.fromkeys(region.recording for region in read_regions(path)))
    segments = read_labels(path) if "language_tag" in header else read_timestamps(path)
    if task == "ld":
        return list(dict.fromkeys(segment.recording for segment in segments))
    if "language_tag" in header:
        segments = [s for s in segments if is_trial(s.language, s.overlap_diff_lang)]
        if not segments:
            raise InputError("has no English or Mandarin segment that is scored", path)
    return [segment_id(segment) for segment in segments]


def _listed(rows: Sequence[tuple[int, list[str]]], path: Path, task: str) -> list[str]:
    names: dict[str, int] = {}
    for line, (text, *others) in rows:
        if others:
            raise InputError(f"expected one cell as on the lines before, found {len(others) + 1}", path, line)
        if task == "ld":
            name = recording_name(text, path, line)
        else:
            name, *language = text.split()
            if language not in ([], ["0"], ["1"]):
                raise InputError(f"'{private(text)}' is neither an id nor an id with 0 or 1", path, line)
        if name in names:
            raise InputError(f"'{private(name)}' stands in line {names[name]} already; remove one", path, line)
        names[name] = line
    return list(names)


def _fields(name: str, lines: Sequence[str], expected: str, report: Report) -> list[tuple[int, str, str, str]]:
    """Line and three fields of each line that has them."""
    rows = []
    for number, line in enumerate(lines, start=1):
        fields = [cell for cell in line.split(" ") if cell] if len(line) <= _MAX_LINE_CHARACTERS else []
        if len(fields) != 3 or not line.isprintable():
            report.add("fields", f"{shown(line)} is not three fields with spaces between: {expected}", name, number)
        else:
            rows.append((number, *fields))
    return rows


def _check_scores(name: str, lines: Sequence[str], expected: Sequence[str], report: Report) -> None:
    rows = _fields(name, lines, "segment id, 0 or 1, score; or segment id, English score, Mandarin score", report)
    if _has_two_lines(rows):
        ids = []
        for segment, group in groupby(rows, key=lambda row: row[1]):
            own = list(group)
            ids.append((own[0][0], segment))
            codes = tuple(row[2] for row in own)
            if codes != _CODES:
                found = ", ".join(map(shown, codes[:4]))
                message = f"{shown(segment)} has lines {found}; expected '0' (English), then '1' (Mandarin)"
                report.add("pair", message, name, own[0][0])
        scores = [(number, score) for number, _, _, score in rows]
    else:
        ids = [(number, segment) for number, segment, _, _ in rows]
        scores = [(number, score) for number, _, english, mandarin in rows for score in (english, mandarin)]
    for number, score in scores:
        if not _SCORE.fullmatch(score) or not math.isfinite(float(score)):
            report.add("score", f"score {shown(score)} is not a finite number", name, number)
    _check_ids(name, ids, expected, report)


def _has_two_lines(rows: Sequence[tuple[int, str, str, str]]) -> bool:
    """Whether most lines have a code and a neighbour of the same segment; never told from the first score alone."""
    coded = [row[1] if row[2] in _CODES else None for row in rows]
    pairs = sum(a == b is not None for a, b in pairwise(coded))
    return 4 * pairs > len(rows)


def _check_ids(name: str, ids: Sequence[tuple[int, str]], expected: Sequence[str], report: Report) -> None:
    known, first = set(expected), {}
    for number, segment in ids:
        if segment in first:
            message = f"{shown(segment)} stands in line {first[segment]} already; keep one"
            report.add("duplicate", message, name, number)
            continue
        first[segment] = number
        if segment not in known:
            message = f"{shown(segment)} is no segment of the reference; ids are <recording>_<utt_id>_<start>_<end>"
            report.add("extra", message, name, number)
    for segment in expected:
        if segment not in first:
            report.add("missing", f"segment {shown(segment)} has no score; add it", name)
    given = [segment for segment in first if segment in known]
    for segment, wanted in zip(given, (s for s in expected if s in first), strict=True):
        if segment != wanted:  # behind the first one all are moved
            message = f"{shown(segment)} stands where the reference has {shown(wanted)}; keep the reference's order"
            report.add("order", message, name, first[segment])
            break


def _check_turns(name: str, lines: Sequence[str], report: Report) -> list[int]:
    """The lengths of the turns in ms."""
    if not lines:
        message = "is empty; that is allowed, but the challenge's script is known to stop at an empty file"
        report.warn("empty", message, name)
    turns = []
    for number, start, end, language in _fields(name, lines, "start, end, language", report):
        if language not in TARGETS:
            message = f"language {shown(language)} is not {' or '.join(TARGETS)}; leave out what is neither"
            report.add("language", message, name, number)
        times = [text for text in (start, end) if not _MILLISECONDS.fullmatch(text)]
        for text in times:
            report.add("time", f"{shown(text)} is no time; expected whole milliseconds from 0", name, number)
        if times:
            continue
        start_ms, end_ms = (int(text.partition(".")[0]) for text in (start, end))
        if end_ms <= start_ms:
            report.add("time", f"end {end_ms} is not after start {start_ms}", name, number)
        else:
            turns.append((start_ms, end_ms, number))
    for before, turn in pairwise(turns):
        if turn[:2] < before[:2]:
            message = f"turn {turn[0]}-{turn[1]} stands after {before[0]}-{before[1]}; sort the turns by start"
            report.add("unsorted", message, name, turn[2])
    longest = (0, 0, 0)
    for turn in sorted(turns):
        if turn[0] < longest[1]:
            message = f"turn {turn[0]}-{turn[1]} overlaps {longest[0]}-{longest[1]} on line {longest[2]}"
            report.warn("overlap", f"{message}; the challenge's script makes one of them", name, turn[2])
        longest = max(longest, turn, key=lambda t: t[1])
    return [end_ms - start_ms for start_ms, end_ms, _ in turns]
