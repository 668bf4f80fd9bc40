"""Readers of training corpora: utterances of one language each, and what was set aside.

A reader takes the folder as its publisher lays it out and reads the headers of audio files, never their samples. It
appends to ``set_aside`` (rows of the table of that name, without task and text) and logs a count by reason.
What can't be right (times, tags, broken files) raises InputError with file and line, or, with ``on_bad="quarantine"``,
is set aside with the reason ``invalid``. Source: evaluation plan, "Training data" and Appendix A.
"""

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

from sinobench.errors import InputError, nearest
from sinobench.merlion.annotations import bounds, read_table
from sinobench.merlion.partitions import read_id_list
from sinobench.merlion.textgrid import read_one_tier
from sinobench.text import read_lines, short

LANGUAGES = ("English", "Mandarin")
MANIFEST_COLUMNS = ("path", "start_ms", "end_ms", "language", "speaker", "recording")
SILENCE = ("", "<S>", "<Z>")  # of NSC's transcripts
SEAME_LANGUAGES = {"EN": "English", "ZH": "Mandarin"}

# The second form names the conversation twice, then the speaker; the first is one speaker's side of a conversation.
NSC_SPEAKER = r"(?:conf_\d+_\d+_)?(?P<speaker>.+)"
# Conversation (not for interviews), place and style, the speaker's number, then sex, nationality and channel, which
# are not always written in that order; a number stands for one person of that place and style.
_SEAME_SPEAKER = re.compile(r"\d*(?P<speaker>[A-Z]{2}\d+)[A-Z]*_")
_AUDIO = (".flac", ".wav")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Utterance:
    """Speech of one speaker in one language: milliseconds of a file; ``path`` is relative to the corpus's folder."""

    corpus: str
    recording: str
    speaker: str
    path: str
    start_ms: int
    end_ms: int
    language: str


def read_librispeech(
    folder: str | Path, set_aside: list[dict] | None = None, on_bad: str = "fail", subset: str = "train-clean-100"
) -> list[Utterance]:
    """English, one utterance a file: ``[LibriSpeech/]<subset>/<spk>/<chap>/<spk>-<chap>-<number>.flac``."""
    found = _Reading("librispeech", folder, set_aside, on_bad)
    root = found.root(f"LibriSpeech/{subset}", subset)
    for file in found.audio(root):
        chapter, speaker = file.parent, file.parent.parent
        if speaker.parent != root or not file.stem.startswith(f"{speaker.name}-{chapter.name}-"):
            found.put_aside(file, "unexpected_place", "expected <speaker>/<chapter>/<speaker>-<chapter>-<number>")
        else:
            found.add_whole(file, speaker.name, "English")
    return found.finish()


def read_aishell(
    folder: str | Path, id_list: str | Path | None = None, set_aside: list[dict] | None = None, on_bad: str = "fail"
) -> list[Utterance]:
    """Mandarin, one utterance a file: ``[data_aishell/]wav/{train,dev,test}/<speaker>/*.wav``.

    id_list: a file with a name a line (`read_id_list`); only these are read, in their order. Raises InputError for a
    name without audio.
    """
    found = _Reading("aishell", folder, set_aside, on_bad)
    root = found.root("data_aishell/wav", "wav")
    files = {}
    for file in found.audio(root):
        if file.parent.parent.parent == root:
            files[file.stem] = file
        else:
            found.put_aside(file, "unexpected_place", "expected {train,dev,test}/<speaker>/<name>")
    if id_list is not None:
        names = read_id_list(id_list)
        for name, line in names.items():
            if name not in files:
                raise InputError(f"'{name}' has no audio in {root}; give the corpus of the list", id_list, line)
        if len(files) > len(names):
            found.put_aside(root, "not_listed", f"{len(files) - len(names)} files that {Path(id_list).name} lacks")
        files = {name: files[name] for name in names}
    for file in files.values():
        found.add_whole(file, file.parent.name, "Mandarin")
    return found.finish()


def read_nsc(
    folder: str | Path,
    set_aside: list[dict] | None = None,
    on_bad: str = "fail",
    speaker: str = NSC_SPEAKER,
    tier: str | None = None,
) -> list[Utterance]:
    """English, intervals of flat ``<name>.wav`` with ``<name>.TextGrid``, less silence.

    speaker: expression that the whole name matches, with a group ``speaker``. tier: the tier to read where a TextGrid
    has several. The last interval is cut at the end of the audio, which a row with the reason ``beyond_audio`` says.
    """
    found = _Reading("nsc", folder, set_aside, on_bad)
    grids = {path.stem: path for path in sorted(found.folder.iterdir()) if path.suffix.lower() == ".textgrid"}
    for file, grid in found.paired(found.audio(found.folder, deep=False), grids):
        named = re.fullmatch(speaker, file.stem)
        if named is None:
            raise InputError(f"the name does not match '{speaker}'; set the expression for NSC's speakers", file)
        with found.quarantined(file):
            length, silence = found.length_ms(file), []
            for interval in read_one_tier(grid, tier):
                start, end = round(interval.start_s * 1000), round(interval.end_s * 1000)
                if interval.text.strip() in SILENCE:
                    silence.append(end - start)
                    continue
                if start < length < end:
                    found.put_aside(grid, "beyond_audio", f"{end - length} ms after the audio's end", interval.line)
                    end = length
                with found.quarantined(grid, interval.line):
                    found.add(file, named["speaker"], (start, end), "English", grid, interval.line)
            found.put_aside_many(grid, "silence", silence)
    return found.finish()


