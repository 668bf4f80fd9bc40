"""Boards: how the models of a task are compared, and the views that are made of it.

A task declares its board. Of it are made ``<task>_wide`` with a column a metric, ``leaderboard_<task>`` with a line a
model, its line in ``leaderboard``, and the picture.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sinobench.results.tables import Table

STRICT, OFFICIAL = "strict", "official"
BOTH = (STRICT, OFFICIAL)
BOUNDS = ("ci_low", "ci_high")  # of the headline's interval


@dataclass(frozen=True)
class Measure:
    """A metric of a board.

    protocols: those of which the leaderboard has a column, the official one with the prefix ``official_``. title: of
    its axis in the picture, None where that lacks it. better: "higher" or "lower", None where models are not compared
    by it. label: of its column in a table of 80 characters, None where that lacks it.
    """

    metric: str
    protocols: tuple[str, ...] = (STRICT,)
    title: str | None = None
    better: str | None = "higher"
    decimals: int = 1
    label: str | None = None


@dataclass(frozen=True)
class Board:
    """The leaderboard of a task; its models stand by the metric ``headline`` in the strict protocol.

    counted: what ``n_items`` are. panel_px: width of a panel of the picture. subsets: pattern of those that are ranked
    beside ``all``, None for none. counts: columns beside ``n_items``, as SQL of the rows ``strict`` and ``official``.
    remarks: metrics, or columns of ``metrics``, that stand last. views: the file with the task's own views. reference,
    predictions: the tables that figures are computed from.
    """

    task: str
    title: str
    headline: str
    counted: str
    panel_px: int
    measures: tuple[Measure, ...]
    subsets: str | None = None
    counts: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    views: Path | None = None
    reference: tuple[Table, ...] = ()
    predictions: Table | None = None

    @property
    def by(self) -> Measure:
        """The measure of the headline."""
        return next(measure for measure in self.measures if measure.metric == self.headline)

    @property
    def panels(self) -> list[Measure]:
        """The measures of the picture."""
        return [measure for measure in self.measures if measure.title]

    @property
    def labelled(self) -> list[Measure]:
        """The measures of a narrow table."""
        return [measure for measure in self.measures if measure.label]

    def of(self, protocol: str) -> list[str]:
        """The metrics of which the leaderboard has a column in a protocol."""
        return [measure.metric for measure in self.measures if protocol in measure.protocols]


def wide(board: Board) -> str:
    """The view with a row a corpus, model, protocol and subset, and a column a metric."""
    metrics = [measure.metric for measure in board.measures]
    others = [name for name in ("n_items", "coverage", *board.remarks) if name not in metrics]
    bounds = (f"max({name}) FILTER (metric = '{board.headline}') AS {name}" for name in BOUNDS)
    subsets = f" AND (subset = 'all' OR subset LIKE '{board.subsets}')" if board.subsets else ""
    return f"""CREATE VIEW {board.task}_wide AS
SELECT corpus, model, protocol, subset,
    {_lines([*map(_value, metrics), *bounds, *(f"max({name}) AS {name}" for name in others)])}
FROM metrics WHERE task = '{board.task}'{subsets}
GROUP BY ALL;
"""


def leaderboard(board: Board) -> str:
    """The view with a line a model: ranked in the strict protocol, what does not differ together; then published
    figures, then failed models."""
    task = board.task
    key, everything = ("corpus, subset", ", 'all' AS subset") if board.subsets else ("corpus", "")
    best_first = " DESC" if board.by.better == "higher" else ""
    columns = [
        *(f"strict.{name}" for name in (*board.of(STRICT), *BOUNDS)),
        *(f"official.{metric} AS official_{metric}" for metric in board.of(OFFICIAL)),
        "strict.n_items",
        *(f"{sql} AS {name}" for name, sql in board.counts.items()),
        *(f"strict.{name}" for name in ("coverage", *board.remarks)),
        "false AS published",
        "models.trust",
        _contaminated(task, "strict"),
        "signatures.signature",
    ]
    return f"""CREATE VIEW leaderboard_{task} AS
SELECT strict.corpus,
    ranks.rank,
    strict.model{", strict.subset" if board.subsets else ""},
    ranks.tied_with,
    {_lines(columns)}
