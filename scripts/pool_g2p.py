"""Score a G2P model on several corpora together, as published, and their mean."""

from itertools import chain

from sinobench.failures import job
from sinobench.g2p import breakdown
from sinobench.g2p.tables import CONFUSIONS
from sinobench.results import tables


def main(pool: str, model: str, items: list[str], predictions: list[str], confusions: str, metrics: str) -> None:
    """Write ``g2p_confusions`` and ``metrics`` of the pooled items as the corpus ``pooled-<pool>``."""
    parts = [tables.read(path).to_pydict() for path in items]
    predicted_parts = [tables.read(path).to_pydict() for path in predictions]
    pooled = concatenate(parts)
    predicted = concatenate(predicted_parts)
    scored = breakdown.score_table(pooled, predicted)
    each = [breakdown.score_table(*part) for part in zip(parts, predicted_parts, strict=True)]
    key = {"corpus": f"pooled-{pool}", "model": model}
    rows = breakdown.confusion_rows(pooled, predicted, scored)
    tables.write(CONFUSIONS, [key | row for row in rows], confusions)
    rows = breakdown.metric_rows(scored, pooled) + breakdown.macro_rows(each)
    tables.write(tables.METRICS, [{"task": "g2p"} | key | row for row in rows], metrics)


def concatenate(parts: list[dict[str, list]]) -> dict[str, list]:
    """The columns of several tables of one schema, one after another."""
    return {name: list(chain.from_iterable(part[name] for part in parts)) for name in parts[0]}


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        input, output, wildcards = snakemake.input, snakemake.output, snakemake.wildcards
        main(wildcards.pool, wildcards.model, input.item_table, input.predictions, output.confusions, output.metrics)
