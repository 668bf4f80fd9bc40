"""Rows of a file beside the items of a corpus, some at a time, in memory that grows with neither."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Row = TypeVar("Row")
Given = TypeVar("Given")


def beside(
    parts: Callable[[], Iterable[Sequence[Item]]],
    rows: Iterator[Row],
    given: Callable[[Sequence[Item], Sequence[Row]], list[Given] | None],
    whole: Callable[[], Iterable[Given]],
) -> Iterator[list[Given]]:
    """What a file gives each part of the items.

    parts: the items, as often as they are wanted. given: what as many rows as items give them, None where the rows are
    not theirs. whole: what the file gives each of all items, whatever the order of its rows; taken where some rows are
    not those of their items, or rows are left. It gives the items before the same, or raises InputError.
    """
    n_done = 0
    for items in parts():
        found = given(items, list(islice(rows, len(items))))
        if found is None:
            break
        yield found
        n_done += len(items)
    else:
        if next(rows, None) is None:
            return
    left = islice(whole(), n_done, None)
    for items in parts():
        if n_done:
            n_done -= len(items)
        else:
            yield list(islice(left, len(items)))
    next(left, None)  # where all items were done, to be told what is wrong with the rows that are left
