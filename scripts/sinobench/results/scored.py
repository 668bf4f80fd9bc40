"""What scoring gives in Python: figures with their intervals, as a table that notebooks show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sinobench.score import Score

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Result:
    """The figures of one system.

    metrics: a row a protocol, subset and metric, with the columns of the table ``metrics`` of a run: ``value``,
    ``ci_low``, ``ci_high`` (fractions), ``interval`` (its kind, or why there is none), ``n_units``, ``n_items``,
    ``coverage``. ``metrics.attrs["units"]`` has the unit of each column.
    """

    task: str
    metrics: pd.DataFrame

    def value(self, metric: str, protocol: str = "strict", subset: str = "all") -> float | None:
        """One figure; None where it is undefined. Raises KeyError for one that there is not."""
        row = self._row(metric, protocol, subset)
        return None if row.isna()["value"] else float(row["value"])

    def interval(self, metric: str, protocol: str = "strict", subset: str = "all") -> tuple[float, float] | None:
        """The interval of one figure; None where it has none."""
        row = self._row(metric, protocol, subset)
        return None if row.isna()["ci_low"] else (float(row["ci_low"]), float(row["ci_high"]))

    def _row(self, metric: str, protocol: str, subset: str) -> pd.Series:
        rows = self.metrics
        found = rows[(rows.metric == metric) & (rows.protocol == protocol) & (rows.subset == subset)]
        if len(found) != 1:
            raise KeyError(f"{self.task} has no {metric} under {protocol} of the subset {subset}")
        return found.iloc[0]

    def _printed(self) -> pd.DataFrame:
        whole = self.metrics[self.metrics.subset == "all"]
        cells = whole.assign(cell=[_cell(row) for row in whole.itertuples()])
        table = cells.pivot(index="metric", columns="protocol", values="cell")
        return table.loc[whole.metric.drop_duplicates()].fillna("").rename_axis(index=None, columns=None)

    def __repr__(self) -> str:
        return self._printed().to_string()

    def _repr_html_(self) -> str:
        """The table of a notebook."""
        n_items = ", ".join(f"{n:,} items {p}" for p, n in self.metrics.groupby("protocol").n_items.max().items())
        return f"<p>{self.task}: {n_items}</p>{self._printed().to_html(notebook=True)}"


def result(scores: Iterable[Score], task: str, intervals: bool, resamples: int, level: float, seed: int) -> Result:
    """The result of some scores. Raises InputError for settings that give no interval."""
    import pandas as pd

    from sinobench import score
    from sinobench.results.statistics.resampling import Settings
    from sinobench.results.statistics.rows import metric_rows

    scores = list(scores)
    if intervals:
        rows = metric_rows(scores, Settings(resamples, level, seed), task=task, corpus="", model="")
    else:
        rows = [row | {"interval": "none: not asked for"} for row in score.metric_rows(scores)]
    columns = [*_UNITS, "protocol", "subset", "metric", "interval", "warning"]
    frame = pd.DataFrame(rows).reindex(columns=sorted(columns, key=_ORDER.index))
    for name in ("value", "ci_low", "ci_high"):
        frame[name] = frame[name].astype(float)
    frame.attrs["units"] = dict(_UNITS)
    return Result(task, frame)


def _cell(row: object) -> str:
    value, low, high = row.value, row.ci_low, row.ci_high  # type: ignore[attr-defined]
    if value != value:
        return "–"
    return f"{value:.4f}" if low != low else f"{value:.4f} [{low:.4f}, {high:.4f}]"


_UNITS = {
    "value": "fraction",
    "ci_low": "fraction",
    "ci_high": "fraction",
    "n_units": "units",
    "n_items": "items",
    "coverage": "fraction",
}
_ORDER = ["protocol", "subset", "metric", "value", "ci_low", "ci_high", "interval"]
_ORDER += ["n_units", "n_items", "coverage", "warning"]
