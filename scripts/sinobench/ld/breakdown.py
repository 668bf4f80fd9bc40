"""The comparison of one model's language turns with one corpus, the rows of the result tables and the scores of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sinobench.errors import InputError
from sinobench.ld.metrics import (
    OFFICIAL_COUNTS,
    STRICT_COUNTS,
    lder,
    official_counts,
    official_rates,
    pooled,
    strict_counts,
    strict_rates,
)
from sinobench.ld.switches import TOLERANCE_MS, Switches, compare_switches, switch_rates
from sinobench.ld.turns import TurnTable, spans, stored_turns
from sinobench.merlion.pairs import pair_of
from sinobench.merlion.tables import LABELLED, Recording, Region
from sinobench.score import Formula, Score, Singled, by_totals, numbered, of_rows, plain, totals, worst_decile

if TYPE_CHECKING:
    import pyarrow as pa

COLLARS_MS = (0, 100, 250, 500)
_RECORDINGS_AT_ONCE = 2**8


@dataclass(frozen=True)
class Comparison:
    """Counts by recording under both protocols, strict's by collar too; ``prediction``: given, empty or missing."""

    recordings: list[str]
    prediction: list[str]
    official: dict[str, np.ndarray]
    strict: dict[int, dict[str, np.ndarray]]
    switches: Switches


def compare_turns(
    reference: TurnTable, predictions: TurnTable, official_regions: np.ndarray, strict_regions: np.ndarray
) -> Comparison:
    """Compare the predictions; regions are (m, 3) spans by the reference's recordings.

    Raises InputError for predictions of a recording that the reference does not have.
    """
    aligned = predictions.aligned(reference.recordings)
    regions = (official_regions, strict_regions)
    starts = range(0, max(1, len(reference.recordings)), _RECORDINGS_AT_ONCE)
    sides = zip(reference.parts(_RECORDINGS_AT_ONCE), aligned.parts(_RECORDINGS_AT_ONCE), strict=True)
    parts = [
        _counts(*of_part, *(_spans_from(spans, start) for spans in regions))
        for start, of_part in zip(starts, sides, strict=True)
    ]
    official, *strict, switches = (
        {name: np.concatenate([counts[name] for counts in of_parts]) for name in of_parts[0]}
        for of_parts in zip(*parts, strict=True)
    )
    return Comparison(
        reference.recordings,
        prediction_states(reference.recordings, predictions),
        official,
        dict(zip(COLLARS_MS, strict, strict=True)),
        Switches(**switches),
    )


def _counts(
    reference: TurnTable, predictions: TurnTable, official_regions: np.ndarray, strict_regions: np.ndarray
) -> list[dict[str, np.ndarray]]:
    """Counts under official, under strict by collar, and switches, of some recordings."""
    return [
        official_counts(reference, predictions, official_regions),
        *(strict_counts(reference, predictions, strict_regions, collar_ms=collar_ms) for collar_ms in COLLARS_MS),
        vars(compare_switches(reference, predictions, strict_regions)),
    ]


def _spans_from(spans: np.ndarray, start: int) -> np.ndarray:
    """Those of the recordings that are counted at once, from the one at this place on, by their places there."""
    recording = spans[:, 0]
    return spans[(recording >= start) & (recording < start + _RECORDINGS_AT_ONCE)] - [start, 0, 0]


def compare_corpus(
    corpus: str,
    recordings: Sequence[Recording],
    turns: pa.Table,
    regions: Mapping[str, Iterable[Region]],
    predictions: pa.Table,
) -> Comparison:
    """Compare the predictions for a corpus, whose evaluated regions are given by protocol, but for those of recordings
    without labels. turns, predictions: tables of turns.

    Raises InputError for a corpus without labels, a labelled recording without an evaluated region, and turns, regions
    or predictions of a recording that the corpus does not have.
    """
    labelled = [each.recording for each in recordings if each.form in LABELLED]
    if not labelled:
        raise InputError(f"corpus '{corpus}' has no labelled recording; score a corpus with labels")
    unlabelled = {each.recording for each in recordings} - set(labelled)
    of_labelled = ([each for each in regions[p] if each.recording not in unlabelled] for p in ("official", "strict"))
    official, strict = (spans(evaluated, labelled) for evaluated in of_labelled)
    if without := sorted(set(range(len(labelled))) - set(official[:, 0].tolist())):
        raise InputError(f"'{labelled[without[0]]}' of '{corpus}' has no evaluated region ({len(without)} such)")
    return compare_turns(*(stored_turns(side, labelled, unlabelled) for side in (turns, predictions)), official, strict)


def prediction_states(recordings: Sequence[str], predictions: TurnTable) -> list[str]:
    """``missing``, ``empty`` (no English and no Mandarin turn) or ``given`` of each recording."""
    states = dict(
        zip(predictions.recordings, np.where(predictions.has_speech(), "given", "empty").tolist(), strict=True)
    )
    return [states.get(name, "missing") for name in recordings]


