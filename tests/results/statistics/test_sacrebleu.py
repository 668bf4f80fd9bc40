"""Paired tests and intervals against sacrebleu's, on counts of spelling check."""

import numpy as np
import pytest
from sacrebleu.significance import Result, _paired_ar_test, _paired_bs_test

from sinobench.csc.metrics import COUNTS, strict_formula
from sinobench.results.statistics.comparison import differences
from sinobench.results.statistics.intervals import figures, intervals
from sinobench.results.statistics.resampling import Settings, bag, generator, resamples
from tests.results.statistics.material import score

N, N_SAMPLES = 400, 5000
SETTINGS = Settings(resamples=N_SAMPLES)
METRIC = "correction_f1"


class F1:
    """What sacrebleu asks of a metric; the counts of a sentence stand for its text."""

    def _extract_corpus_statistics(self, counts, _references):
        return counts

    def _compute_score_from_stats(self, summed):
        true, found, corrected = (float(summed[COUNTS.index(name)]) for name in ("true", "found", "corrected"))
        return Result(2 * corrected / (true + found))

    def _aggregate_and_compute(self, counts):
        return self._compute_score_from_stats(np.sum(counts, axis=0))


def two_systems(ease):
    """Counts of sentences of one to four errors, of which a system corrects a share like .6 or ``ease``."""
    random = np.random.default_rng(4)
    true, hard = random.integers(1, 5, N), random.beta(6, 4, N)
    sides = []
    for share in (hard, np.clip(hard + ease - 0.6, 0, 1)):
        detected = random.binomial(true, share)
        counts = dict.fromkeys(COUNTS, np.zeros(N, np.int64)) | {"n": np.ones(N, np.int64), "true": true}
        counts |= {"found": detected + random.poisson(0.2, N), "corrected": random.binomial(detected, 0.9)}
        sides.append(np.column_stack(list(counts.values())))
    return sides


def sacrebleu_of(test, a, b):
    first = {METRIC: (a, F1()._aggregate_and_compute(a))}
    return test(first, "b", b, None, {METRIC: F1()}, n_samples=N_SAMPLES, seed=1)[1][METRIC]


@pytest.mark.parametrize("ease", [0.6, 0.63, 0.66])
def test_p_is_that_of_sacrebleus_approximate_randomization(ease):
    a, b = two_systems(ease)
    found = differences(*(score(rows, strict_formula) for rows in (a, b)), SETTINGS)[METRIC]
    p = sacrebleu_of(_paired_ar_test, a, b).p_value
    # Both are samples of the exchanges; sacrebleu counts no tie.
    assert found.p == pytest.approx(p, abs=4 * np.sqrt(2 * p * (1 - p) / N_SAMPLES) + 4 / N_SAMPLES)


@pytest.mark.parametrize("ease", [0.6, 0.66])
def test_paired_resamples_are_distributed_as_sacrebleus(ease):
    a, b = (score(rows, strict_formula) for rows in two_systems(ease))
    theirs = sacrebleu_of(_paired_bs_test, a.statistics, b.statistics)
    ours = intervals(b, SETTINGS)[METRIC]
    assert (ours.high - ours.low) / 2 == pytest.approx(theirs.ci, rel=0.06)
    assert (ours.high + ours.low) / 2 == pytest.approx(theirs.mean, abs=0.1 * theirs.ci)

    units = bag(a, b)
    drawn = np.concatenate(list(resamples(units, N_SAMPLES, generator(1))))
    one, other = (figures(side, drawn)[METRIC] for side in units.sides)
    distance = np.abs(other - one)
    observed = abs(a.metrics()[METRIC] - b.metrics()[METRIC])
    p = (np.sum(distance - distance.mean() > observed) + 1) / (N_SAMPLES + 1)
    error = np.sqrt(2 * p * (1 - p) / N_SAMPLES)
    assert p == pytest.approx(theirs.p_value, abs=5 * error + 4 / N_SAMPLES)
