"""Read a MERLIon corpus: recordings, annotations, redactions and evaluated regions, checked against the audio."""

import os
from collections.abc import Mapping
from dataclasses import asdict

from sinobench.failures import job
from sinobench.merlion.annotation.corpus import read_corpus
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
        "merlion_recordings": ("recordings", recordings),
        "merlion_raw_grains": ("raw_grains", map(asdict, found.grains)),
        "merlion_segments": ("segments", map(asdict, found.segments)),
        "merlion_redactions": ("redactions", map(asdict, found.redactions)),
        "merlion_regions": ("regions", [asdict(row) | {"protocol": "official"} for row in found.regions]),
        "set_aside": ("set_aside", [row | {"task": "merlion"} for row in found.set_aside]),
    }
    for table, (part, rows) in parts.items():
        known = tables.TABLES[table]
        rows = [{name: value for name, value in row.items() if name in known} | {"corpus": corpus} for row in rows]
        tables.write(table, rows, output[part])
    print(f"{corpus}: {len(recordings)} recordings, {len(found.set_aside)} set aside")


if __name__ == "__main__":
    with job(snakemake):
        files, output = dict(snakemake.input.items()), dict(snakemake.output.items())
        params = snakemake.params
        main(snakemake.wildcards.corpus, params.role, files, params.on_bad_recording, output)
