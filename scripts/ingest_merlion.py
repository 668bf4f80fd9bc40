"""Read a MERLIon corpus: recordings, annotations, redactions and evaluated regions, checked against the audio."""

from collections.abc import Mapping

from sinobench.failures import job
from sinobench.merlion.annotation.corpus import read_corpus
from sinobench.merlion.annotation.rows import corpus_rows
from sinobench.results import tables


def main(corpus: str, role: str, files: Mapping[str, str], on_bad_recording: str, output: Mapping[str, str]) -> None:
    """Write the tables of one corpus, by part."""
    read = read_corpus(files, on_bad_recording, evaluation=role == "submission")
    for part, (table, rows) in corpus_rows(corpus, read, files["audio"]).items():
        tables.write(table, rows, output[part])
    print(f"{corpus}: {len(read.audio)} recordings, {len(read.set_aside)} set aside")


if __name__ == "__main__":
    with job(snakemake):
        main(
            corpus=snakemake.wildcards.corpus,
            role=snakemake.params.role,
            files=dict(snakemake.input.items()),
            on_bad_recording=snakemake.params.on_bad_recording,
            output=dict(snakemake.output.items()),
        )
