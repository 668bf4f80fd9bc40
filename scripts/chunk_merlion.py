"""Cut the segments of a shard's recordings into chunks of at most 3 s."""

from collections import defaultdict

from sinobench.failures import job
from sinobench.merlion.annotation.labels import Timestamp, segment_id
from sinobench.merlion.audio.chunk import PRESETS, chunk_bounds, cut
from sinobench.merlion.audio.shards import ROWS_A_GROUP, Writer, audio_of, binary
from sinobench.merlion.audio.tables import CHUNKS
from sinobench.merlion.audio.wav import RATE_HZ
from sinobench.merlion.languages import is_trial
from sinobench.results import tables

IDENTITY = ("recording", "utt_id", "start_ms", "end_ms")


def main(masked: str, audio: str, originals: str, segments: str, chunks: dict, path: str) -> None:
    """Write ``merlion_chunks``: of each Task 1 segment, or each of an evaluation set, the samples by chunk.

    Task 1 has the English and Mandarin segments that overlap no other language.
    """
    options = PRESETS.get(chunks["preset"]) or {name: value for name, value in chunks.items() if name != "preset"}
    of_recording = defaultdict(list)
    for row in tables.read(segments).to_pylist():
        if row["language"] is None or is_trial(row["language"], row["overlap_diff_lang"]):
            of_recording[row["recording"]].append(row)
    with Writer(path, CHUNKS) as writer:
        for recording in tables.read(masked).to_pylist():
            name = recording["recording"]
            rows = [chunk for row in of_recording[name] for chunk in chunks_of(row, recording["n_samples"], options)]
            for first in range(0, len(rows), ROWS_A_GROUP):
                group = rows[first : first + ROWS_A_GROUP]
                bounds = [(row["start_sample"], row["end_sample"]) for row in group]
                samples, offsets = cut(audio_of(recording, originals, audio), bounds)
                columns = {column: [row[column] for row in group] for column in group[0]}
                common = {"corpus": recording["corpus"], "recording": name, "sample_rate_hz": RATE_HZ}
                writer.write(columns | common | {"audio": binary(samples, offsets)})


def chunks_of(segment: dict, n_samples: int, options: dict) -> list[dict]:
    """Rows of the chunks of one segment, without their audio."""
    # Annotations round the end of the audio up to a whole millisecond.
    start, stop = (min(segment[time] * RATE_HZ // 1000, n_samples) for time in ("start_ms", "end_ms"))
    name = segment_id(Timestamp(*map(segment.get, IDENTITY)))
    return [
        {"segment_id": name, "chunk": i, "start_sample": a, "end_sample": b}
        for i, (a, b) in enumerate(chunk_bounds(start, stop, RATE_HZ, **options))
    ]


if __name__ == "__main__":
    with job(snakemake):
        input = snakemake.input
        main(input.masked, input.audio, input.originals, input.segments, snakemake.params.chunks, snakemake.output[0])
