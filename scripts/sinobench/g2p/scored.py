"""The scores of items that are held as numbers: what became of each, its unit, and what it is counted by."""

import itertools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sinobench.coded import Coded
from sinobench.g2p.metrics import COUNTS, PROTOCOLS, Outcomes, count, main_rates, rates
from sinobench.score import Formula, Score, by_totals, totals

WITHOUT_OVERLAP = "overlap=none"
SUBSETS = {"register": "register", "pos": "pos", "readings": "n_readings", "character": "character"}  # column by name
_ROWS_AT_ONCE = 2**17


def codes_of(outcomes: Outcomes) -> np.ndarray:
    """(n,) uint16: what counts of n outcomes, a bit each."""
    bits = np.column_stack([outcomes.wrong, outcomes.official_wrong, outcomes.usable, outcomes.dropped])
    low, high = np.packbits(bits, axis=1, bitorder="little").astype(np.uint16).T
    return low | high << 8


def _counts_of_codes() -> np.ndarray:
    """(n_codes, 2 * len(COUNTS) + 1) uint8: the counts of an outcome under strict and official, and whether usable."""
    bits = (np.arange(2**10)[:, None] >> np.arange(10) & 1).astype(bool)
    outcomes = Outcomes(bits[:, :4], bits[:, 4:8], np.zeros(len(bits), np.uint8), bits[:, 8], bits[:, 9])
    return np.column_stack([*count(outcomes).values(), outcomes.usable]).astype(np.uint8)


_COUNTS_OF_CODES = _counts_of_codes()


@dataclass(frozen=True)
class Scored:
    """n items: what became of each, by ``codes_of``, and the place of each one's unit.

    units, corpora: (n_units,) names, of each unit and of the corpus that it is of. columns: what items are of and
    counted by.
    """

    outcome: np.ndarray
    unit: np.ndarray
    units: np.ndarray
    corpora: np.ndarray
    columns: Mapping[str, Coded]

    def scores(self) -> Iterator[Score]:
        """Strict and official over all items and by each of ``SUBSETS``."""
        yield from self.whole()
        for name, column in SUBSETS.items():
            yield from self._by(name, self.columns[column], _brief_formula if name == "character" else _formula)

    def whole(self) -> list[Score]:
        """Strict and official over all items."""
        return self._of_rows("all", self._by_unit)

    def macro(self) -> list[Score]:
        """Accuracy and PER as means over several corpora, whose counts stand side by side in the statistics."""
        corpora = self.columns["corpus"].values
        found = []
        for whole in self.whole() if len(corpora) > 1 else ():
            apart = [whole.statistics * (self.corpora == corpus)[:, None] for corpus in corpora]
            found.append(replace(whole, statistics=np.hstack(apart), formula=_macro_formula))
        return found

    def without(self, corpora: Collection[str]) -> list[Score]:
        """Strict and official over the items of none of the corpora; none where that is all or none."""
        coded, by_unit = self.columns["corpus"], self._by_unit
        kept = np.array([corpus not in corpora for corpus in coded.values], bool)[coded.place]
        rows = by_unit[kept[by_unit]]
        if len(rows) in (0, len(by_unit)):
            return []
        return self._of_rows(WITHOUT_OVERLAP, rows)

    def _of_rows(self, subset: str, rows: np.ndarray) -> list[Score]:
        own, counts, _ = self._counts(rows, np.zeros(len(rows), np.uint8))
        return self._pair(subset, own, counts, len(rows), _formula)

    def _by(self, name: str, coded: Coded, formula: Formula) -> Iterator[Score]:
        """Strict and official of the items of each value of a column, by their order as texts; of none without one."""
        values = ["" if value is None else str(value) for value in coded.values]
        levels = sorted(set(values))
        rank = {level: n for n, level in enumerate(levels)}
        level_of = np.array([rank[value] for value in values], np.min_scalar_type(len(levels)))[coded.place]
        rows = self._by_unit
        rows = rows[np.argsort(level_of[rows], kind="stable")]
        ends = np.cumsum(np.bincount(level_of, minlength=len(levels)))
        start = 0
        while start < len(rows):
            # Whole levels, as many as are counted at once.
            end = max(ends[np.searchsorted(ends, start, "right")], ends[ends <= start + _ROWS_AT_ONCE].max(initial=0))
            own, counts, level = self._counts(rows[start:end], level_of[rows[start:end]])
            bounds = [0, *(np.flatnonzero(level[1:] != level[:-1]) + 1).tolist(), len(level)]
            for of_level in itertools.starmap(slice, itertools.pairwise(bounds)):
                place = level[of_level.start]
                n = int(ends[place] - (ends[place - 1] if place else 0))
                if levels[place]:
                    yield from self._pair(f"{name}={levels[place]}", own[of_level], counts[of_level], n, formula)
            start = end

    @cached_property
    def _by_unit(self) -> np.ndarray:
        """(n,) the places of the items, those of a unit together."""
        return np.argsort(self.unit, kind="stable").astype(np.uint32)

    def _counts(self, rows: np.ndarray, level: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of each unit in each level: its place, its counts as ``_COUNTS_OF_CODES`` has them, and the level.

        rows, level: the places and the levels of items in the order of level and unit.
        """
        unit, outcome = self.unit[rows], self.outcome[rows]
        is_first = np.ones(len(rows), bool)
        is_first[1:] = (unit[1:] != unit[:-1]) | (level[1:] != level[:-1])
        starts = np.flatnonzero(is_first)
        sums = [np.add.reduceat(column[outcome], starts, dtype=np.int64) for column in _COUNTS_OF_CODES.T]
        return unit[starts], np.column_stack(sums), level[starts]

    def _pair(self, subset: str, own: np.ndarray, counts: np.ndarray, n_items: int, formula: Formula) -> list[Score]:
        """Strict and official of units by their places and their counts."""
        units, unit = self.units[own], np.arange(len(own))
        strata = self.corpora[own] if len(self.columns["corpus"].values) > 1 else None
        coverage = int(counts[:, -1].sum()) / n_items if n_items else None
        return [
            Score(
                protocol,
                subset,
                units,
                unit,
                statistics,
                formula,
                int(statistics[:, 0].sum()),
                coverage,
                strata,
            )
            for protocol, statistics in zip(PROTOCOLS, np.hsplit(counts[:, :-1], len(PROTOCOLS)), strict=True)
        ]


@by_totals
def _formula(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    return rates(totals(score, weights))


@by_totals
def _brief_formula(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Of thousands of characters: the rates of their components can be had from the outcomes."""
    return main_rates(totals(score, weights))


@by_totals
def _macro_formula(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    summed = totals(score, weights)
    each = [main_rates(part) for part in np.split(summed, len(summed) // len(COUNTS))]
    return {f"{name}_macro": sum(found[name] for found in each) / len(each) for name in each[0]}
