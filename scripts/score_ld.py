"""Score the language turns that a model predicts for a MERLIon corpus under both protocols."""

import numpy as np

from sinobench.errors import InputError
from sinobench.failures import job
from sinobench.ld import breakdown
from sinobench.ld.tables import COLLARS, RECORDINGS, SWITCHES
from sinobench.ld.turns import TurnTable, turn_table
from sinobench.merlion.tables import LABELLED
from sinobench.results import tables

COLUMNS = ("recording", "start_ms", "end_ms", "language")


def main(
    corpus: str, model: str, recordings: str, turns: str, regions: str, predictions: list[str], output: dict[str, str]
) -> None:
    """Write ``ld_recordings``, ``ld_collars``, ``ld_switches`` and ``metrics``; predictions: the files of its shards.

    Recordings without labels (of an evaluation set) are not scored. Raises InputError where a labelled recording has no
    evaluated region, and where turns or predictions are of a recording that the corpus does not have.
    """
    known = tables.read(recordings).to_pydict()
    labelled = [name for name, form in zip(known["recording"], known["form"], strict=True) if form in LABELLED]
    if not labelled:
        raise InputError(f"corpus '{corpus}' has no labelled recording; score a corpus with labels")
    evaluated = tables.read(regions).to_pydict()
    spans = {protocol: region_spans(evaluated, protocol, labelled) for protocol in ("official", "strict")}
    if without := sorted(set(range(len(labelled))) - set(spans["official"][:, 0].tolist())):
        raise InputError(f"'{labelled[without[0]]}' of '{corpus}' has no evaluated region ({len(without)} such)")
    unlabelled = set(known["recording"]) - set(labelled)
    sides = (turns_of(tables.read_rows(paths), labelled, unlabelled) for paths in ([turns], predictions))
    scores = breakdown.score(*sides, spans["official"], spans["strict"])
    key = {"corpus": corpus, "model": model}
    tables.write(RECORDINGS, key | breakdown.recording_columns(scores), output["recordings"])
    tables.write(COLLARS, [key | row for row in breakdown.collar_rows(scores)], output["collars"])
    tables.write(SWITCHES, key | breakdown.switch_columns(scores), output["switches"])
    rows = [{"task": "ld"} | key | row for row in breakdown.metric_rows(scores)]
    tables.write(tables.METRICS, rows, output["metrics"])
    for row in rows:
        if row["value"] is None:
            print(
                f"{corpus}, {model}: {row['protocol']} {row['metric']} ({row['subset']}) is undefined: nothing to count"
            )


def turns_of(rows: list[dict], recordings: list[str], ignored: set[str]) -> TurnTable:
    """The turns of a table's rows but those of ignored recordings."""
    kept = [row for row in rows if row["recording"] not in ignored]
    return turn_table(recordings, *([row[name] for row in kept] for name in COLUMNS))


def region_spans(columns: dict[str, list], protocol: str, recordings: list[str]) -> np.ndarray:
    """(m, 3) spans of one protocol's regions of the recordings."""
    place = {name: number for number, name in enumerate(recordings)}
    rows = zip(columns["recording"], columns["protocol"], columns["start_ms"], columns["end_ms"], strict=True)
    kept = [(place[name], start, end) for name, each, start, end in rows if each == protocol and name in place]
    return np.array(kept, np.int64).reshape(-1, 3)


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        input, wildcards = snakemake.input, snakemake.wildcards
        files = (input.recordings, input.turns, input.regions, list(input.predictions))
        main(wildcards.corpus, wildcards.model, *files, dict(snakemake.output.items()))
