"""Prove that the features of a shard are librosa's, on some of its chunks."""

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np

from sinobench.errors import InputError
from sinobench.failures import job
from sinobench.merlion.audio.feature_proof import prove
from sinobench.merlion.audio.shards import features_of, samples_of
from sinobench.merlion.audio.tables import FEATURE_PROOFS
from sinobench.results import tables

KEY = ["corpus", "segment_id", "chunk"]


def main(corpus: str, shard: int, seed: int, chunks: str, features: str, proofs: str) -> None:
    """Write ``merlion_feature_proofs``; InputError for features of other chunks, and for others than librosa's."""
    rows = tables.read(chunks, [*KEY, "start_sample", "end_sample"])
    if not rows.select(KEY).equals(tables.read(features, KEY)):
        raise InputError(f"are not features of the chunks in {chunks}; compute them again", features)
    lengths = rows["end_sample"].to_numpy() - rows["start_sample"].to_numpy()
    try:
        proof = prove(lengths, seed, lambda indices: _chunks(chunks, features, indices))
    except InputError as error:
        raise InputError(str(error), features) from None
    print(f"{corpus}, shard {shard}: {proof}")
    tables.write(FEATURE_PROOFS, [{"corpus": corpus, "shard": shard} | asdict(proof)], proofs)


def _chunks(chunks: str, features: str, indices: np.ndarray) -> Iterator[tuple[str, np.ndarray, int, np.ndarray]]:
    first = 0
    for table, found in zip(tables.row_groups(chunks), tables.row_groups(features), strict=True):
        (samples, at), (values, frames) = samples_of(table), features_of(found)
        for i in (indices[(indices >= first) & (indices < first + len(table))] - first).tolist():
            rate = table["sample_rate_hz"][i].as_py()
            yield f"row {first + i + 1}", samples[at[i] : at[i + 1]], rate, values[frames[i] : frames[i + 1]]
        first += len(table)


if __name__ == "__main__":
    with job(snakemake):
        input, wildcards = snakemake.input, snakemake.wildcards
        seed = snakemake.params.seed
        main(wildcards.corpus, int(wildcards.shard), seed, input.chunks, input.features, snakemake.output[0])