def read_seame(folder: str | Path, set_aside: list[dict] | None = None, on_bad: str = "fail") -> list[Utterance]:
    """English and Mandarin: ``[data/]{conversation,interview}/{audio/*.flac,transcript/phaseII/*.txt}``.

    A line is id, start and end in ms, EN, ZH or CS, text; lines with code-switches (CS) are set aside, counted by file.
    """
    found = _Reading("seame", folder, set_aside, on_bad)
    data = found.folder / "data" if (found.folder / "data").is_dir() else found.folder
    parts = [data / part for part in ("conversation", "interview") if (data / part).is_dir()]
    if not parts:
        raise InputError("has no folder conversation or interview, nor data with one of them", folder)
    for part in parts:
        transcripts = {path.stem: path for path in sorted((part / "transcript" / "phaseII").glob("*.txt"))}
        for file, transcript in found.paired(found.audio(part / "audio", deep=False), transcripts):
            with found.quarantined(file):
                _add_transcript(found, file, transcript)
    return found.finish()


def _add_transcript(found: "_Reading", file: Path, transcript: Path) -> None:
    named = _SEAME_SPEAKER.match(file.stem)
    speaker = named["speaker"] if named else file.stem.split("_")[0]
    found.length_ms(file)
    switched = []
    for line, content in enumerate(read_lines(transcript), start=1):
        columns = content.split(maxsplit=4)
        if not columns:
            continue
        with found.quarantined(transcript, line):
            if len(columns) < 4:
                raise InputError(f"{len(columns)} columns; expected id, start, end, language, text", transcript, line)
            name, start, end, language = columns[:4]
            if name.lower() != file.stem.lower():
                found.put_aside(transcript, "other_recording", f"id '{short(name)}'", line)
                continue
            times = bounds(start, end, transcript, line)
            if language == "CS":
                switched.append(times[1] - times[0])
            elif language in SEAME_LANGUAGES:
                found.add(file, speaker, times, SEAME_LANGUAGES[language], transcript, line)
            else:
                raise InputError(f"language '{short(language)}'; expected EN, ZH or CS", transcript, line)
    found.put_aside_many(transcript, "code_switched", switched)


def read_manifest(
    folder: str | Path,
    set_aside: list[dict] | None = None,
    on_bad: str = "fail",
    corpus: str = "manifest",
    manifest: str = "manifest.csv",
) -> list[Utterance]:
    """Any corpus: a table in the folder with the columns of MANIFEST_COLUMNS, paths relative to the folder.

    Raises InputError for a path that is absolute or leaves the folder, also through a link.
    """
    found = _Reading(corpus, folder, set_aside, on_bad)
    table = found.folder / manifest
    for line, row in read_table(table, MANIFEST_COLUMNS):
        with found.quarantined(table, line):
            for column, value in row.items():
                if not value:
                    raise InputError(f"{column} is empty; give a value", table, line)
            if row["language"] not in LANGUAGES:
                hint = nearest(row["language"], LANGUAGES)
                raise InputError(f"language '{short(row['language'])}' is not known; {hint}", table, line)
            file, times = (
                _inside(found.folder, row["path"], table, line),
                bounds(row["start_ms"], row["end_ms"], table, line),
            )
            found.add(file, row["speaker"], times, row["language"], table, line, row["recording"])
    return found.finish()


READERS: dict[str, Callable[..., list[Utterance]]] = {
    "librispeech": read_librispeech,
    "aishell": read_aishell,
    "nsc": read_nsc,
    "seame": read_seame,
    "manifest": read_manifest,
}


