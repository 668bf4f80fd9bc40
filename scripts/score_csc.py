"""Score the predictions of a spelling-check model on a corpus under both protocols."""

from sinobench.csc import breakdown
from sinobench.csc.pairs import official_start
from sinobench.csc.tables import EDITS, OUTCOMES
from sinobench.failures import job
from sinobench.results import tables


def main(
    corpus: str, model: str, ignored: str, items: str, predictions: str, outcomes: str, edits: str, metrics: str
) -> None:
    """Write the tables ``csc_outcomes``, ``csc_edits`` and ``metrics``."""
    item_table, predicted = tables.read(items).to_pydict(), tables.read(predictions).to_pydict()
    columns = (item_table["input"], item_table["golds"], predicted["prediction"])
    start = official_start(item_table["line"][0], item_table["input"][0])
    key = {"corpus": corpus, "model": model}
    tables.write(OUTCOMES, key | breakdown.outcome_columns(item_table["item_id"], *columns, start), outcomes)
    tables.write(EDITS, key | breakdown.edit_columns(item_table["item_id"], *columns), edits)
    rows = breakdown.metric_rows(*columns, ignored, start)
    tables.write(tables.METRICS, [{"task": "csc"} | key | row for row in rows], metrics)


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        input, output, wildcards = snakemake.input, snakemake.output, snakemake.wildcards
        files = (input.item_table, input.predictions, output.outcomes, output.edits, output.metrics)
        main(wildcards.corpus, wildcards.model, snakemake.params.ignored_characters, *files)
