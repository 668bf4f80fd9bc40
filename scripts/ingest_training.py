"""Read a training corpus in its own layout."""

from collections.abc import Mapping

from sinobench.failures import job
from sinobench.merlion.training.corpora import read_training
from sinobench.merlion.training.tables import UTTERANCES
from sinobench.results import tables


def main(
    corpus: str, reader: str, files: Mapping[str, str], on_bad_recording: str, utterances: str, set_aside: str
) -> None:
    """Write ``merlion_training`` and ``set_aside``."""
    with tables.Writer(UTTERANCES, utterances) as writer:
        n, aside = read_training(reader, corpus, files, on_bad_recording, writer.write)
    tables.write(tables.SET_ASIDE, aside, set_aside)
    print(f"{corpus}: {n} utterances, {len(aside)} set aside")


if __name__ == "__main__":
    with job(snakemake):
        main(
            corpus=snakemake.wildcards.corpus,
            reader=snakemake.params.reader,
            files=dict(snakemake.input.items()),
            on_bad_recording=snakemake.params.on_bad_recording,
            utterances=snakemake.output.utterances,
            set_aside=snakemake.output.set_aside,
        )