class _Reading:
    """The utterances and the rows set aside while one corpus is read."""

    def __init__(self, corpus: str, folder: str | Path, set_aside: list[dict] | None, on_bad: str) -> None:
        self.corpus, self.folder, self.on_bad = corpus, Path(folder), on_bad
        self.set_aside = [] if set_aside is None else set_aside
        self.utterances: list[Utterance] = []
        self._lengths: dict[Path, int] = {}
        self._earlier = len(self.set_aside)
        if on_bad not in ("fail", "quarantine"):
            raise InputError(f"on_bad is '{on_bad}'; expected fail or quarantine")
        if not self.folder.is_dir():
            raise InputError(f"is no folder; give the one with the corpus {corpus}", folder)

    def root(self, *places: str) -> Path:
        """The first of the places that exists."""
        for place in places:
            if (self.folder / place).is_dir():
                return self.folder / place
        raise InputError(f"has no folder {' or '.join(places)}", self.folder)

    def audio(self, root: Path, deep: bool = True) -> list[Path]:
        """Audio files in the order of their paths; InputError where two have one name, or there is none."""
        files = sorted(f for f in (root.rglob("*") if deep else root.glob("*")) if f.suffix.lower() in _AUDIO)
        named: dict[str, Path] = {}
        for file in files:
            if (other := named.setdefault(file.stem, file)) is not file:
                raise InputError(f"has the name of {other}; a recording's name must stand once", file)
        if not files:
            raise InputError("holds no .flac or .wav file", root)
        return files

    def paired(self, audio: Sequence[Path], annotations: Mapping[str, Path]) -> Iterator[tuple[Path, Path]]:
        """Audio files with the annotation of their name; what has no partner is set aside."""
        for file in audio:
            if file.stem in annotations:
                yield file, annotations[file.stem]
            else:
                self.put_aside(file, "no_annotation", "audio without its annotation")
        named = {file.stem for file in audio}
        for name, annotation in annotations.items():
            if name not in named:
                self.put_aside(annotation, "no_audio", "annotation without its audio")

    def length_ms(self, file: Path) -> int:
        """Whole milliseconds of a file by its header; InputError unless it is readable, mono and not empty."""
        import soundfile

        if file not in self._lengths:
            try:
                header = soundfile.info(file)
            except (OSError, RuntimeError) as error:
                raise InputError(f"is no readable audio ({error}); expected FLAC or PCM WAV", file) from None
            if header.channels != 1:
                raise InputError(f"has {header.channels} channels; expected mono", file)
            length = header.frames * 1000 // header.samplerate
            # A FLAC stream that was not finished has an unknown length, for which libsndfile gives its largest number.
            if not 0 < header.frames < 2**62 or not length:
                raise InputError("has less than a millisecond of audio, or a header without a length", file)
            self._lengths[file] = length
        return self._lengths[file]

    def add_whole(self, file: Path, speaker: str, language: str) -> None:
        with self.quarantined(file):
            self.add(file, speaker, (0, self.length_ms(file)), language, file)

    def add(
        self,
        file: Path,
        speaker: str,
        times_ms: tuple[int, int],
        language: str,
        source: Path,
        line=None,
        recording=None,
    ) -> None:
        """An utterance that ``source`` has in ``line``; InputError unless it has a length and lies inside the audio."""
        (start, end), length = times_ms, self.length_ms(file)
        if not 0 <= start < end <= length:
            raise InputError(
                f"{start} to {end} ms; expected 0 <= start < end <= {length}, {file.name}'s length", source, line
            )
        path = self._relative(file)
        self.utterances.append(Utterance(self.corpus, recording or file.stem, speaker, path, start, end, language))

    def put_aside(self, file: Path, reason: str, detail: str, line: int | None = None) -> None:
        self.set_aside.append(
            {"corpus": self.corpus, "file": self._relative(file), "line": line, "reason": reason, "detail": detail}
        )

    def put_aside_many(self, file: Path, reason: str, lengths_ms: Sequence[int]) -> None:
        """One row for all lines of a file that are left out for one expected reason."""
        if lengths_ms:
            self.put_aside(file, reason, f"{len(lengths_ms)} of {sum(lengths_ms)} ms together")

    @contextmanager
    def quarantined(self, file: Path, line: int | None = None) -> Iterator[None]:
        try:
            yield
        except InputError as error:
            if self.on_bad == "fail":
                raise
            # The table must not depend on where the corpus lies.
            self.put_aside(file, "invalid", str(error).replace(f"{self.folder}/", ""), line)

    def finish(self) -> list[Utterance]:
        """The utterances; InputError where there is none."""
        counts = Counter(row["reason"] for row in self.set_aside[self._earlier :])
        reasons = ", ".join(f"{n} {reason}" for reason, n in sorted(counts.items())) or "nothing"
        hours = sum(u.end_ms - u.start_ms for u in self.utterances) / 3_600_000
        _log.info("%s: %d utterances, %.2f h; set aside: %s", self.corpus, len(self.utterances), hours, reasons)
        if not self.utterances:
            raise InputError(f"holds no usable utterance of {self.corpus}; set aside: {reasons}", self.folder)
        return self.utterances

    def _relative(self, file: Path) -> str:
        return file.relative_to(self.folder).as_posix()


def _inside(folder: Path, text: str, manifest: Path, line: int) -> Path:
    # PureWindowsPath knows drives and both slashes.
    outside = PureWindowsPath(text).anchor or ".." in PureWindowsPath(text).parts
    if outside or not (folder / text).resolve().is_relative_to(folder.resolve()):
        raise InputError(f"path '{short(text)}' leaves the folder {folder}; expected one inside it", manifest, line)
    if not (folder / text).is_file():
        raise InputError(f"path '{short(text)}' names no file in {folder}", manifest, line)
    return folder / text
