"""Language diarization, scored from Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from sinobench.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from sinobench.results.scored import Result

_TURN = ("recording", "start_ms", "end_ms", "language")


def score(
    reference: pd.DataFrame | Iterable[Mapping],
    predictions: pd.DataFrame | Iterable[Mapping],
    regions: pd.DataFrame | Iterable[Mapping],
    *,
    strict_regions: pd.DataFrame | Iterable[Mapping] | None = None,
    intervals: bool = True,
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 2023,
) -> Result:
    """The figures of turns of recordings, under both protocols.

    reference, predictions: rows of ``recording``, ``start_ms``, ``end_ms`` and ``language``. regions: rows of
    ``recording``, ``start_ms``, ``end_ms`` that are evaluated, which also name recordings without a turn;
    strict_regions: what strict scores of them, None for all. Raises InputError for rows without these columns, a turn
    that ends before it starts, an unknown language, and predictions of a recording that the reference does not have.
    """
    from sinobench.ld.breakdown import compare_turns, scores
    from sinobench.ld.turns import turn_table
    from sinobench.results.scored import result

    truth, evaluated = _columns(reference, _TURN, "reference"), _columns(regions, _TURN[:3], "regions")
    predicted = _columns(predictions, _TURN, "predictions")
    names = list(dict.fromkeys([*truth["recording"], *evaluated["recording"]]))
    if not names:
        raise InputError("there is no recording to score")
    own = [turn_table(names, *each.values()) for each in (truth, predicted)]
    scored = evaluated if strict_regions is None else _columns(strict_regions, _TURN[:3], "strict_regions")
    compared = compare_turns(*own, _spans(evaluated, names), _spans(scored, names))
    return result(scores(compared), "ld", intervals, resamples, level, seed)


def _columns(rows: object, names: tuple[str, ...], what: str) -> dict[str, list]:
    """Columns of rows; InputError where one is lacking, and for times out of order."""
    import pandas as pd

    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(list(rows), columns=None)  # type: ignore[call-overload]
    if frame.empty:
        return {name: [] for name in names}
    if lacking := [name for name in names if name not in frame]:
        raise InputError(f"{what} has no column {lacking[0]}; expected {', '.join(names)}")
    if len(back := frame[frame["end_ms"] < frame["start_ms"]]):
        row = back.iloc[0]
        raise InputError(f"{what}: {row['recording']} {row['start_ms']} to {row['end_ms']} ms ends before it starts")
    return {name: frame[name].tolist() for name in names}


def _spans(regions: Mapping[str, list], names: list[str]) -> object:
    """(m, 3) int64 of recording, start_ms, end_ms, in order."""
    import numpy as np

    place = {name: number for number, name in enumerate(names)}
    rows = sorted((place[name], *times) for name, *times in zip(*regions.values(), strict=True) if name in place)
    return np.array(rows, np.int64).reshape(-1, 3)
