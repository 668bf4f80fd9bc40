"""Read a MERLIon corpus: recordings, annotations, redactions and evaluated regions, checked against the audio."""

import os
from collections.abc import Mapping
from dataclasses import asdict

from sinobench.failures import job
from sinobench.merlion.annotation.corpus import read_corpus
from sinobench.merlion.tables import RAW_GRAINS, RECORDINGS, REDACTIONS, REGIONS, SEGMENTS
from sinobench.merlion.training.partitions import pair_of
from sinobench.results import tables


def main(corpus: str, role: str, files: Mapping[str, str], on_bad_recording: str, output: Mapping[str, str]) -> None:
    """Write the tables of one corpus, by part."""
    found = read_corpus(files, on_bad_recording, evaluation=role == "submission")
    recordings = [
        {
            "recording": name,
            "pair": pair_of(name),
            "form": found.form[name],
            "path": os.path.relpath(audio.path, files["audio"]),
            "sample_rate_hz": audio.sample_rate_hz,
            "n_samples": audio.n_samples,
            "duration_ms": audio.duration_ms,
        }
        for name, audio in found.audio.items()
    ]
    parts = {
        "recordings": (RECORDINGS, recordings),
        "raw_grains": (RAW_GRAINS, map(asdict, found.grains)),
        "segments": (SEGMENTS, map(asdict, found.segments)),
        "redactions": (REDACTIONS, map(asdict, found.redactions)),
        "regions": (REGIONS, [asdict(row) | {"protocol": "official"} for row in found.regions]),
        "set_aside": (tables.SET_ASIDE, [row | {"task": "merlion"} for row in found.set_aside]),
    }
    for part, (table, rows) in parts.items():
        tables.write(table, [row | {"corpus": corpus} for row in tables.part(table, list(rows))], output[part])
    print(f"{corpus}: {len(recordings)} recordings, {len(found.set_aside)} set aside")


if __name__ == "__main__":
    with job(snakemake):
        files, output = dict(snakemake.input.items()), dict(snakemake.output.items())
        params = snakemake.params
        main(snakemake.wildcards.corpus, params.role, files, params.on_bad_recording, output)
