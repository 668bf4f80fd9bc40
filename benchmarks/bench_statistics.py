"""Speed of intervals and tests against a matrix product over all sentences and scipy's bootstrap, in the same run.

15,000 sentences and two systems that differ in a tenth of them; 50,000 segments in 150 recordings. 10,000 resamples
each; the peers draw as many, or a part of it that is said and scaled up, and their intervals must agree. Memory is the
peak of the process up to there, all of the peers' left to the end.
All on one core, in seconds of its time, which others on the machine do not change.
Run: ``python benchmarks/bench_statistics.py``; prints how many times as fast first, then each way.
"""

import resource
import sys
import time
from collections.abc import Callable

import numpy as np
import scipy.stats
from simulate_coverage import recordings, sentences
from threadpoolctl import threadpool_limits
from timing import compared

from sinobench.csc.metrics import COUNTS, strict_formula
from sinobench.lid.metrics import strict, strict_rows
from sinobench.lid.roc import eer, once
from sinobench.results.statistics.comparison import differences
from sinobench.results.statistics.intervals import figures, intervals
from sinobench.results.statistics.resampling import Settings, bag, generator, resamples
from sinobench.score import Score

N_SENTENCES, N_MANY, N_RECORDINGS, N_SEGMENTS, REPEATS = 15_000, 150_000, 150, 50_000, 3
SETTINGS = Settings()
F1 = "correction_f1"


def two_systems(n_sentences: int = N_SENTENCES) -> list[Score]:
    """The second system does as the first in nine sentences of ten."""
    random = np.random.default_rng(1)
    (first, other), unit = sentences(n_sentences, 2, random)
    same = (random.random(n_sentences) < 0.9) | (first[:, COUNTS.index("true")] != other[:, COUNTS.index("true")])
    names = [f"{i:06}" for i in unit]
    rows = (first, np.where(same[:, None], first, other))
    return [Score("strict", "all", names, unit, each, strict_formula, n_sentences, 1.0) for each in rows]


def segments() -> list[Score]:
    """Two systems on several draws of recordings, the first of each joined as one, and so on."""
    random = np.random.default_rng(2)
    sides, units = ([], []), []
    while sum(map(len, units)) < N_SEGMENTS:
        drawn, unit = recordings(N_RECORDINGS, 2, random)
        units.append(unit)
        for side, rows in zip(sides, drawn, strict=True):
            side.append(rows)
    unit, names = np.concatenate(units)[:N_SEGMENTS], [f"{i:03}" for i in range(N_RECORDINGS)]
    scores = []
    for side in sides:
        llr, _, is_english = np.concatenate(side)[:N_SEGMENTS].T
        trials = strict_rows(np.column_stack([llr, np.zeros(N_SEGMENTS), is_english]))
        scores.append(Score("strict", "all", names, unit, trials, strict, N_SEGMENTS, 1.0))
    return scores


def joint_resamples(a: Score, b: Score) -> np.ndarray:
    """(2, resamples) the F1 of both systems in the same resamples of sentences."""
    units = bag(a, b)
    drawn = resamples(units, SETTINGS.resamples, generator(SETTINGS.seed, "benchmark"))
    parts = [[figures(side, weights)[F1] for side in units.sides] for weights in drawn]
    return np.concatenate(parts, axis=1)


