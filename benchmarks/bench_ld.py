"""Diarization scoring speed against per-millisecond scorers, spy-der and pyannote.metrics on the same turns.

151 recordings, 28.6 hours and about 52,000 turns a side, as in the development set; a quarter of the turns overlaps the
one before. All scorers start from turns in memory and end with one LDER without a collar, which must agree. The peers
know speakers, not languages: languages are given as speakers. spy-der and pyannote's diarization error rate map labels
as suits the prediction best; these predictions are good enough that the best mapping is the true one. Neither joins
overlapping turns of one speaker, so they get them joined beforehand, outside the measured time.
"""

import numpy as np
import spyder
from pyannote.core import Annotation, Segment, Timeline
from pyannote.metrics.diarization import DiarizationErrorRate
from pyannote.metrics.identification import IdentificationErrorRate
from timing import best_of, compared

from sinobench.ld.metrics import lder, official_counts, official_rates, pooled, strict_counts
from sinobench.ld.switches import compare_switches
from sinobench.ld.turns import ENGLISH, MANDARIN, TurnTable
from sinobench.merlion.annotation.labels import LANGUAGES
from sinobench.merlion.intervals import union
from sinobench.score import plain

Turn = tuple[int, int, int]  # place of its language, start and end in ms

N_RECORDINGS, DURATION_MS, N_TURNS, REPEATS = 151, 682_000, 345, 5


def errors_of(truth: list[Turn], found: list[Turn], evaluated: list[tuple[int, int]]) -> tuple[int, int]:
    """The ms in error and the ms of reference in a recording."""
    errors = total = 0
    length = max(end for _, _, end in [*truth, *found, (0, *evaluated[-1])])
    cover = np.zeros((4, length), np.int8)
    for side, turns in enumerate((truth, found)):
        for language, start, end in turns:
            cover[2 * side + language, start:end] = 1
    for start, end in evaluated:
        english, mandarin, predicted_english, predicted_mandarin = cover[:, start:end]
        r, h = english + mandarin, predicted_english + predicted_mandarin
        right = (english & predicted_english) + (mandarin & predicted_mandarin)
        errors += int((np.maximum(r, h) - right).sum())
        total += int(r.sum())
    return errors, total


def random_turns() -> tuple[TurnTable, TurnTable, np.ndarray]:
    """Reference, predictions (bounds moved, a tenth of the languages wrong) and the evaluated regions."""
    draw = np.random.default_rng(1)
    n = N_RECORDINGS * N_TURNS
    recording = np.repeat(np.arange(N_RECORDINGS), N_TURNS)
    step = DURATION_MS // N_TURNS
    start = 1 + np.tile(np.arange(N_TURNS) * step, N_RECORDINGS) + draw.integers(0, step // 4, n)
    end = start + draw.integers(step // 4, step * 5 // 4, n)
    language = (draw.random(n) < 0.2).astype(np.int8)
    moved = np.sort(np.maximum(np.stack([start, end]) + draw.integers(-200, 200, (2, n)), 0), axis=0)
    wrong = (draw.random(n) < 0.1).astype(np.int8)
    names = [f"recording{number:03d}" for number in range(N_RECORDINGS)]
    regions = [(r, a, b) for r in range(N_RECORDINGS) for a, b in ((1_000, 300_000), (305_000, DURATION_MS - 5_000))]
    reference = TurnTable(names, recording, start, end, language)
    return reference, TurnTable(names, recording, *moved, language ^ wrong), np.array(regions)


def joined(turns: TurnTable) -> list[list[tuple[str, int, int]]]:
    """(language, start_ms, end_ms) by recording; turns of one language don't overlap."""
    found = []
    for recording in range(N_RECORDINGS):
        chosen = [turns.spans(language) for language in (ENGLISH, MANDARIN)]
        pairs = [union(spans[spans[:, 0] == recording, 1:]).tolist() for spans in chosen]
        found.append([(LANGUAGES[code], *pair) for code, each in enumerate(pairs) for pair in each])
    return found


def by_arrays(reference: list, predictions: list, regions: list) -> float:
    """LDER from NumPy arrays with an element for each millisecond."""
    sides = (
        [[(LANGUAGES.index(name), a, b) for name, a, b in turns] for turns in side] for side in (reference, predictions)
    )
    counts = [errors_of(*recording) for recording in zip(*sides, regions, strict=True)]
    return sum(errors for errors, _ in counts) / sum(total for _, total in counts)


def by_spyder(reference: dict, predictions: dict, regions: dict) -> float:
    """LDER of spy-der, with an optimal mapping."""
    return spyder.DER(reference, predictions, uem=regions)["Overall"].der


def by_pyannote(metric, reference: list, predictions: list, regions: list) -> float:
    """LDER of pyannote.metrics."""
    for truth, found, evaluated in zip(reference, predictions, regions, strict=True):
        metric(truth, found, uem=evaluated)
    return abs(metric)


def annotation(turns: list[tuple[str, int, int]]) -> Annotation:
    """Turns for pyannote, in seconds."""
    found = Annotation()
    for track, (language, start, end) in enumerate(turns):
        found[Segment(start / 1000, end / 1000), track] = language
    return found


def main() -> None:
    """Print one line a scorer with its ratio to ours."""
    reference, predictions, regions = random_turns()
    ours_s, counts = best_of(REPEATS, strict_counts, reference, predictions, regions)
    ours = float(lder(pooled(counts)))
    print(f"{N_RECORDINGS} recordings, {len(reference.start_ms):,} turns a side, LDER {ours:.6f}")
    print(f"sinobench strict: {ours_s * 1000:.1f} ms")
    official_s, counts = best_of(REPEATS, official_counts, reference, predictions, regions)
    print(f"sinobench official: {official_s * 1000:.1f} ms {plain(official_rates(pooled(counts)))}")
    collar_s, _ = best_of(REPEATS, lambda *turns: strict_counts(*turns, collar_ms=250), reference, predictions, regions)
    switches_s, _ = best_of(REPEATS, compare_switches, reference, predictions, regions)
    print(f"sinobench strict with a collar: {collar_s * 1000:.1f} ms; switches: {switches_s * 1000:.1f} ms")

    sides = joined(reference), joined(predictions)
    evaluated = [regions[regions[:, 0] == recording, 1:].tolist() for recording in range(N_RECORDINGS)]
    names = reference.recordings
    in_seconds = [
        {n: [(w, a / 1000, b / 1000) for w, a, b in turns] for n, turns in zip(names, side, strict=True)}
        for side in sides
    ]
    uem = {n: [(a / 1000, b / 1000) for a, b in pairs] for n, pairs in zip(names, evaluated, strict=True)}
    annotations = [[annotation(turns) for turns in side] for side in sides]
    timelines = [Timeline([Segment(a / 1000, b / 1000) for a, b in pairs]) for pairs in evaluated]
    for name, repeats, function, arguments in (
        ("milliseconds in arrays", 2, by_arrays, (*sides, evaluated)),
        ("spy-der", REPEATS, by_spyder, (*in_seconds, uem)),
        ("pyannote identification", 1, by_pyannote, (IdentificationErrorRate(), *annotations, timelines)),
        ("pyannote diarization", 1, by_pyannote, (DiarizationErrorRate(), *annotations, timelines)),
    ):
        seconds, found = best_of(repeats, function, *arguments)
        if abs(found - ours) > 1e-6:
            raise SystemExit(f"{name}: LDER {found}, not {ours}")
        compared("LDER of turns in memory", ours_s, name, seconds)


if __name__ == "__main__":
    main()
