"""Take the turns of language diarization out of the segments of a MERLIon corpus."""

from sinobench.failures import job
from sinobench.ld.tables import TURNS, Turn
from sinobench.ld.turns import target_turns
from sinobench.results import tables
from sinobench.results.tables import columns_of


def main(corpus: str, segments: str, turns: str) -> None:
    """Write the table ``ld_turns``."""
    reference = target_turns(tables.read(segments, list(columns_of(Turn)), ["recording", "language"]))
    columns = {name: reference[name] for name in reference.column_names}
    tables.write(TURNS, columns | {"corpus": corpus}, turns)
    print(f"{reference.num_rows} turns")


if __name__ == "__main__":
    with job(snakemake):
        main(corpus=snakemake.wildcards.corpus, segments=snakemake.input.segments, turns=snakemake.output.turns)