def recording_columns(compared: Comparison) -> dict:
    """The columns of ``ld_recordings`` but corpus and model."""
    strict = compared.strict[0]
    return {
        "recording": compared.recordings,
        "pair": [pair_of(name) for name in compared.recordings],
        "prediction": compared.prediction,
        **{f"official_{name}": values for name, values in compared.official.items()},
        **strict,
        "lder": [None if np.isnan(value) else value for value in lder(strict).tolist()],
    }


def collar_rows(compared: Comparison) -> list[dict]:
    """Rows of ``ld_collars`` but corpus and model."""
    kept = ("scored_ms", "reference_ms", "miss_ms", "false_alarm_ms", "confusion_ms")
    rows = []
    for collar_ms, counts in compared.strict.items():
        total = pooled(counts)
        rows.append({"collar_ms": collar_ms, **plain({"lder": lder(total)})} | {name: total[name] for name in kept})
    return rows


def switch_columns(compared: Comparison) -> dict:
    """The columns of ``ld_switches`` but corpus and model."""
    return {"recording": compared.recordings, "tolerance_ms": TOLERANCE_MS, **vars(compared.switches)}


def scores(compared: Comparison) -> list[Score]:
    """The scores; the unit is the pair of parent and child, or the recording where that is not known.

    n_items are recordings; coverage: the share of them with at least one predicted turn. Subsets of strict's LDER:
    ``collar_ms=…``, ``recordings=worst-decile``, the tenth of them, rounded up, with the highest LDER, and ``pair=…``.
    Switches are scored with a ``tolerance_ms=…``.
    """
    strict = compared.strict[0]
    rated = lder(strict)
    worst = np.flatnonzero(worst_decile(_worst_first(rated), np.ones((1, len(rated)), np.int64))[0])
    found = [
        _score(compared, "official", "all", compared.official, _official_formula),
        _score(compared, "strict", "all", strict, _strict_formula),
        *(
            _score(compared, "strict", f"collar_ms={collar_ms}", counts, _lder_formula)
            for collar_ms, counts in compared.strict.items()
            if collar_ms
        ),
        _score(compared, "strict", f"tolerance_ms={TOLERANCE_MS}", vars(compared.switches), _switch_formula),
        replace(
            _score(compared, "strict", "recordings=worst-decile", strict, _worst_formula),
            n_items=len(worst),
            coverage=_coverage(compared, worst),
        ),
    ]
    pairs = np.array([pair_of(name) or "" for name in compared.recordings])
    for pair in np.unique(pairs[pairs != ""]):
        found.append(_score(compared, "strict", f"pair={pair}", strict, _lder_formula, np.flatnonzero(pairs == pair)))
    return found


def _score(
    compared: Comparison,
    protocol: str,
    subset: str,
    counts: Mapping[str, np.ndarray],
    formula: Formula,
    chosen: np.ndarray | None = None,
) -> Score:
    chosen = np.arange(len(compared.recordings)) if chosen is None else chosen
    names = [compared.recordings[place] for place in chosen]
    units, unit = numbered(pair_of(name) or name for name in names)
    statistics = np.column_stack(list(counts.values()))[chosen]
    return Score(protocol, subset, units, unit, statistics, formula, len(names), _coverage(compared, chosen))


def _coverage(compared: Comparison, chosen: np.ndarray) -> float | None:
    given = np.array([state == "given" for state in compared.prediction], bool)[chosen]
    return float(given.mean()) if len(given) else None


@by_totals
def _official_formula(score: Score, weights: np.ndarray | Singled) -> dict[str, np.ndarray]:
    rates = official_rates(dict(zip(OFFICIAL_COUNTS, totals(score, weights), strict=True)))
    return {"lder": rates.pop("pooled_error_rate"), **rates}


@by_totals
def _strict_formula(score: Score, weights: np.ndarray | Singled) -> dict[str, np.ndarray]:
    return strict_rates(dict(zip(STRICT_COUNTS, totals(score, weights), strict=True)))


@by_totals
def _lder_formula(score: Score, weights: np.ndarray | Singled) -> dict[str, np.ndarray]:
    return {"lder": _strict_formula(score, weights)["lder"]}


def _worst_formula(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    rated = lder(dict(zip(STRICT_COUNTS, score.statistics.T, strict=True)))
    worst = worst_decile(_worst_first(rated), of_rows(score, weights))
    by_recording = replace(score, units=range(len(rated)), unit=np.arange(len(rated)))
    return _lder_formula(by_recording, worst)


@by_totals
def _switch_formula(score: Score, weights: np.ndarray | Singled) -> dict[str, np.ndarray]:
    return switch_rates(*totals(score, weights))


def _worst_first(rated: np.ndarray) -> np.ndarray:
    """The places of the rates that are defined, from the highest on, equal ones in their order."""
    return np.argsort(-rated, kind="stable")[: np.isfinite(rated).sum()]
