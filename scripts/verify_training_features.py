"""Prove that the training features of a shard are librosa's, on some of its chunks."""

from sinobench.failures import job
from sinobench.merlion.audio.tables import FEATURE_PROOFS
from sinobench.merlion.training.feature_proof import prove_training
from sinobench.results import tables


def main(
    partition: str, shard: int, seed: int, utterances: str, audio: dict[str, str], features: str, proofs: str
) -> None:
    """Write ``merlion_feature_proofs``; audio: the folder of each corpus. InputError for others than librosa's."""
    proof = prove_training(tables.read(utterances), audio, features, partition, seed)
    print(f"{partition}, shard {shard}: {proof}")
    tables.write(FEATURE_PROOFS, [{"partition": partition, "shard": shard} | vars(proof)], proofs)


if __name__ == "__main__":
    with job(snakemake):
        main(
            partition=snakemake.wildcards.partition,
            shard=int(snakemake.wildcards.shard),
            seed=snakemake.params.seed,
            utterances=snakemake.input.utterances,
            audio=dict(zip(snakemake.params.corpora, snakemake.input.audio, strict=True)),
            features=snakemake.input.features,
            proofs=snakemake.output[0],
        )
