"""A MERLIon corpus put together: annotations in any of their forms, evaluated regions, redactions and audio.

Source: the evaluation plan, "Data"; the released folders. Some recordings of a corpus may be raw and others released.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sinobench.errors import InputError
from sinobench.merlion.annotations import Redaction, Region, read_redactions, read_regions
from sinobench.merlion.audio import Audio, files_by_stem, probe
from sinobench.merlion.labels import Segment, Timestamp, read_labels, read_timestamps
from sinobench.merlion.raw import Grain, read_eaf, read_flat

RAW, RELEASED, TIMESTAMPS = "raw", "released", "timestamps"


@dataclass
class Corpus:
    """All recordings that can be used, by name, and what belongs to them; ``set_aside`` are rows of that table."""

    audio: dict[str, Audio] = field(default_factory=dict)
    form: dict[str, str] = field(default_factory=dict)
    grains: list[Grain] = field(default_factory=list)
    segments: list[Segment | Timestamp] = field(default_factory=list)
    redactions: list[Redaction] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    set_aside: list[dict] = field(default_factory=list)


def read_corpus(files: Mapping[str, str], on_bad_recording: str = "fail") -> Corpus:
    """Read a corpus from its files by part: folders ``audio`` and ``eaf``, files ``labels``, ``timestamps``, ``flat``,
    ``regions`` and ``redactions``; all but the audio where there are some.

    ``fail`` raises InputError, naming file and row, for the first recording that can't be used: without audio or
    without annotation, with two files of one name, with audio that is not 32 kHz mono int16, with a time beyond its
    end. ``quarantine`` sets such a recording aside, with its reason. What concerns no single recording is an error
    in either case: an unreadable table, a recording annotated in two forms, a region for an unknown recording.
    """
    corpus = Corpus()
    origin: dict[str, str] = {}
    for part, form in (("labels", RELEASED), ("timestamps", TIMESTAMPS), ("flat", RAW), ("eaf", RAW)):
        if part in files:
            _read_annotation(corpus, part, files[part], form, origin)
    if "redactions" in files:
        corpus.redactions += read_redactions(files["redactions"])
    if "regions" in files:
        corpus.regions = read_regions(files["regions"])
    for what, rows in (("region", corpus.regions), ("redaction", corpus.redactions)):
        for row in rows:
            if row.recording not in origin:
                file = files.get("regions" if what == "region" else "redactions")
                raise InputError(f"{what} for '{row.recording}', which no annotation names", file, row.row)
    problems = _probe_all(corpus, files["audio"], origin)
    _check_times(corpus, files, problems)
    if problems and on_bad_recording == "fail":
        raise next(iter(problems.values()))
    _drop(corpus, problems, origin, files["audio"])
    return corpus


def _read_annotation(corpus: Corpus, part: str, path: str, form: str, origin: dict[str, str]) -> None:
    found: set[str] = set()
    if part == "labels":
        corpus.segments += (rows := read_labels(path))
        found = {row.recording for row in rows}
    elif part == "timestamps":
        corpus.segments += (rows := read_timestamps(path))
        found = {row.recording for row in rows}
    elif part == "flat":
        for recording in read_flat(path).values():
            corpus.grains += recording.grains
            found.add(recording.recording)
    else:
        files = sorted(Path(path).rglob("*.eaf"))
        if not files:
            raise InputError("holds no .eaf file", path)
        for file in files:
            recording = read_eaf(file)
            if recording.recording in found:
                raise InputError(f"a second annotation of '{recording.recording}'; keep one", file)
            corpus.grains += recording.grains
            corpus.redactions += recording.redactions
            found.add(recording.recording)
    for name in sorted(found):
        if name in origin:
            raise InputError(f"'{name}' is annotated in {origin[name]} too; keep one annotation a recording", path)
        origin[name] = path
        corpus.form[name] = form


def _probe_all(corpus: Corpus, folder: str, origin: Mapping[str, str]) -> dict[str, InputError]:
    """Audio of every annotated recording; the problem of each that has none, or of audio without annotation."""
    if not Path(folder).is_dir():
        raise InputError("is no folder; give the folder that holds the audio files", folder)
    files = files_by_stem(Path(folder), (".wav",))
    problems: dict[str, InputError] = {}
    for name in sorted(origin.keys() | files.keys()):
        paths = files.get(name, [])
        if name not in origin:
            problems[name] = InputError("has no annotation; annotate it, or take it out of the folder", paths[0])
        elif not paths:
            problems[name] = InputError(f"annotates '{name}', for which {folder} holds no .wav file", origin[name])
        elif len(paths) > 1:
            problems[name] = InputError(f"has the name of {paths[1]} too; keep one of them", paths[0])
        else:
            try:
                corpus.audio[name] = probe(paths[0])
            except InputError as error:
                problems[name] = error
    return problems


def _check_times(corpus: Corpus, files: Mapping[str, str], problems: dict[str, InputError]) -> None:
    """A problem for each recording with a time beyond its audio; annotations round its end up to a whole ms."""
    parts = (
        ("segment", corpus.segments, files.get("labels", files.get("timestamps"))),
        ("grain", corpus.grains, files.get("flat", files.get("eaf"))),
        ("redaction", corpus.redactions, files.get("redactions", files.get("eaf"))),
        ("region", corpus.regions, files.get("regions")),
    )
    for what, rows, file in parts:
        for row in rows:
            audio = corpus.audio.get(row.recording)
            if audio is None or row.recording in problems:
                continue
            end_ms = -(-audio.n_samples * 1000 // audio.sample_rate_hz)
            if row.end_ms > end_ms:
                span = f"{what} {row.start_ms}–{row.end_ms} ms of '{row.recording}'"
                message = f"{span} goes beyond its audio, {end_ms} ms; correct the times or the file"
                problems[row.recording] = InputError(message, file, row.row)


def _drop(corpus: Corpus, problems: Mapping[str, InputError], origin: Mapping[str, str], folder: str) -> None:
    for name, error in sorted(problems.items()):
        file = Path(origin.get(name, folder)).name
        row = {"file": file, "line": None, "text": name, "reason": "bad_recording", "detail": str(error)}
        corpus.set_aside.append(row)
        corpus.audio.pop(name, None)
        corpus.form.pop(name, None)
    for part in ("grains", "segments", "redactions", "regions"):
        setattr(corpus, part, [row for row in getattr(corpus, part) if row.recording not in problems])
