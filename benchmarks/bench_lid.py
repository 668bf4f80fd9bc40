"""Equal error rate against a plain pool-adjacent-violators loop in Python on the same trials in the same run.

100,000 trials with a fixed seed, one in five a target as Mandarin is in the challenge's development set: with scores
that all differ, and with scores rounded to halves. Both ways start from the same scores, sort them, and must agree to
1e-9. Beside it, what the other steps of a score cost.
"""

import random
import tempfile
from pathlib import Path

import numpy as np
from timing import best_of, compared

from sinobench.lid import roc
from sinobench.lid.predictions import read_predictions

N_TRIALS, REPEATS = 100_000, 5


def trials(rounded: bool) -> tuple[np.ndarray, np.ndarray]:
    """Scores of two normal distributions 1.5 apart, and which are targets."""
    chance = np.random.default_rng(1)
    is_target = chance.random(N_TRIALS) < 0.2
    scores = chance.standard_normal(N_TRIALS) + 1.5 * is_target
    return (np.round(scores * 2) / 2 if rounded else scores), is_target


def plain_eer(scores: list[float], is_target: list[bool]) -> float:
    """Sort, pool ties, pool adjacent violators, and cross the hull with the diagonal: one trial after the other."""
    pools: list[list[int]] = []  # targets and others of each pool, from the highest score on
    previous = None
    for score, target in sorted(zip(scores, is_target, strict=True), reverse=True):
        if score != previous:
            while len(pools) > 1 and pools[-1][0] * pools[-2][1] >= pools[-2][0] * pools[-1][1]:
                targets, others = pools.pop()
                pools[-1][0] += targets
                pools[-1][1] += others
            pools.append([0, 0])
            previous = score
        pools[-1][0 if target else 1] += 1
    while len(pools) > 1 and pools[-1][0] * pools[-2][1] >= pools[-2][0] * pools[-1][1]:
        targets, others = pools.pop()
        pools[-1][0] += targets
        pools[-1][1] += others
    n_targets = sum(is_target)
    n_others = len(is_target) - n_targets
    miss, false_alarm = 1.0, 0.0
    for targets, others in pools:
        next_miss, next_false_alarm = miss - targets / n_targets, false_alarm + others / n_others
        if next_miss <= next_false_alarm:
            share = (miss - false_alarm) / (miss - false_alarm - next_miss + next_false_alarm)
            return false_alarm + share * (next_false_alarm - false_alarm)
        miss, false_alarm = next_miss, next_false_alarm
    raise AssertionError("the hull ends where everything is accepted")


def main() -> None:
    """Print one line a kind of scores with the ratio, and one a step."""
    for name, rounded in (("distinct scores", False), ("rounded scores", True)):
        scores, is_target = trials(rounded)
        plain_s, expected = best_of(REPEATS, plain_eer, scores.tolist(), is_target.tolist())
        fast_s, found = best_of(REPEATS, roc.once, roc.eer, scores, is_target)
        if abs(found - expected) > 1e-9:
            raise SystemExit(f"{name}: the ways differ, {found} and {expected}")
        compared(f"EER of {N_TRIALS:,} trials, {name}", fast_s, "plain Python", plain_s)
    scores, is_target = trials(rounded=False)
    print(f"det_points: {best_of(REPEATS, roc.det_points, scores, is_target)[0] * 1e3:.1f} ms")
    print(f"min_cllr: {best_of(REPEATS, roc.once, roc.min_cllr, scores, is_target)[0] * 1e3:.1f} ms")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.txt"
        ids = [f"TTS_P{10000 + i % 100}TT_a{i}_{i}_{i + 900}" for i in range(N_TRIALS)]
        random.Random(1).shuffle(ids)
        for number, lines in (
            (1, (f"{name} {label} {score}\n" for name, score in zip(ids, scores, strict=True) for label in (0, 1))),
            (2, (f"{name} {score} {-score}\n" for name, score in zip(ids, scores, strict=True))),
        ):
            path.write_text("".join(lines), encoding="utf-8")
            seconds, _ = best_of(REPEATS, read_predictions, path, ids)
            print(f"read {N_TRIALS:,} segments in format {number}: {seconds:.2f} s")


if __name__ == "__main__":
    main()
