"""Raw annotation as one flat table."""

from collections import defaultdict
from pathlib import Path

from sinobench.errors import InputError, private
from sinobench.merlion.annotation.grains import RawRecording, known_language, ordered
from sinobench.merlion.annotation.tables import bounds, read_table, recording_name
from sinobench.merlion.tables import Grain


def read_flat(path: str | Path) -> dict[str, RawRecording]:
    """Recordings by name from a table audio_name, speaker, utterance, grain, start, end, language, text (CSV or XLSX).

    Without a speaker column ``speaker`` is None. An utterance's name is unique within its speaker. Redactions stand in
    a table of their own. Raises InputError with the row for a wrong name or time, an unknown language tag, a grain that
    stands twice, grains of an utterance with a gap or an overlap between them, and a table without rows.
    """
    path = Path(path)
    columns = ("audio_name", "utterance", "grain", "start", "end", "language", "text")
    grains: dict[str, list[Grain]] = defaultdict(list)
    first: dict[tuple[str, str | None, str, str], int] = {}
    for row, cells in read_table(path, columns, optional=("speaker",)):
        for name in ("speaker", "utterance", "grain"):
            if not cells.get(name, "-"):
                raise InputError(f"{name} is blank; name it", path, row)
        recording, speaker = recording_name(cells["audio_name"], path, row), cells.get("speaker")
        key = recording, speaker, cells["utterance"], cells["grain"]
        if first.setdefault(key, row) != row:
            message = (
                f"grain '{private(key[3])}' of utterance '{private(key[2])}' stands twice, first on line {first[key]}"
            )
            raise InputError(message, path, row)
        span = bounds(cells["start"], cells["end"], path, row)
        language = known_language(cells["language"], path, row)
        grains[recording].append(Grain(recording, speaker, key[2], *span, language, cells["text"], row))
    if not grains:
        raise InputError("has a header and no grain below it; give the rows too", path)
    for of_recording in grains.values():
        _check_utterances(of_recording, path)
    return {recording: RawRecording(recording, ordered(grains[recording])) for recording in sorted(grains)}


def _check_utterances(grains: list[Grain], file: Path) -> None:
    reached: dict[tuple[str | None, str], int] = {}
    for grain in ordered(grains):
        utterance = grain.speaker, grain.utterance
        expected = reached.get(utterance, grain.start_ms)
        if grain.start_ms != expected:
            raise InputError(
                f"grain {private(grain.start_ms, grain.end_ms)} of utterance '{private(grain.utterance)}' does not "
                f"follow on {private(expected)}; the grains of an utterance must divide it without gaps",
                file,
                grain.row,
            )
        reached[utterance] = grain.end_ms
