"""Scores of language diarization for one model on one corpus, and the rows of the result tables made of them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sinobench.ld.metrics import lder, official_counts, official_rates, pooled, strict_counts, strict_rates
from sinobench.ld.switches import TOLERANCE_MS, Switches, compare_switches, switch_rates
from sinobench.ld.turns import TurnTable
from sinobench.merlion.pairs import pair_of

COLLARS_MS = (0, 100, 250, 500)


@dataclass(frozen=True)
class Scores:
    """Counts by recording under both protocols, the plan's by collar too; ``prediction``: given, empty or missing."""

    recordings: list[str]
    prediction: list[str]
    official: dict[str, np.ndarray]
    strict: dict[int, dict[str, np.ndarray]]
    switches: Switches


def score(
    reference: TurnTable, predictions: TurnTable, official_regions: np.ndarray, strict_regions: np.ndarray
) -> Scores:
    """Score the predictions; regions are (m, 3) spans by the reference's recordings.

    Raises InputError for predictions of a recording that the reference does not have.
    """
    aligned = predictions.aligned(reference.recordings)
    return Scores(
        reference.recordings,
        prediction_states(reference.recordings, predictions),
        official_counts(reference, aligned, official_regions),
        {collar_ms: strict_counts(reference, aligned, strict_regions, collar_ms=collar_ms) for collar_ms in COLLARS_MS},
        compare_switches(reference, aligned, strict_regions),
    )


def prediction_states(recordings: Sequence[str], predictions: TurnTable) -> list[str]:
    """``missing``, ``empty`` (no English and no Mandarin turn) or ``given`` of each recording."""
    states = dict(
        zip(predictions.recordings, np.where(predictions.has_speech(), "given", "empty").tolist(), strict=True)
    )
    return [states.get(name, "missing") for name in recordings]


def recording_columns(scores: Scores) -> dict:
    """The columns of ``ld_recordings`` but corpus and model."""
    strict = scores.strict[0]
    return {
        "recording": scores.recordings,
        "pair": [pair_of(name) for name in scores.recordings],
        "prediction": scores.prediction,
        **{f"official_{name}": values for name, values in scores.official.items()},
        **strict,
        "lder": _lder_by_recording(strict),
    }


def collar_rows(scores: Scores) -> list[dict]:
    """Rows of ``ld_collars`` but corpus and model."""
    kept = ("scored_ms", "reference_ms", "miss_ms", "false_alarm_ms", "confusion_ms")
    rows = []
    for collar_ms, counts in scores.strict.items():
        total = pooled(counts)
        rows.append({"collar_ms": collar_ms, "lder": lder(total)} | {name: total[name] for name in kept})
    return rows


def switch_columns(scores: Scores) -> dict:
    """The columns of ``ld_switches`` but corpus and model."""
    return {"recording": scores.recordings, "tolerance_ms": TOLERANCE_MS, **vars(scores.switches)}


def metric_rows(scores: Scores) -> list[dict]:
    """Rows of ``metrics`` but task, corpus and model; ``n`` is the number of recordings.

    coverage: the share of recordings with at least one predicted turn. Subsets of the plan's LDER: ``collar … ms``,
    ``pair …`` (parent and child) and ``worst decile``, pooled over the tenth of recordings, rounded up, with the
    highest LDER. Switches are scored with a ``tolerance … ms``.
    """
    covered = np.array([state == "given" for state in scores.prediction])
    strict = scores.strict[0]
    official = official_rates(pooled(scores.official))
    rows = _rows("official", "all", {"lder": official.pop("pooled_error_rate"), **official}, covered)
    rows += _rows("strict", "all", strict_rates(pooled(strict)), covered)
    for collar_ms, counts in scores.strict.items():
        if collar_ms:
            rows += _rows("strict", f"collar {collar_ms} ms", {"lder": lder(pooled(counts))}, covered)
    rates = switch_rates(**pooled(vars(scores.switches)))
    rows += _rows("strict", f"tolerance {TOLERANCE_MS} ms", rates, covered)
    groups = {"worst decile": _worst_decile(strict)} | {f"pair {k}": v for k, v in _pairs(scores.recordings).items()}
    for subset, chosen in groups.items():
        rows += _rows("strict", subset, {"lder": lder(pooled(strict, chosen))}, covered[chosen])
    return rows


def _rows(protocol: str, subset: str, metrics: Mapping[str, float | None], covered: np.ndarray) -> list[dict]:
    coverage = float(covered.mean()) if len(covered) else None
    common = {"protocol": protocol, "subset": subset, "n_items": len(covered), "coverage": coverage}
    return [{**common, "metric": metric, "value": value} for metric, value in metrics.items()]


def _lder_by_recording(counts: Mapping[str, np.ndarray]) -> list[float | None]:
    columns = (values.tolist() for values in counts.values())
    return [lder(dict(zip(counts, values, strict=True))) for values in zip(*columns, strict=True)]


def _worst_decile(counts: Mapping[str, np.ndarray]) -> list[int]:
    rated = [(-value, place) for place, value in enumerate(_lder_by_recording(counts)) if value is not None]
    return [place for _, place in sorted(rated)[: -(-len(rated) // 10)]]


def _pairs(recordings: Sequence[str]) -> dict[str, list[int]]:
    places = defaultdict(list)
    for place, name in enumerate(recordings):
        if pair := pair_of(name):
            places[pair].append(place)
    return dict(sorted(places.items()))
