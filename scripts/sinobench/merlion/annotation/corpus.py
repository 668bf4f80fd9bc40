"""A MERLIon corpus put together: annotations in any of their forms, evaluated regions, redactions and audio.

Source: the evaluation plan, "Data"; the released folders. Some recordings of a corpus may be raw and others released.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from pathlib import Path

from sinobench.errors import InputError, is_not_text, nearest, printable, private
from sinobench.merlion.annotation.eaf import read_eaf
from sinobench.merlion.annotation.flat import read_flat
from sinobench.merlion.annotation.labels import label_columns, timestamp_columns
from sinobench.merlion.annotation.reasons import Reason
from sinobench.merlion.annotation.tables import read_redactions, read_regions, recording_name
from sinobench.merlion.audio.wav import Audio, files_by_stem, probe
from sinobench.merlion.tables import (
    AUDIO,
    RAW,
    RELEASED,
    TIMESTAMPS,
    Grain,
    Redaction,
    Region,
    Segment,
)

_FORMULA = "=+-@＝＋－＠"


@dataclass
class Corpus:
    """All recordings that can be used, by name, and what belongs to them; ``set_aside`` are rows of that table.

    segments: columns, named as the fields of a segment; those without a language have neither overlap nor status.
    """

    audio: dict[str, Audio] = field(default_factory=dict)
    form: dict[str, str] = field(default_factory=dict)
    grains: list[Grain] = field(default_factory=list)
    segments: dict[str, Sequence] = field(default_factory=lambda: {name: [] for name in Segment.__dataclass_fields__})
    redactions: list[Redaction] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    set_aside: list[dict] = field(default_factory=list)


def read_corpus(files: Mapping[str, str], on_bad_recording: str = "fail", evaluation: bool = False) -> Corpus:
    """Read a corpus from its files by part: folders ``audio`` and ``eaf``, files ``labels``, ``timestamps``, ``flat``,
    ``regions`` and ``redactions``; all but the audio where there are some.

    ``fail`` raises InputError, naming file and row, for the first recording that can't be used: with a broken ELAN
    file, without audio or without annotation, with two files of one name, with audio that is not 32 kHz mono int16,
    with a time beyond its end. ``quarantine`` sets such a recording aside, with its reason. What concerns no single
    recording is an error in either case: an unreadable table, a recording annotated in two forms, a region for an
    unknown recording.

    evaluation: a recording without annotation has the form ``audio``, as all have in the release for Task 2, and is no
    problem. Source: plan, "File formats and distributions".
    """
    corpus, reading = Corpus(), _Reading()
    for part, form in (("labels", RELEASED), ("timestamps", TIMESTAMPS), ("flat", RAW), ("eaf", RAW)):
        if part in files:
            _read_annotation(corpus, reading, part, files[part], form)
    _probe_all(corpus, reading, files["audio"], evaluation)
    if "redactions" in files:
        corpus.redactions += (rows := read_redactions(files["redactions"]))
        reading.add("redaction", rows, files["redactions"])
    if "regions" in files:
        corpus.regions += (rows := read_regions(files["regions"]))
        reading.add("region", rows, files["regions"])
    _check_times(corpus, reading)
    if reading.problems and on_bad_recording == "fail":
        raise next(iter(reading.problems.values())).error
    _drop(corpus, reading)
    return corpus


@dataclass(frozen=True)
class _Problem:
    """Why a recording can't be used, and where that stands."""

    error: InputError
    file: str | Path
    line: int | None = None


@dataclass
class _Reading:
    """Where each recording is annotated (file and first row), all rows with their file, and problems by recording.

    on_disk: the recordings that a file is named after; another name is a cell of a table.
    """

    origin: dict[str, tuple[str | Path, int | None]] = field(default_factory=dict)
    rows: list[tuple[str, Mapping[str, Sequence], str | Path]] = field(default_factory=list)
    problems: dict[str, _Problem] = field(default_factory=dict)
    on_disk: set[str] = field(default_factory=set)

    def found(self, name: str, file: str | Path, line: int | None) -> None:
        """InputError where the recording is annotated in another file too."""
        if self.origin.setdefault(name, (file, line))[0] != file:
            other = self.origin[name][0]
            raise InputError(
                f"'{private(name)}' is annotated in {other} too; keep one annotation a recording", file, line
            )

    def add(self, kind: str, rows: list, file: str | Path) -> None:
        """InputError for a row about a recording that is neither annotated nor, without annotation, a problem."""
        for row in rows:
            if row.recording not in self.origin and row.recording not in self.problems:
                raise InputError(f"{kind} for '{private(row.recording)}', which no annotation names", file, row.row)
        names = ("recording", "start_ms", "end_ms", "row")
        self.rows.append((kind, {name: [getattr(row, name) for row in rows] for name in names}, file))

    def problem(self, name: str, message: str, file: str | Path, line: int | None = None) -> None:
        self.problems[name] = _Problem(InputError(message, file, line), file, line)


