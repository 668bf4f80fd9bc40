"""Read a training corpus in its own layout."""

from collections.abc import Mapping
from dataclasses import asdict

from sinobench.failures import job
from sinobench.merlion.training.corpora import READERS
from sinobench.merlion.training.tables import UTTERANCES
from sinobench.results import tables


def main(
    corpus: str, reader: str, files: Mapping[str, str], on_bad_recording: str, utterances: str, set_aside: str
) -> None:
    """Write ``merlion_training`` and ``set_aside``."""
    aside: list[dict] = []
    options = {"id_list": files["ids"]} if "ids" in files else {}
    found = READERS[reader](files["audio"], set_aside=aside, on_bad=on_bad_recording, **options)
    tables.write(UTTERANCES, [asdict(row) | {"corpus": corpus} for row in found], utterances)
    tables.write(tables.SET_ASIDE, [row | {"task": "merlion", "corpus": corpus} for row in aside], set_aside)
    print(f"{corpus}: {len(found)} utterances, {len(aside)} set aside")


if __name__ == "__main__":
    with job(snakemake):
        params, output = snakemake.params, snakemake.output
        files = dict(snakemake.input.items())
        main(
            snakemake.wildcards.corpus,
            params.reader,
            files,
            params.on_bad_recording,
            output.utterances,
            output.set_aside,
        )