def by_matrix_product(a: Score, b: Score) -> np.ndarray:
    """The same by how often each sentence is drawn: resamples by sentences, times sentences by counts."""
    random, rows = np.random.default_rng(3), np.hstack([a.statistics, b.statistics]).astype(float)
    parts = []
    for _ in range(SETTINGS.resamples // 100):
        drawn = random.integers(0, N_SENTENCES, (100, N_SENTENCES))
        counts = np.array([np.bincount(row, minlength=N_SENTENCES) for row in drawn])
        parts.append(f1(*np.split(counts @ rows, 2, axis=1)))
    return np.concatenate(parts, axis=1)


def f1(*sums: np.ndarray) -> list[np.ndarray]:
    """Of each system's sums of counts (r, len(COUNTS))."""
    true, found, corrected = (COUNTS.index(name) for name in ("true", "found", "corrected"))
    return [2 * each[:, corrected] / (each[:, found] + each[:, true]) for each in sums]


def by_scipy(score: Score, n_resamples: int) -> np.ndarray:
    """The distribution of one system's F1 by scipy."""
    columns = tuple(score.statistics[:, COUNTS.index(name)] for name in ("true", "found", "corrected"))

    def statistic(true: np.ndarray, found: np.ndarray, corrected: np.ndarray, axis: int) -> np.ndarray:
        return 2 * corrected.sum(axis=axis) / (true.sum(axis=axis) + found.sum(axis=axis))

    return scipy.stats.bootstrap(
        columns, statistic, paired=True, n_resamples=n_resamples, batch=100, method="percentile", rng=4
    ).bootstrap_distribution


def eer_by_sorting(score: Score, n_resamples: int) -> np.ndarray:
    """The EER in resamples of recordings, each sorted anew."""
    random = np.random.default_rng(5)
    llr, _, is_english = score.statistics.T
    of = [np.flatnonzero(score.unit == unit) for unit in range(N_RECORDINGS)]
    rates = []
    for _ in range(n_resamples):
        drawn = np.concatenate([of[unit] for unit in random.integers(0, N_RECORDINGS, N_RECORDINGS)])
        rates.append(once(eer, llr[drawn], is_english[drawn].astype(bool)))
    return np.array(rates)


def line(name: str, seconds: float, low: float, high: float) -> str:
    """Time, interval, peak memory up to here."""
    # Kilobytes, but bytes on a Mac.
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    return f"{name}: {seconds:.2f} s, interval {low:.4f} to {high:.4f}, peak {peak_mb:.0f} MB"


def best_of(repeats: int, function: Callable, *arguments: object) -> tuple[float, object]:
    """The shortest of some runs in seconds of the processor, and the result of the last."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        result = function(*arguments)
        times.append(time.process_time() - started)
    return min(times), result


def bounds(values: np.ndarray) -> np.ndarray:
    """Of resampled values."""
    return np.quantile(values, [0.025, 0.975])


def main() -> None:
    """Print the ratios, then one line a way; fail where the ways disagree."""
    a, b = two_systems()
    lines = []
    fast_s, fast = best_of(REPEATS, joint_resamples, a, b)
    lines.append(line("F1 of both systems in the same resamples, sinobench", fast_s, *bounds(fast[0])))
    paired_s, found = best_of(REPEATS, differences, a, b, SETTINGS)
    name = f"paired differences, intervals and tests of {len(found)} metrics, F1 shown"
    lines.append(line(name, paired_s, found[F1].low, found[F1].high))
    many_s, of_many = best_of(1, differences, *two_systems(N_MANY), SETTINGS)
    lines.append(line(f"the same of {N_MANY:,} sentences", many_s, of_many[F1].low, of_many[F1].high))
    score, other = segments()
    intervals(score, Settings(resamples=100))  # loads the compiled loop
    eer_s, of_one = best_of(1, intervals, score, SETTINGS)
    lines.append(line(f"EER and {len(of_one) - 1} other metrics", eer_s, of_one["eer"].low, of_one["eer"].high))
    pair_s, of_two = best_of(1, differences, score, other, SETTINGS)
    name = "difference, interval and test of two systems' EER and the others"
    lines.append(line(name, pair_s, of_two["eer"].low, of_two["eer"].high))

    slow_s, slow = best_of(1, by_matrix_product, a, b)
    lines.append(line("F1 of both systems, matrix product", slow_s, *bounds(slow[0])))
    scipy_s, peer = best_of(1, by_scipy, a, SETTINGS.resamples // 10)
    lines.append(line("F1 of one system, scipy.stats.bootstrap, a tenth of the resamples", scipy_s, *bounds(peer)))
    sorting_s, sorted_anew = best_of(1, eer_by_sorting, score, SETTINGS.resamples // 100)
    lines.append(line("EER sorted anew in each of a hundredth of the resamples", sorting_s, *bounds(sorted_anew)))

    compared("bootstrap of two systems' F1", fast_s, "matrix product", slow_s)
    compared("bootstrap of two systems' F1", fast_s, "scipy.stats.bootstrap, scaled", 20 * scipy_s)
    compared("bootstrap of EER and the other metrics", eer_s, "sorting anew, EER alone, scaled", 100 * sorting_s)
    n_kinds = len(bag(a, b).size)
    print(f"{N_SENTENCES:,} sentences of {n_kinds} kinds; {N_SEGMENTS:,} segments in {N_RECORDINGS} recordings")
    print(*lines, sep="\n")
    if not np.allclose(bounds(fast[0]), bounds(slow[0]), atol=5e-4):
        raise SystemExit("the intervals of the two ways differ")


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