def _read_annotation(corpus: Corpus, reading: _Reading, part: str, path: str, form: str) -> None:
    if part == "eaf":
        _read_elan(corpus, reading, path)
        return
    if part == "flat":
        rows = [grain for recording in read_flat(path).values() for grain in recording.grains]
        for row in rows:
            reading.found(row.recording, path, row.row)
            corpus.form[row.recording] = form
        corpus.grains += rows
        reading.add("grain", rows, path)
        return
    columns = label_columns(path) if part == "labels" else timestamp_columns(path)
    _refuse_formulas(columns, path)
    first = dict(zip(reversed(columns["recording"]), columns["row"][::-1], strict=True))
    for recording in dict.fromkeys(columns["recording"]):
        reading.found(recording, path, int(first[recording]))
        corpus.form[recording] = form
    reading.rows.append(("segment", columns, path))
    nothing = [None] * len(columns["recording"])
    for name, before in corpus.segments.items():
        values = columns.get(name, nothing)
        corpus.segments[name] = [*before, *values] if len(before) else values


def _read_elan(corpus: Corpus, reading: _Reading, folder: str) -> None:
    files = sorted(Path(folder).rglob("*.eaf"))
    if not files:
        raise InputError("holds no .eaf file", folder)
    for file in files:
        name = file.name.removesuffix(".eaf")
        reading.on_disk.add(name)
        try:
            recording = read_eaf(file)
        except InputError as error:
            reading.found(name, file, None)
            reading.problems[name] = _Problem(error, file)
            continue
        reading.found(recording.recording, file, None)
        corpus.form[recording.recording] = RAW
        corpus.grains += recording.grains
        corpus.redactions += recording.redactions
        reading.add("grain", recording.grains, file)
        reading.add("redaction", recording.redactions, file)


def _probe_all(corpus: Corpus, reading: _Reading, folder: str, evaluation: bool) -> None:
    """Audio of every recording; a problem for an annotation without audio, and for audio without, if it needs one."""
    if not Path(folder).is_dir():
        raise InputError("is no folder; give the folder that holds the audio files", folder)
    files = files_by_stem(Path(folder), (".wav",))
    reading.on_disk |= files.keys()
    if not files:
        raise InputError("holds no .wav file", folder)
    if evaluation:
        for name in sorted(files.keys() - reading.origin.keys()):
            corpus.form[name] = AUDIO
            reading.origin[name] = (files[name][0], None)
    for name in sorted((reading.origin.keys() | files.keys()) - reading.problems.keys()):
        paths = files.get(name, [])
        if any(map(is_not_text, paths)):
            reading.problem(name, "has a name that is not UTF-8; rename the file", paths[0])
        elif name not in reading.origin:
            reading.problem(name, "has no annotation; annotate it, or take it out of the folder", paths[0])
        elif not paths:
            message = f"'{private(name)}' has no .wav file in {folder}; {nearest(name, files)}"
            reading.problem(name, message, *reading.origin[name])
        elif len(paths) > 1:
            reading.problem(name, f"has the name of {paths[1]} too; keep one of them", paths[0])
        else:
            try:
                _refuse_formula(recording_name(paths[0].name, paths[0], None), paths[0])
                corpus.audio[name] = probe(paths[0])
            except InputError as error:
                reading.problems[name] = _Problem(error, paths[0])


def _refuse_formulas(columns: Mapping[str, Sequence], file: str) -> None:
    """InputError for the first cell of segments that would be a formula in the labels."""
    texts = [columns[name] for name in ("utt_id", "status") if name in columns]
    if any(text[:1] in _FORMULA for of in texts for text in set(of) - {""}):
        for row, *cells in zip(columns["row"].tolist(), *texts, strict=True):
            for cell in cells:
                _refuse_formula(cell, file, row)


def _refuse_formula(cell: str, file: str | Path, row: int | None = None) -> None:
    """InputError for what a spreadsheet takes for a formula: it is written into the labels, where an escape would be
    another name than the audio's. A sign alone is none.
    """
    if len(cell) > 1 and cell[0] in _FORMULA:
        message = f"'{private(cell)}' begins with {cell[0]}, as a formula of a spreadsheet does; give another name"
        raise InputError(message, file, row)


def _check_times(corpus: Corpus, reading: _Reading) -> None:
    """A problem for each recording with a time beyond its audio; annotations round its end up to a whole ms."""
    heard_ms = {name: -(-audio.n_samples * 1000 // audio.sample_rate_hz) for name, audio in corpus.audio.items()}
    for kind, columns, file in reading.rows:
        spans = zip(*(columns[name] for name in ("recording", "start_ms", "end_ms", "row")), strict=True)
        for recording, start_ms, end_ms, row in spans:
            heard = heard_ms.get(recording)
            if heard is not None and end_ms > heard and recording not in reading.problems:
                span = f"{kind} {private(start_ms, end_ms)} ms of '{recording}'"
                message = f"{span} goes beyond its audio, {heard} ms; correct the times or the file"
                reading.problem(recording, message, file, int(row))


def _drop(corpus: Corpus, reading: _Reading) -> None:
    problems = reading.problems
    for name, problem in sorted(problems.items()):
        file, shown = printable(Path(problem.file).name), printable(name) if name in reading.on_disk else None
        row = {"file": file, "line": problem.line, "text": shown, "reason": Reason.BAD_RECORDING}
        corpus.set_aside.append(row | {"detail": str(problem.error)})
        corpus.audio.pop(name, None)
        corpus.form.pop(name, None)
    for part in ("grains", "redactions", "regions"):
        setattr(corpus, part, [row for row in getattr(corpus, part) if row.recording not in problems])
    if problems:
        kept = [recording not in problems for recording in corpus.segments["recording"]]
        corpus.segments = {name: list(compress(values, kept)) for name, values in corpus.segments.items()}
