"""Features of a shard of a partition's training speech."""

from sinobench.failures import job
from sinobench.merlion.training.features import write_chunks
from sinobench.results import tables


def main(partition: str, folders: dict[str, str], shard: int, n_shards: int, out: str) -> None:
    """Write ``features.npy`` and ``chunks.parquet`` of the shard's speakers; folders: the audio of each corpus."""
    write_chunks(tables.read(partition), folders, out, shard, n_shards)


if __name__ == "__main__":
    with job(snakemake, folders=["features"]):
        main(
            partition=snakemake.input.utterances,
            folders=dict(zip(snakemake.params.corpora, snakemake.input.audio, strict=True)),
            shard=int(snakemake.wildcards.shard),
            n_shards=snakemake.params.shards,
            out=snakemake.output[0],
        )
