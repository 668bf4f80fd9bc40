"""Take the turns of language diarization out of the segments of a MERLIon corpus."""

from sinobench.failures import job
from sinobench.ld.tables import TURNS
from sinobench.merlion.languages import TARGETS
from sinobench.results import tables


def main(segments: str, path: str) -> None:
    """Write the table ``ld_turns``: English and Mandarin segments, overlapping ones too, by recording and time."""
    rows = tables.part(TURNS, [row for row in tables.read(segments).to_pylist() if row["language"] in TARGETS])
    rows.sort(key=lambda row: (row["recording"], row["start_ms"], row["end_ms"], row["language"]))
    tables.write(TURNS, rows, path)
    print(f"{len(rows)} turns")


if __name__ == "__main__":
    with job(snakemake):
        main(snakemake.input.segments, snakemake.output[0])
