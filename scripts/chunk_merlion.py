"""Cut the segments of a shard's recordings into chunks of at most 3 s."""

from collections import defaultdict

from sinobench.log import job_log
from sinobench.merlion.chunk import BASELINE, chunk_bounds, cut
from sinobench.merlion.labels import Timestamp, segment_id
from sinobench.merlion.shards import Writer, lists
from sinobench.results import tables

TARGETS = ("English", "Mandarin")
IDENTITY = ("recording", "utt_id", "start_ms", "end_ms")


def main(masked: str, segments: str, chunks: dict, path: str) -> None:
    """Write ``merlion_chunks``: of each Task 1 segment, or each of an evaluation set, the samples by chunk.

    Task 1 has the English and Mandarin segments that overlap no other language.
    """
    options = dict(BASELINE) if chunks["preset"] == "baseline" else {k: v for k, v in chunks.items() if k != "preset"}
    of_recording = defaultdict(list)
    for row in tables.read(segments).to_pylist():
        if row["language"] is None or (row["language"] in TARGETS and not row["overlap_diff_lang"]):
            of_recording[row["recording"]].append(row)
    rate = 32_000
    with Writer(path, "merlion_chunks") as writer:
        for recording in tables.read(masked).to_pylist():
            ids, numbers, languages, bounds = [], [], [], []
            for row in of_recording[recording["recording"]]:
                # Annotations round the end of the audio up to a whole millisecond.
                start, stop = (min(row[name] * rate // 1000, recording["n_samples"]) for name in ("start_ms", "end_ms"))
                found = chunk_bounds(start, stop, rate, **options)
                bounds += found
                numbers += range(len(found))
                ids += [segment_id(Timestamp(*map(row.get, IDENTITY)))] * len(found)
                languages += [row["language"]] * len(found)
            if not bounds:
                continue
            samples, offsets = cut(recording["path"], bounds)
            writer.write(
                {
                    "corpus": recording["corpus"],
                    "recording": recording["recording"],
                    "segment_id": ids,
                    "chunk": numbers,
                    "start_sample": [start for start, _ in bounds],
                    "end_sample": [stop for _, stop in bounds],
                    "sample_rate_hz": rate,
                    "language": languages,
                    "audio": lists(samples, offsets),
                }
            )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        input = snakemake.input
        main(input.masked, input.segments, snakemake.params.chunks, snakemake.output[0])
