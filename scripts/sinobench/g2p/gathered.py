"""What the scores of G2P need of items that are taken in some at a time: some ten bytes an item."""

from collections import Counter
from collections.abc import Iterable
from itertools import count

import numpy as np

from sinobench.coded import Coded, joined
from sinobench.g2p.alike import Part
from sinobench.g2p.metrics import confusion_table
from sinobench.g2p.scored import SUBSETS, Scored, codes_of
from sinobench.results import arrow


class Gathered:
    """Items of which numbers alone are kept; counted_by: columns beside the corpus that they are counted by."""

    def __init__(self, counted_by: Iterable[str] = SUBSETS.values()) -> None:
        self._known: dict[str, dict] = {name: {} for name in ("corpus", *counted_by)}
        self._units: dict[str, dict[str, int]] = {}  # place by corpus and name
        self._number = count()
        self._parts: dict[str, list[np.ndarray]] = {name: [] for name in (*self._known, "unit", "outcome")}
        self._confused: Counter = Counter()

    def add(self, part: Part) -> None:
        """Take in items that follow those before."""
        columns = {name: Coded(*arrow.codes(part.items[name])) for name in (*self._known, "unit")}
        for name, known in self._known.items():
            places = [known.setdefault(value, len(known)) for value in columns[name].values]
            self._parts[name].append(np.array(places, np.min_scalar_type(len(known)))[columns[name].place])
        units = columns["corpus"].pairs(columns["unit"])
        places = [self._place_of(*unit) for unit in units.values]
        self._parts["unit"].append(np.array(places, np.uint32)[units.place])
        self._parts["outcome"].append(codes_of(part.outcomes)[part.kind])
        self._confused.update(part.confused())

    @property
    def scored(self) -> Scored:
        """All items."""
        columns = {name: Coded(list(self._known[name]), joined(self._parts[name])) for name in self._known}
        units, corpora = np.empty((2, sum(map(len, self._units.values()))), object)
        for corpus, places in self._units.items():
            place = np.fromiter(places.values(), np.int64, len(places))
            units[place], corpora[place] = list(places), corpus
        return Scored(joined(self._parts["outcome"]), joined(self._parts["unit"]), units, corpora, columns)

    def confusion_rows(self) -> list[dict]:
        """Rows of ``g2p_confusions`` but corpus and model."""
        names = ("component", "expected", "predicted", "n")
        return [dict(zip(names, row, strict=True)) for row in confusion_table(self._confused)]

    def _place_of(self, corpus: str, unit: str) -> int:
        places = self._units.setdefault(corpus, {})
        if unit not in places:
            places[unit] = next(self._number)
        return places[unit]
