"""Take the turns of language diarization out of the segments of a MERLIon corpus."""

from sinobench.failures import job
from sinobench.ld.tables import TURNS, Turn
from sinobench.ld.turns import target_turns
from sinobench.results import tables


def main(corpus: str, segments: str, path: str) -> None:
    """Write the table ``ld_turns``: English and Mandarin segments, overlapping ones too, by recording and time."""
    turns = target_turns(tables.objects(Turn, segments))
    tables.write(TURNS, tables.rows_of(TURNS, turns, corpus=corpus), path)
    print(f"{len(turns)} turns")


if __name__ == "__main__":
    with job(snakemake):
        main(corpus=snakemake.wildcards.corpus, segments=snakemake.input.segments, path=snakemake.output[0])
