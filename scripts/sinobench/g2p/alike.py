"""Items of Arrow tables, scored by their kinds: of a hundred thousand characters a tenth differ in label and output."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sinobench.g2p import breakdown
from sinobench.g2p.metrics import Outcomes, met
from sinobench.g2p.tables import OUTCOMES
from sinobench.results import arrow, tables


@dataclass(frozen=True)
class Part:
    """n items in Arrow tables, row by row the same in both; those of a kind have the same labels, output and problem.

    kind: (n,) of each item; of_kinds: columns of items and predictions, one row a kind; outcomes: those of the kinds.
    """

    items: pa.Table
    predictions: pa.Table
    kind: np.ndarray
    of_kinds: dict[str, list]
    outcomes: Outcomes

    @classmethod
    def of(cls, items: pa.Table, predictions: pa.Table) -> Part:
        """Tables of ``g2p_items`` and ``g2p_predictions``."""
        length, n_given, position = (
            arrow.numbers(column).astype(np.int64)
            for column in (pc.utf8_length(items["text"]), predictions["output_length"], items["position"])
        )
        # All that decides what becomes of an output which is not as long as its text, and what is said of it.
        other = np.where(n_given == length, 0, (length << 32 | n_given) << 1 | (n_given <= position))
        key = np.zeros(len(items), np.int64)
        for column in (
            pc.binary_join(items["labels"], pa.scalar("/", pa.string())),
            predictions["prediction"],
            pa.chunked_array([other]),
        ):
            values, place = arrow.codes(column)
            key = key * len(values) + place
        _, kind = arrow.codes(pa.chunked_array([key]))
        first = np.empty(kind.max(initial=-1) + 1, np.int64)
        first[kind[::-1]] = np.arange(len(kind))[::-1]  # the last one assigned stays
        rows = items.select(["item_id", "text", "position", "labels"]).take(first).to_pydict()
        rows |= predictions.select(["prediction", "output_length"]).take(first).to_pydict()
        return cls(items, predictions, kind, rows, breakdown.score_table(rows, rows))

    def confused(self) -> Counter[tuple[str, str | None]]:
        """How often each nearest label met each prediction, None where that is not usable under strict."""
        found: Counter = Counter()
        pairs = met(self.of_kinds["labels"], self.of_kinds["prediction"], self.outcomes)
        for pair, n in zip(pairs, np.bincount(self.kind).tolist(), strict=True):
            found[pair] += n
        return found

    def outcome_columns(self) -> dict[str, pa.Array]:
        """The columns of ``g2p_outcomes`` but corpus and model."""
        columns = breakdown.outcome_columns(self.of_kinds, self.of_kinds, self.outcomes)
        of_kinds, kind = tables.to_arrow(OUTCOMES, columns), pa.array(self.kind)
        found = {name: of_kinds[name].combine_chunks().take(kind) for name in columns}
        return found | {"item_id": self.items["item_id"].combine_chunks()}
