"""Resamples of the independent units of a score, drawn as counts of the distinct kinds of units.

Sentences repeat the same few rows of counts, so a resample of n sentences is a multinomial over the distinct rows:
exactly the same distribution, and a tenth of a second instead of a matrix product of 15,000 columns.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np

from sinobench.coded import CodedRows
from sinobench.errors import InputError, private
from sinobench.score import Score, numbered

FEWEST_RESAMPLES = 100
_CELLS_AT_ONCE = 2**21
_ROWS_AT_ONCE = 2**17  # of units that are sorted into kinds
_DRAWS_AT_ONCE = 2**16  # of rare units: they fit in a cache
# What a binomial draw costs beside a draw of a whole number and its count.
_COST_OF_BINOMIAL = 12


@dataclass(frozen=True)
class Settings:
    """``statistics`` of the config: number of resamples, level of the intervals (0.95), seed of all streams.

    Raises InputError for fewer than ``FEWEST_RESAMPLES`` and for a level that is no share.
    """

    resamples: int = 10_000
    level: float = 0.95
    seed: int = 2023

    def __post_init__(self) -> None:
        if self.resamples < FEWEST_RESAMPLES:
            raise InputError(f"{self.resamples} resamples are too few for an interval; ask for {FEWEST_RESAMPLES}")
        if not 0.5 <= self.level < 1:
            raise InputError(f"level {self.level} is no level of an interval; give a share from 0.5 to below 1")


@dataclass(frozen=True)
class Bag:
    """The units that one or two scores have in common, by kind: units with equal rows in each are of one kind.

    size: (n_kinds,) units of each; stratum: (n_kinds,) the part of a pool that they are of, from 0; sides: each score
    with the kinds as its units.
    """

    size: np.ndarray
    stratum: np.ndarray
    sides: Sequence[Score]

    @property
    def n_units(self) -> int:
        """Of all kinds."""
        return int(self.size.sum())

    def chunks(self, n: int) -> Iterator[int]:
        """Numbers that add up to n, of resamples that fit in memory together."""
        step = max(1, _CELLS_AT_ONCE // len(self.size))
        for start in range(0, n, step):
            yield min(step, n - start)


def bag(*scores: Score) -> Bag:
    """The units of a score, or of two, whatever their order. Raises InputError where the two have different units."""
    if all(_in_rows(score, scores[0]) for score in scores):
        strata = scores[0].strata
        stratum = np.broadcast_to(np.int64(0), len(scores[0].units)) if strata is None else _ranks(strata)
        return _by_kind(stratum, [score.statistics for score in scores], scores)
    names = [_names(score) for score in scores]
    orders = [sorted(range(len(each)), key=each.__getitem__) for each in names]
    if len(scores) == 2:
        _require_same(*([each[i] for i in order] for each, order in zip(names, orders, strict=True)))
    stratum = _ranks([names[0][i][0] for i in orders[0]])
    places = [np.argsort(order) for order in orders]
    sides = [replace(score, unit=place[score.unit]) for score, place in zip(scores, places, strict=True)]
    if any(len(side.unit) != len(side.units) for side in sides):
        return Bag(np.ones(len(stratum), np.int64), stratum, sides)
    return _by_kind(stratum, [side.statistics[np.argsort(side.unit)] for side in sides], sides)


def generator(seed: int, *key: str) -> np.random.Generator:
    """A random stream of its own for each key, whatever else is drawn and in whatever order."""
    digest = hashlib.sha256(json.dumps(key).encode()).digest()
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, *np.frombuffer(digest, "<u4").tolist()])))


def resamples(units: Bag, n: int, random: np.random.Generator) -> Iterator[np.ndarray]:
    """Weights (r, n_kinds) of n resamples of the units with replacement, within each stratum, some at a time."""
    strata = [np.flatnonzero(units.stratum == stratum) for stratum in np.unique(units.stratum)]
    for r in units.chunks(n):
        if len(strata) == 1:
            yield draw_counts(units.size, r, random)
            continue
        weights = np.empty((r, len(units.size)), np.int32)
        for kinds in strata:
            weights[:, kinds] = draw_counts(units.size[kinds], r, random)
        yield weights


def exchanges(units: Bag, n: int, random: np.random.Generator) -> Iterator[np.ndarray]:
    """(r, n_kinds) how many units of each kind change sides, each with probability one half, n times, some at a time.

    Of a kind that is alike on both sides none does: it would make no difference.
    """
    moving = np.flatnonzero(_differ(units))
    few = units.size[moving] < 64
    masks = (np.uint64(1) << units.size[moving[few]].astype(np.uint64)) - np.uint64(1)
    for r in units.chunks(n):
        swapped = np.zeros((r, len(units.size)), np.int32)
        # The set bits of a random number of m bits are a binomial of m and one half.
        bits = random.integers(0, 2**64, (r, len(masks)), dtype=np.uint64)
        swapped[:, moving[few]] = np.bitwise_count(bits & masks)
        many = moving[~few]
        swapped[:, many] = random.binomial(units.size[many], 0.5, (r, len(many)))
        yield swapped


def draw_counts(size: np.ndarray, r: int, random: np.random.Generator) -> np.ndarray:
    """(r, n_kinds) int32, how often each kind is drawn in ``size.sum()`` draws of units with replacement.

    size: the most frequent kinds first. These come as a multinomial; the draws that it leaves to the rare ones are made
    one by one.
    """
    n = int(size.sum())
    left = n - np.concatenate([[0], np.cumsum(size)])
    n_frequent = int(np.argmin(np.arange(len(left)) * _COST_OF_BINOMIAL + left))
    frequent, rare = size[:n_frequent], size[n_frequent:]
    counts = random.multinomial(n, np.append(frequent, left[n_frequent]) / n, size=r)
    drawn = np.empty((r, len(size)), np.int32)
    drawn[:, :n_frequent] = counts[:, :-1]
    if not len(rare):
        return drawn
    n_rare, n_members = len(rare), int(left[n_frequent])
    member = None if n_members == n_rare else np.repeat(np.arange(n_rare, dtype=np.int32), rare)
    step = max(1, _DRAWS_AT_ONCE // n_members)
    for start in range(0, r, step):
        n_picks = counts[start : start + step, -1]
        picks = random.integers(0, n_members, int(n_picks.sum()), dtype=np.int32)
        if member is not None:
            picks = member[picks]
        if len(n_picks) > 1:
            picks += np.repeat(np.arange(0, len(n_picks) * n_rare, n_rare, dtype=np.int32), n_picks)
        found = np.bincount(picks, minlength=len(n_picks) * n_rare)
        drawn[start : start + step, n_frequent:] = found.reshape(-1, n_rare)
    return drawn


def _ranks(names: Iterable[str]) -> np.ndarray:
    """(n,) the place of each name among the distinct ones in their order."""
    distinct, place = numbered(names)
    rank = np.empty(len(distinct), np.int64)
    rank[sorted(range(len(distinct)), key=distinct.__getitem__)] = np.arange(len(distinct))
    return rank[place]


def _in_rows(score: Score, first: Score) -> bool:
    """Whether each row is a unit of its own, in the order of the units of another score."""
    same = score is first or (score.units is first.units and score.strata is first.strata)
    return same and score.in_rows


def _by_kind(stratum: np.ndarray, rows: Sequence[np.ndarray], scores: Sequence[Score]) -> Bag:
    """The bag of units whose rows of each score stand side by side."""
    if all(isinstance(each, CodedRows) for each in rows):
        first, size = _coded(stratum, rows)
        kinds, size = _distinct(np.column_stack([stratum[first], *(each[first] for each in rows)]), size)
    else:
        parts = [
            _distinct(np.column_stack([stratum[start:end], *(each[start:end] for each in rows)]))
            for start, end in _blocks(len(stratum))
        ]
        kinds, size = parts[0] if len(parts) == 1 else _distinct(*map(np.concatenate, zip(*parts, strict=True)))
    frequent_first = np.argsort(-size, kind="stable")
    kinds, size = kinds[frequent_first], size[frequent_first]
    columns = np.split(kinds[:, 1:], np.cumsum([each.shape[1] for each in rows])[:-1], axis=1)
    of_kinds = {"units": range(len(size)), "unit": np.arange(len(size)), "strata": None}
    sides = [replace(score, statistics=part, **of_kinds) for score, part in zip(scores, columns, strict=True)]
    return Bag(size, kinds[:, 0].astype(np.int64), sides)


def _coded(stratum: np.ndarray, rows: Sequence[CodedRows]) -> tuple[np.ndarray, np.ndarray]:
    """A unit of each distinct combination of stratum and places of rows, and how many have it."""
    found: list[tuple[np.ndarray, ...]] = []
    for start, end in _blocks(len(stratum)):
        keys = stratum[start:end]
        for each in rows:
            keys = keys * len(each.distinct) + each.place[start:end]
        keys, first, size = np.unique(keys, return_index=True, return_counts=True)
        found.append((keys, start + first, size))
    keys, first, size = map(np.concatenate, zip(*found, strict=True))
    _, one, of = np.unique(keys, return_index=True, return_inverse=True)
    return first[one], np.bincount(of, size).astype(np.int64)


def _blocks(n: int) -> list[tuple[int, int]]:
    return [(start, start + _ROWS_AT_ONCE) for start in range(0, max(n, 1), _ROWS_AT_ONCE)]


def _distinct(rows: np.ndarray, size: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The distinct rows in a fixed order, and the number of each; size: of each row, 1 where there is none."""
    keys = _keys(rows)
    if size is None:
        _, place, number = np.unique(keys, return_index=True, return_counts=True)
        return rows[place], number
    _, place, of = np.unique(keys, return_index=True, return_inverse=True)
    summed = np.zeros(len(place), np.int64)
    np.add.at(summed, of, size)
    return rows[place], summed


