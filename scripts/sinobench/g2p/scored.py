"""The scores of items that are held as numbers: what became of each, its unit, and what it is counted by."""

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sinobench.coded import Coded, CodedRows, RowCoder
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
        return self._summed("all", map(_places, _blocks(len(self.unit))), _formula)

    def macro(self) -> list[Score]:
        """Accuracy and PER as means over several corpora, whose counts stand side by side in the statistics."""
        corpora = self.columns["corpus"].values
        return [self._apart(whole, corpora) for whole in self.whole()] if len(corpora) > 1 else []

    def without(self, corpora: Collection[str]) -> list[Score]:
        """Strict and official over the items of none of the corpora; none where that is all or none."""
        coded = self.columns["corpus"]
        kept = np.array([corpus not in corpora for corpus in coded.values], bool)
        if kept.all() or not kept.any():
            return []
        blocks = (_places(block)[kept[coded.place[block]]] for block in _blocks(len(self.unit)))
        return self._summed(WITHOUT_OVERLAP, blocks, _formula)

    def _apart(self, whole: Score, corpora: Sequence[str]) -> Score:
        found = RowCoder(len(COUNTS) * len(corpora))
        for block in _blocks(len(whole.units)):
            rows = np.asarray(whole.statistics[block])
            found.add(np.hstack([rows * (whole.strata[block] == corpus)[:, None] for corpus in corpora]))
        return replace(whole, statistics=found.rows, formula=_macro_formula)

    def _summed(self, subset: str, blocks: Iterable[np.ndarray], formula: Formula) -> list[Score]:
        """Strict and official of many items, some of whose places are had at a time."""
        summed = np.zeros((len(self.units), _COUNTS_OF_CODES.shape[1]), np.uint32)
        for rows in blocks:
            own, counts, _ = self._counts(rows, np.zeros(len(rows), np.uint8))
            summed[own] += counts.astype(np.uint32)
        own = np.flatnonzero(summed[:, 0])
        coders = [RowCoder(len(COUNTS)) for _ in PROTOCOLS]
        for block in _blocks(len(own)):
            for coder, rows in zip(coders, np.hsplit(summed[own[block], :-1], len(coders)), strict=True):
                coder.add(rows)
        n_items, n_usable = (int(summed[:, column].sum(dtype=np.int64)) for column in (0, -1))
        coverage = n_usable / n_items if n_items else None
        return self._pair(subset, own, [coder.rows for coder in coders], coverage, formula)

    def _by(self, name: str, coded: Coded, formula: Formula) -> Iterator[Score]:
        """Strict and official of the items of each value of a column, by their order as texts; of none without one."""
        values = ["" if value is None else str(value) for value in coded.values]
        levels = sorted(set(values))
        rank = {level: n for n, level in enumerate(levels)}
        level_of_value = np.array([rank[value] for value in values], np.min_scalar_type(len(levels)))
        rows, ends = self._by_level(coded.place, level_of_value, len(levels))
        start = 0
        while start < len(rows):
            # Whole levels, as many as are counted at once.
            end = max(ends[np.searchsorted(ends, start, "right")], ends[ends <= start + _ROWS_AT_ONCE].max(initial=0))
            some, start = rows[start:end], end
            if len(some) > _ROWS_AT_ONCE:
                if level := levels[level_of_value[coded.place[some[0]]]]:
                    yield from self._summed(f"{name}={level}", (some[block] for block in _blocks(len(some))), formula)
                continue
            own, counts, place = self._counts(some, level_of_value[coded.place[some]])
            bounds = [0, *(np.flatnonzero(place[1:] != place[:-1]) + 1).tolist(), len(place)]
            for of_level in itertools.starmap(slice, itertools.pairwise(bounds)):
                if level := levels[place[of_level.start]]:
                    *by_protocol, usable = np.split(counts[of_level], [len(COUNTS), 2 * len(COUNTS)], axis=1)
                    coverage = int(usable.sum()) / int(by_protocol[0][:, 0].sum())
                    yield from self._pair(f"{name}={level}", own[of_level], by_protocol, coverage, formula)

    def _by_level(self, place: np.ndarray, level_of: np.ndarray, n_levels: int) -> tuple[np.ndarray, np.ndarray]:
        """(n,) the places of the items, those of a level together, and (n_levels,) where each level ends.

        Counted and put in their places some at a time: a sort takes four times the room of what it sorts.
        """
        blocks = _blocks(len(place))
        ends = np.cumsum(sum(np.bincount(level_of[place[block]], minlength=n_levels) for block in blocks))
        rows, ends_so_far = np.empty(len(place), np.uint32), np.concatenate([[0], ends[:-1]])
        for block in blocks:
            level = level_of[place[block]]
            order = np.argsort(level, kind="stable")
            n = np.bincount(level, minlength=n_levels)
            within = np.arange(len(level)) - np.repeat(np.cumsum(n) - n, n)
            rows[ends_so_far[level[order]] + within] = block.start + order
            ends_so_far += n
        return rows, ends

    def _counts(self, rows: np.ndarray, level: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of each unit in each level: its place, its counts as ``_COUNTS_OF_CODES`` has them, and the level, in the
        order of level and unit; rows, level: the places and the levels of items."""
        order = np.lexsort([self.unit[rows], level])
        rows, level = rows[order], level[order]
        unit, outcome = self.unit[rows], self.outcome[rows]
        is_first = np.ones(len(rows), bool)
        is_first[1:] = (unit[1:] != unit[:-1]) | (level[1:] != level[:-1])
        starts = np.flatnonzero(is_first)
        sums = [np.add.reduceat(column[outcome], starts, dtype=np.int64) for column in _COUNTS_OF_CODES.T]
        return unit[starts], np.column_stack(sums), level[starts]

    def _pair(
        self,
        subset: str,
        own: np.ndarray,
        by_protocol: Sequence[np.ndarray | CodedRows],
        coverage: float | None,
        formula: Formula,
    ) -> list[Score]:
        """Strict and official of units by their places and their counts."""
        units, unit = self.units[own], range(len(own))
        strata = self.corpora[own] if len(self.columns["corpus"].values) > 1 else None
        found = []
        for protocol, counts in zip(PROTOCOLS, by_protocol, strict=True):
            n_items = int((counts.sums() if isinstance(counts, CodedRows) else counts.sum(axis=0))[0])
            found.append(Score(protocol, subset, units, unit, counts, formula, n_items, coverage, strata))
        return found


def _blocks(n: int) -> list[slice]:
    return [slice(start, min(start + _ROWS_AT_ONCE, n)) for start in range(0, n, _ROWS_AT_ONCE)]


def _places(block: slice) -> np.ndarray:
    return np.arange(block.start, block.stop)


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
