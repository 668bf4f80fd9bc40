"""Prove that the features of a shard are librosa's, on some of its chunks."""

from sinobench.failures import job
from sinobench.merlion.audio.feature_proof import prove_file
from sinobench.merlion.audio.tables import FEATURE_PROOFS
from sinobench.results import tables


def main(corpus: str, shard: int, seed: int, chunks: str, features: str, proofs: str) -> None:
    """Write ``merlion_feature_proofs``; InputError for features of other chunks, and for others than librosa's."""
    proof = prove_file(chunks, features, seed)
    print(f"{corpus}, shard {shard}: {proof}")
    tables.write(FEATURE_PROOFS, [{"corpus": corpus, "shard": shard} | vars(proof)], proofs)


if __name__ == "__main__":
    with job(snakemake):
        main(
            corpus=snakemake.wildcards.corpus,
            shard=int(snakemake.wildcards.shard),
            seed=snakemake.params.seed,
            chunks=snakemake.input.chunks,
            features=snakemake.input.features,
            proofs=snakemake.output[0],
        )