def _keys(rows: np.ndarray) -> np.ndarray:
    """(n,) what is equal where rows are, in the order of their bytes.

    np.unique with an axis compares number by number and takes ten times as long.
    """
    n, k = rows.shape
    is_small = rows.dtype.kind in "iu" and k <= 8 and rows.min(initial=0) >= 0 and rows.max(initial=0) < 256
    if is_small and sys.byteorder == "little":  # the low byte stands first: eight of them are one number
        low = np.zeros((n, 8), np.uint8)
        low[:, :k] = rows
        return low.view(">u8").ravel().astype(np.uint64)
    return np.ascontiguousarray(rows).view(np.dtype((np.void, rows.itemsize * k))).ravel()


def _differ(units: Bag) -> np.ndarray:
    """(n_kinds,) whether the units of a kind have other rows on one side than on the other."""
    a, b = units.sides
    if len(a.unit) == len(b.unit) == len(units.size):
        return (a.statistics != b.statistics).any(axis=1)
    return np.ones(len(units.size), bool)


def _names(score: Score) -> list[tuple[str, str]]:
    """Part of a pool and name of each unit."""
    return list(zip(score.strata if score.strata is not None else repeat(""), score.units, strict=False))


def _require_same(a: list[tuple[str, str]], b: list[tuple[str, str]]) -> None:
    """Raise InputError unless two sorted lists of units are the same."""
    if a != b:
        _, first = min(set(a) ^ set(b))
        raise InputError(
            f"only one of the two models is scored on '{private(first)}'; compare models on the same items"
        )