FROM {task}_wide AS strict
LEFT JOIN {task}_wide AS official
    ON official.corpus = strict.corpus AND official.model = strict.model AND official.subset = strict.subset
    AND official.protocol = '{OFFICIAL}'
LEFT JOIN ranks
    ON ranks.corpus = strict.corpus AND ranks.model = strict.model AND ranks.subset = strict.subset
    AND ranks.protocol = '{STRICT}' AND ranks.metric = '{board.headline}' AND ranks.task = '{task}'
LEFT JOIN models ON models.task = '{task}' AND models.model = strict.model
LEFT JOIN signatures
    ON signatures.task = '{task}' AND signatures.corpus = strict.corpus AND signatures.model = strict.model
    AND signatures.subset = strict.subset AND signatures.protocol = '{STRICT}'
    AND signatures.metric = '{board.headline}'
WHERE strict.protocol = '{STRICT}'{"" if board.subsets else " AND strict.subset = 'all'"}
UNION ALL BY NAME
SELECT corpus, model{everything},
    {_lines(_value(metric, "official_") for metric in board.of(OFFICIAL))},
    max(n_items) AS n_items,
    true AS published,
    max(trust) AS trust,
    {_contaminated(task, "published_here")}
FROM published_here WHERE task = '{task}'
GROUP BY corpus, model
UNION ALL BY NAME
SELECT corpus, model{everything}, false AS published, models.trust, failure
FROM failed_runs LEFT JOIN models USING (task, model) WHERE task = '{task}'
ORDER BY {key}, failure NULLS FIRST, published, rank NULLS LAST, {board.headline}{best_first},
    official_{board.headline}{best_first}, model;
"""


def union(boards: Iterable[Board]) -> str:
    """The view of all leaderboards, by their headlines; models of one rank stand best first."""
    bounds = ", ".join(BOUNDS)
    of_tasks = [
        f"""SELECT '{board.task}' AS task, corpus, rank, model, tied_with,
    '{board.headline}' AS metric, {board.headline} AS value, {bounds}, official_{board.headline} AS official_value,
    n_items, coverage, published, trust, contaminated, failure, signature,
    {"-" if board.by.better == "higher" else ""}{board.headline} AS place
FROM leaderboard_{board.task}{" WHERE subset = 'all'" if board.subsets else ""}
"""
        for board in boards
    ]
    between = "UNION ALL\n"
    return f"""CREATE VIEW leaderboard AS
SELECT * EXCLUDE (place) FROM (
{between.join(of_tasks)})
ORDER BY task, corpus, failure NULLS FIRST, published, rank NULLS LAST, place NULLS LAST, model;
"""


def summary(boards: Iterable[Board]) -> str:
    """The view of all leaderboards in five columns that fit a terminal of 80: percentages, as text."""
    scores = "\n        ".join(
        f"WHEN '{board.task}' THEN format('{board.by.label} {{:.{board.by.decimals}f}}', percentage)"
        for board in boards
    )
    higher = ", ".join(f"'{board.task}'" for board in boards if board.by.better == "higher")
    return f"""CREATE VIEW summary AS
SELECT corpus, place || CASE WHEN tied_with IS NULL THEN '' ELSE '=' END AS rank, model,
    CASE WHEN failure IS NOT NULL THEN 'failed' ELSE CASE task
        {scores}
    END END AS score,
    format('{{:.1f}}–{{:.1f}}', 100 * ci_low, 100 * ci_high) AS interval
FROM (SELECT * EXCLUDE (rank), rank AS place, 100 * coalesce(value, official_value) AS percentage FROM leaderboard)
ORDER BY task, bool_and(published) OVER (PARTITION BY task, corpus), corpus, failure NULLS FIRST, published,
    place NULLS LAST, CASE WHEN task IN ({higher}) THEN -value ELSE value END NULLS LAST, model;
"""


def _contaminated(task: str, row: str) -> str:
    of_row = f"c.corpus = {row}.corpus AND c.model = {row}.model"
    return f"EXISTS (FROM contaminated AS c WHERE c.task = '{task}' AND {of_row}) AS contaminated"


def _value(metric: str, prefix: str = "") -> str:
    return f"max(value) FILTER (metric = '{metric}') AS {prefix}{metric}"


def _lines(columns: Iterable[str]) -> str:
    return ",\n    ".join(columns)
