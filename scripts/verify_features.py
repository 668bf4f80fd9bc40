"""Prove that the features of a shard are librosa's, on some of its chunks."""

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np
import pyarrow.parquet as pq

from sinobench.errors import InputError
from sinobench.log import job_log
from sinobench.merlion.feature_proof import prove
from sinobench.merlion.shards import features_of, samples_of
from sinobench.results import tables

KEY = ["corpus", "segment_id", "chunk"]


def main(corpus: str, shard: int, seed: int, chunks: str, features: str, proofs: str) -> None:
    """Write ``merlion_feature_proofs``; InputError for features of other chunks, and for others than librosa's."""
    audio, found = pq.ParquetFile(chunks), pq.ParquetFile(features)
    if not audio.read(KEY).equals(found.read(KEY)):
        raise InputError(f"are not features of the chunks in {chunks}; compute them again", features)
    bounds = audio.read(["start_sample", "end_sample"])
    lengths = bounds["end_sample"].to_numpy() - bounds["start_sample"].to_numpy()
    try:
        proof = prove(lengths, seed, lambda indices: _chunks(audio, found, indices))
    except InputError as error:
        raise InputError(str(error), features) from None
    print(f"{corpus}, shard {shard}: {proof}")
    tables.write("merlion_feature_proofs", [{"corpus": corpus, "shard": shard} | asdict(proof)], proofs)


def _chunks(
    audio: pq.ParquetFile, features: pq.ParquetFile, indices: np.ndarray
) -> Iterator[tuple[str, np.ndarray, int, np.ndarray]]:
    starts = np.cumsum([0, *(audio.metadata.row_group(i).num_rows for i in range(audio.num_row_groups))])
    for group in range(audio.num_row_groups):
        mine = indices[(indices >= starts[group]) & (indices < starts[group + 1])] - starts[group]
        if len(mine):
            table = audio.read_row_group(group)
            (samples, at), (values, frames) = samples_of(table), features_of(features.read_row_group(group))
            for i in mine.tolist():
                name = f"segment '{table['segment_id'][i]}', chunk {table['chunk'][i]}"
                rate = table["sample_rate_hz"][i].as_py()
                yield name, samples[at[i] : at[i + 1]], rate, values[frames[i] : frames[i + 1]]


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        input, wildcards = snakemake.input, snakemake.wildcards
        seed = snakemake.params.seed
        main(wildcards.corpus, int(wildcards.shard), seed, input.chunks, input.features, snakemake.output[0])
