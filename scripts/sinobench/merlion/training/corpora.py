"""Readers of training corpora: utterances of one language each, and what was set aside.

A reader takes the folder as its publisher lays it out and reads the headers of audio files, never their samples. It
appends to ``utterances``, where given, and to ``set_aside`` (rows of the table of that name, without task and text),
and logs a count by reason.
What can't be right (times, tags, broken files) raises InputError with file and line, or, with ``on_bad="quarantine"``,
is set aside with the reason ``invalid``. Source: evaluation plan, "Training data" and Appendix A.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from sinobench.errors import InputError, nearest, private
from sinobench.merlion.annotation.tables import bounds, inside, read_table
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.training.partitions import read_id_list
from sinobench.merlion.training.reading import Reading
from sinobench.merlion.training.reasons import Reason
from sinobench.merlion.training.tables import UTTERANCES, Utterance
from sinobench.merlion.training.textgrid import read_one_tier
from sinobench.results.tables import Growing, rows_of
from sinobench.text import read_lines

MANIFEST_COLUMNS = ("path", "start_ms", "end_ms", "language", "speaker", "recording")
SILENCE = ("", "<S>", "<Z>")  # of NSC's transcripts
SEAME_LANGUAGES = {"EN": "English", "ZH": "Mandarin"}

# The second form names the conversation twice, then the speaker; the first is one speaker's side of a conversation.
NSC_SPEAKER = r"(?:conf_\d+_\d+_)?(?P<speaker>.+)"
# Conversation (not for interviews), place and style, the speaker's number, then sex, nationality and channel, which
# are not always written in that order; a number stands for one person of that place and style.
_SEAME_SPEAKER = re.compile(r"\d*(?P<speaker>[A-Z]{2}\d+)[A-Z]*_")


def read_librispeech(
    folder: str | Path,
    set_aside: list[dict] | None = None,
    on_bad: str = "fail",
    subset: str = "train-clean-100",
    utterances: list[Utterance] | None = None,
) -> list[Utterance]:
    """English, one utterance a file: ``[LibriSpeech/]<subset>/<spk>/<chap>/<spk>-<chap>-<number>.flac``."""
    reading = Reading("librispeech", folder, set_aside, on_bad, utterances)
    root = reading.root(f"LibriSpeech/{subset}", subset)
    for file in reading.audio(root):
        chapter, speaker = file.parent, file.parent.parent
        if speaker.parent != root or not file.stem.startswith(f"{speaker.name}-{chapter.name}-"):
            reading.put_aside(
                file, Reason.UNEXPECTED_PLACE, "expected <speaker>/<chapter>/<speaker>-<chapter>-<number>"
            )
        else:
            reading.add_whole(file, speaker.name, "English")
    return reading.finish()


def read_aishell(
    folder: str | Path,
    id_list: str | Path | None = None,
    set_aside: list[dict] | None = None,
    on_bad: str = "fail",
    utterances: list[Utterance] | None = None,
) -> list[Utterance]:
    """Mandarin, one utterance a file: ``[data_aishell/]wav/{train,dev,test}/<speaker>/*.wav``.

    id_list: a file with a name a line (`read_id_list`); only these are read, in their order. Raises InputError for a
    name without audio.
    """
    reading = Reading("aishell", folder, set_aside, on_bad, utterances)
    root = reading.root("data_aishell/wav", "wav")
    files = {}
    for file in reading.audio(root):
        if file.parent.parent.parent == root:
            files[file.stem] = file
        else:
            reading.put_aside(file, Reason.UNEXPECTED_PLACE, "expected {train,dev,test}/<speaker>/<name>")
    if id_list is not None:
        names = read_id_list(id_list)
        for name, line in names.items():
            if name not in files:
                raise InputError(
                    f"'{private(name)}' has no audio in {root}; give the corpus of the list", id_list, line
                )
        if len(files) > len(names):
            reading.put_aside(
                root, Reason.NOT_LISTED, f"{len(files) - len(names)} files that {Path(id_list).name} lacks"
            )
        files = {name: files[name] for name in names}
    for file in files.values():
        reading.add_whole(file, file.parent.name, "Mandarin")
    return reading.finish()


def read_nsc(
    folder: str | Path,
    set_aside: list[dict] | None = None,
    on_bad: str = "fail",
    speaker: str = NSC_SPEAKER,
    tier: str | None = None,
    utterances: list[Utterance] | None = None,
) -> list[Utterance]:
    """English, intervals of flat ``<name>.wav`` with ``<name>.TextGrid``, less silence.

    speaker: expression that the whole name matches, with a group ``speaker``. tier: the tier to read where a TextGrid
    has several. The last interval is cut at the end of the audio, which a row with the reason ``beyond_audio`` says.
    """
    reading = Reading("nsc", folder, set_aside, on_bad, utterances)
    grids = {path.stem: path for path in sorted(reading.folder.iterdir()) if path.suffix.lower() == ".textgrid"}
    for file, grid in reading.paired(reading.audio(reading.folder, deep=False), grids):
        named = re.fullmatch(speaker, file.stem)
        if named is None:
            raise InputError(f"the name does not match '{speaker}'; set the expression for NSC's speakers", file)
        with reading.quarantined(file):
            length, silence = reading.length_ms(file), []
            for interval in read_one_tier(grid, tier):
                start, end = round(interval.start_s * 1000), round(interval.end_s * 1000)
                if interval.text.strip() in SILENCE:
                    silence.append(end - start)
                    continue
                if start < length < end:
                    reading.put_aside(grid, Reason.BEYOND_AUDIO, "cut at the audio's end", interval.line)
                    end = length
                with reading.quarantined(grid, interval.line):
                    reading.add(file, named["speaker"], (start, end), "English", grid, interval.line)
            reading.put_aside_many(grid, Reason.SILENCE, silence)
    return reading.finish()


def read_seame(
    folder: str | Path,
    set_aside: list[dict] | None = None,
    on_bad: str = "fail",
    utterances: list[Utterance] | None = None,
) -> list[Utterance]:
    """English and Mandarin: ``[data/]{conversation,interview}/{audio/*.flac,transcript/phaseII/*.txt}``.

    A line is id, start and end in ms, EN, ZH or CS, text; lines with code-switches (CS) are set aside, counted by file.
    """
    reading = Reading("seame", folder, set_aside, on_bad, utterances)
    data = reading.folder / "data" if (reading.folder / "data").is_dir() else reading.folder
    parts = [data / part for part in ("conversation", "interview") if (data / part).is_dir()]
    if not parts:
        raise InputError("has no folder conversation or interview, nor data with one of them", folder)
    for part in parts:
        transcripts = {path.stem: path for path in sorted((part / "transcript" / "phaseII").glob("*.txt"))}
        for file, transcript in reading.paired(reading.audio(part / "audio", deep=False), transcripts):
            with reading.quarantined(file):
                _add_transcript(reading, file, transcript)
    return reading.finish()


def _add_transcript(reading: Reading, file: Path, transcript: Path) -> None:
    named = _SEAME_SPEAKER.match(file.stem)
    speaker = named["speaker"] if named else file.stem.split("_")[0]
    reading.length_ms(file)
    switched = []
    for line, content in enumerate(read_lines(transcript), start=1):
        columns = content.split(maxsplit=4)
        if not columns:
            continue
        with reading.quarantined(transcript, line):
            if len(columns) < 4:
                raise InputError(f"{len(columns)} columns; expected id, start, end, language, text", transcript, line)
            name, start, end, language = columns[:4]
            if name.lower() != file.stem.lower():
                reading.put_aside(transcript, Reason.OTHER_RECORDING, "the id is not the file's name", line)
                continue
            times = bounds(start, end, transcript, line)
            if language == "CS":
                switched.append(times[1] - times[0])
            elif language in SEAME_LANGUAGES:
                reading.add(file, speaker, times, SEAME_LANGUAGES[language], transcript, line)
            else:
                raise InputError(f"language '{private(language)}'; expected EN, ZH or CS", transcript, line)
    reading.put_aside_many(transcript, Reason.CODE_SWITCHED, switched)


def read_manifest(
    folder: str | Path,
    set_aside: list[dict] | None = None,
    on_bad: str = "fail",
    corpus: str = "manifest",
    manifest: str = "manifest.csv",
    utterances: list[Utterance] | None = None,
) -> list[Utterance]:
    """Any corpus: a table in the folder with the columns of MANIFEST_COLUMNS, paths relative to the folder.

    Raises InputError for a path that is absolute or leaves the folder, also through a link.
    """
    reading = Reading(corpus, folder, set_aside, on_bad, utterances)
    table = reading.folder / manifest
    for line, row in read_table(table, MANIFEST_COLUMNS):
        with reading.quarantined(table, line):
            for column, value in row.items():
                if not value:
                    raise InputError(f"{column} is empty; give a value", table, line)
            if row["language"] not in TARGETS:
                hint = nearest(row["language"], TARGETS)
                raise InputError(f"language '{private(row['language'])}' is not known; {hint}", table, line)
            file, times = (
                _file_inside(reading.folder, row["path"], table, line),
                bounds(row["start_ms"], row["end_ms"], table, line),
            )
            reading.add(file, row["speaker"], times, row["language"], table, line, row["recording"])
    return reading.finish()


READERS: dict[str, Callable[..., list[Utterance]]] = {
    "librispeech": read_librispeech,
    "aishell": read_aishell,
    "nsc": read_nsc,
    "seame": read_seame,
    "manifest": read_manifest,
}


def read_training(
    reader: str, corpus: str, files: Mapping[str, str], on_bad: str, written: Callable[[list[dict]], None]
) -> tuple[int, list[dict]]:
    """How many utterances a training corpus has, and rows of ``set_aside``.

    files: its audio folder, and list of ids, if any. written: takes rows of ``merlion_training``, some at a time.
    InputError for what can't be read, where ``on_bad`` is not quarantine.
    """
    set_aside: list[dict] = []
    utterances = Growing(lambda some: written(rows_of(UTTERANCES, some, corpus=corpus)))
    options = {"id_list": files["ids"]} if "ids" in files else {}
    READERS[reader](files["audio"], set_aside=set_aside, on_bad=on_bad, utterances=utterances, **options)
    utterances.finish()
    return len(utterances), [row | {"task": "merlion", "corpus": corpus} for row in set_aside]


def _file_inside(folder: Path, text: str, manifest: Path, line: int) -> Path:
    path = inside(folder, text, manifest, line)
    if not path.is_file():
        raise InputError(f"path '{private(text)}' names no file in {folder}", manifest, line)
    return path
