"""Prove that the training features of a shard are librosa's, on some of its chunks."""

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np

from sinobench.errors import InputError
from sinobench.failures import job
from sinobench.merlion.audio.feature_proof import prove
from sinobench.merlion.audio.tables import FEATURE_PROOFS
from sinobench.merlion.training.features import open_chunks, read_chunk
from sinobench.results import tables


def main(
    partition: str, shard: int, seed: int, utterances: str, audio: dict[str, str], features: str, proofs: str
) -> None:
    """Write ``merlion_feature_proofs``; audio: the folder of each corpus. InputError for others than librosa's."""
    data, rows = open_chunks([features]), tables.read(utterances)

    def chunks(indices: np.ndarray) -> Iterator[tuple[str, np.ndarray, int, np.ndarray]]:
        for i in indices.tolist():
            row = rows.slice(int(data.utterance[i]), 1).to_pylist()[0]
            number = int(i - np.searchsorted(data.utterance, data.utterance[i]))
            samples, rate = read_chunk(audio[row["corpus"]], row, number)
            yield f"utterance {data.utterance[i]} of '{partition}', chunk {number}", samples, rate, data.features(i)

    try:
        proof = prove(data.n_frames, seed, chunks)
    except InputError as error:
        raise InputError(str(error), features) from None
    print(f"{partition}, shard {shard}: {proof}")
    tables.write(FEATURE_PROOFS, [{"partition": partition, "shard": shard} | asdict(proof)], proofs)


if __name__ == "__main__":
    with job(snakemake):
        input, params, wildcards = snakemake.input, snakemake.params, snakemake.wildcards
        audio = dict(zip(params.corpora, input.audio, strict=True))
        shard = int(wildcards.shard)
        main(wildcards.partition, shard, params.seed, input.utterances, audio, input.features, snakemake.output[0])
