"""Rows of ``metrics`` with their intervals."""

from collections.abc import Iterable

from sinobench import score as scores
from sinobench.results.statistics.intervals import Interval, intervals
from sinobench.results.statistics.resampling import Settings
from sinobench.score import Score


def metric_rows(scored: Iterable[Score], settings: Settings, *, task: str, corpus: str, model: str) -> list[dict]:
    """The rows of some scores of a model on a corpus: each metric with its interval, and the settings of all."""
    key = {"task": task, "corpus": corpus, "model": model}
    rows = []
    for score in scored:
        found = intervals(score, settings, *key.values())
        rows += [row | _columns(found[row["metric"]]) | vars(settings) for row in scores.metric_rows([score], **key)]
    return rows


def _columns(interval: Interval) -> dict:
    return {
        "ci_low": interval.low,
        "ci_high": interval.high,
        "interval": interval.kind,
        "n_units": interval.n_units,
        "n_undefined": interval.n_undefined,
    }
