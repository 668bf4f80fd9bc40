"""Evaluated regions of a corpus under both protocols, and what the plan's protocol takes out of them."""

from collections import defaultdict

from sinobench.failures import job
from sinobench.merlion.annotation.corpus import LABELLED
from sinobench.merlion.annotation.regions import strict_regions
from sinobench.merlion.tables import REGIONS, SUBTRACTIONS
from sinobench.results import tables


def main(
    corpus: str,
    recordings: str,
    regions: str,
    redactions: str,
    segments: str,
    tone: list[str],
    output: str,
    subtractions: str,
) -> None:
    """Write ``merlion_regions`` and ``merlion_subtractions``.

    A corpus without a table of regions is evaluated in full, as is each unlabelled recording that the table lacks. Tone
    that no redaction mentions counts as redacted.
    """
    masks, other, official = spans(redactions), defaultdict(list), spans(regions)
    for path in tone:
        for name, found in spans(path).items():
            masks[name] += found
    for row in tables.read(segments).to_pylist():
        if row["language"] == "NON_EVALUATED":
            other[row["recording"]].append((row["start_ms"], row["end_ms"]))
    all_recordings = tables.read(recordings).to_pylist()
    region_rows, subtraction_rows = [], []
    for row in all_recordings:
        name = row["recording"]
        evaluated = official.get(name)
        if not evaluated and (not official or row["form"] not in LABELLED):
            evaluated = [(0, row["duration_ms"])]
        kept, pieces = strict_regions(evaluated, masks[name], other[name]) if evaluated else ([], [])
        key = {"corpus": corpus, "recording": name}
        for protocol, intervals in (("official", evaluated or []), ("strict", kept)):
            region_rows += [
                key | {"protocol": protocol, "start_ms": int(start), "end_ms": int(end)} for start, end in intervals
            ]
        subtraction_rows += [key | {"start_ms": a, "end_ms": b, "reason": reason} for a, b, reason in pieces]
    tables.write(REGIONS, region_rows, output)
    tables.write(SUBTRACTIONS, subtraction_rows, subtractions)


def spans(path: str) -> defaultdict[str, list[tuple[int, int]]]:
    """(start_ms, end_ms) of a table by recording."""
    found = defaultdict(list)
    for row in tables.read(path).to_pylist():
        found[row["recording"]].append((row["start_ms"], row["end_ms"]))
    return found


if __name__ == "__main__":
    with job(snakemake):
        input, output = snakemake.input, snakemake.output
        files = (input.recordings, input.regions, input.redactions, input.segments, list(input.tone))
        main(snakemake.wildcards.corpus, *files, output.regions, output.subtractions)
