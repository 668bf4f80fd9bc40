"""The chunks of a shard: cut from its recordings into a Parquet file, and as WAV files of their own."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from sinobench.merlion.annotation.labels import segment_id
from sinobench.merlion.audio.chunk import PRESETS, chunk_bounds, cut
from sinobench.merlion.audio.shards import ROWS_A_GROUP, Writer, audio_of, binary, samples_of
from sinobench.merlion.audio.tables import CHUNKS
from sinobench.merlion.audio.wav import RATE_HZ
from sinobench.merlion.languages import is_trial
from sinobench.merlion.tables import Segment
from sinobench.results import tables


def write_chunks(
    masked: Iterable[Mapping],
    segments: Iterable[Segment],
    originals: str | Path,
    audio: str | Path,
    chunks: Mapping,
    path: str | Path,
) -> None:
    """Write ``merlion_chunks``: of each trial of Task 1, or each segment of an evaluation set, the samples by chunk.

    masked: rows of ``merlion_masked``, of the shard; segments: of the corpus. originals and
    audio: the folders of the corpus's audio and of the shard's masked audio. chunks: the config's entry. Memory follows
    the row group.
    """
    options = PRESETS.get(chunks["preset"]) or {name: value for name, value in chunks.items() if name != "preset"}
    of_recording = defaultdict(list)
    for segment in segments:
        if segment.language is None or is_trial(segment.language, segment.overlap_diff_lang):
            of_recording[segment.recording].append(segment)
    with Writer(path, CHUNKS) as writer:
        for recording in masked:
            name = recording["recording"]
            rows = [chunk for each in of_recording[name] for chunk in _chunks(each, recording["n_samples"], options)]
            for first in range(0, len(rows), ROWS_A_GROUP):
                group = rows[first : first + ROWS_A_GROUP]
                bounds = [(row["start_sample"], row["end_sample"]) for row in group]
                samples, offsets = cut(audio_of(recording, originals, audio), bounds)
                columns = {column: [row[column] for row in group] for column in group[0]}
                common = {"corpus": recording["corpus"], "recording": name, "sample_rate_hz": RATE_HZ}
                writer.write(columns | common | {"audio": binary(samples, offsets)})


def export_wav(chunks: str | Path, folder: str | Path) -> None:
    """Write each chunk as ``<segment id>_<chunk>.wav``, 16-bit mono at the audio's own rate."""
    import soundfile

    Path(folder).mkdir(parents=True)
    for table in tables.row_groups(chunks):
        samples, offsets = samples_of(table)
        for row, bounds in zip(table.drop("audio").to_pylist(), pairwise(offsets.tolist()), strict=True):
            name = f"{row['segment_id']}_{row['chunk']}.wav"
            soundfile.write(Path(folder, name), samples[slice(*bounds)], row["sample_rate_hz"], subtype="PCM_16")


def _chunks(segment: Segment, n_samples: int, options: Mapping) -> Iterator[dict]:
    """Rows of the chunks of one segment, without their audio."""
    # Annotations round the end of the audio up to a whole millisecond.
    start, stop = (min(ms * RATE_HZ // 1000, n_samples) for ms in (segment.start_ms, segment.end_ms))
    name = segment_id(segment)
    for i, (a, b) in enumerate(chunk_bounds(start, stop, RATE_HZ, **options)):
        yield {"segment_id": name, "chunk": i, "start_sample": a, "end_sample": b}
