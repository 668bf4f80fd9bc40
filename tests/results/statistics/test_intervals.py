"""Intervals against scipy's, exact ones and each other; and where there is none."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from sinobench.results.statistics.intervals import intervals, percentile
from sinobench.results.statistics.resampling import Settings, bag, generator, resamples
from sinobench.score import ratio, totals
from tests.results.statistics.material import score, share, shares

SETTINGS = Settings(resamples=4000)


def ratio_of_sums(right, whole, axis=-1):
    return right.sum(axis=axis) / whole.sum(axis=axis)


def test_percentiles_are_scipys_of_the_same_resamples():
    rows = shares(150, 3)
    found = intervals(score(rows), SETTINGS, "csc")["share"]
    assert (found.kind, found.n_units, found.n_undefined) == ("percentile", 150, 0)
    units = bag(score(rows))
    drawn = np.concatenate(list(resamples(units, 4000, generator(2023, "csc", "strict", "all"))))
    values = share(units.sides[0], drawn)["share"]
    reference = scipy.stats.bootstrap(
        tuple(rows.T),
        ratio_of_sums,
        paired=True,
        vectorized=True,
        n_resamples=0,
        method="percentile",
        bootstrap_result=SimpleNamespace(bootstrap_distribution=values),
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), abs=1e-12)


def test_resamples_are_distributed_as_scipys():
    rows = shares(200, 4)
    found = intervals(score(rows), Settings(resamples=20_000), "csc")["share"]
    reference = scipy.stats.bootstrap(
        tuple(rows.T), ratio_of_sums, paired=True, n_resamples=20_000, method="percentile", rng=1
    )
    error = reference.standard_error
    assert (found.low, found.high) == pytest.approx(tuple(reference.confidence_interval), abs=0.06 * error)


@pytest.mark.parametrize(("n_right", "n"), [(0, 8), (8, 8), (5, 8), (1, 30), (99, 99), (4, 500), (500, 500)])
def test_a_share_of_few_units_or_of_nearly_all_has_the_exact_interval(n_right, n):
    rows = np.column_stack([np.arange(n) < n_right, np.ones(n, bool)]).astype(int)
    found = intervals(score(rows), SETTINGS, "csc")["share"]
    exact = scipy.stats.binomtest(n_right, n).proportion_ci(0.95, "exact")
    assert (found.kind, found.n_units) == ("exact", n)
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=1e-12)


def test_a_share_of_many_units_agrees_with_the_exact_interval():
    rows = np.column_stack([np.arange(2000) < 1500, np.ones(2000, bool)]).astype(int)
    found = intervals(score(rows), Settings(), "csc")["share"]
    exact = scipy.stats.binomtest(1500, 2000).proportion_ci(0.95, "exact")
    assert found.kind == "percentile"
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=0.002)


def test_units_without_a_part_in_a_metric_do_not_count_for_it():
    rows = [[0, 0]] * 500 + [[1, 1]] * 5 + [[0, 1]] * 3
    found = intervals(score(rows), SETTINGS, "csc")["share"]
    exact = scipy.stats.binomtest(5, 8).proportion_ci(0.95, "exact")
    assert (found.kind, found.n_units) == ("exact", 8)
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))


def test_few_units_have_students_t_of_the_jackknife_on_the_log_odds():
    rows = shares(12, 5)
    found = intervals(score(rows), SETTINGS, "ld")["share"]
    whole = rows.sum(axis=0)
    value = whole[0] / whole[1]
    without = (whole[0] - rows[:, 0]) / (whole[1] - rows[:, 1])
    error = np.sqrt(11 / 12 * ((without - without.mean()) ** 2).sum())
    bias = 11 * (without.mean() - value)
    centre = value - bias
    half = scipy.stats.t.ppf(0.975, 11) * np.hypot(error, bias) / (centre * (1 - centre))
    bounds = scipy.special.expit(scipy.special.logit(centre) + np.array([-half, half]))
    assert (found.kind, found.n_units) == ("jackknife", 12)
    assert (found.low, found.high) == pytest.approx(tuple(bounds))


def largest(score, weights):
    return {"share": np.where(weights > 0, score.statistics[:, 0], 0).max(axis=1) / 100}


def test_a_biased_metric_of_many_units_has_no_percentiles():
    found = intervals(score([[i, 1] for i in range(1, 101)], largest), SETTINGS, "lid")["share"]
    assert found.kind == "jackknife"


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([[3, 5]], "fewer than two units"),
        ([[3, 5], [0, 0], [0, 0]], "fewer than two units"),
        ([[0, 0], [0, 0]], "the metric has no value"),
        ([[3, 5]] * 4, "the units do not differ"),
        ([[3, 5]] * 400, "the units do not differ"),
    ],
)
def test_where_there_is_no_interval_it_says_why(rows, why):
    found = intervals(score(rows), SETTINGS, "lid")["share"]
    assert (found.low, found.high, found.kind) == (None, None, f"none: {why}")


def balanced(score, weights):
    right, whole, other_right, other_whole = totals(score, weights)
    return {"balanced": (ratio(right, whole) + ratio(other_right, other_whole)) / 2}


def test_a_metric_without_value_in_some_resamples_says_in_how_many():
    only = [[3, 5, 0, 0], [4, 5, 0, 0]] * 60
    with_other = [[3, 4, 1, 2], [4, 5, 1, 2], [4, 5, 2, 3], [4, 5, 2, 4]]
    few = intervals(score([*only, *with_other], balanced), SETTINGS, "lid")["balanced"]
    assert few.kind == "percentile"
    assert few.n_undefined / 4000 == pytest.approx((1 - 4 / 124) ** 124, abs=0.008)
    one = intervals(score([*only[:9], [3, 4, 1, 2]], balanced), SETTINGS, "lid")["balanced"]
    assert (one.kind, one.n_undefined) == ("none: undefined without one of the units", 1)


@limits(max_examples=25, deadline=None)
@given(st.integers(2, 150), st.integers(0, 1000), st.randoms(use_true_random=False))
def test_the_order_of_units_changes_nothing(n, seed, random):
    rows = shares(n, seed)
    order = list(range(n))
    random.shuffle(order)
    names = [f"u{i:05}" for i in range(n)]
    small = Settings(resamples=200)
    one = intervals(score(rows, units=names), small, "csc")
    other = intervals(score(rows[order], units=[names[i] for i in order]), small, "csc")
    assert one == other


def test_a_pool_is_resampled_by_part():
    rows = np.vstack([[[9, 10]] * 60, [[1, 10]] * 60])
    assert intervals(score(rows), SETTINGS, "g2p")["share"].kind == "percentile"
    pooled = intervals(score(rows, strata=["a"] * 60 + ["b"] * 60), SETTINGS, "g2p")["share"]
    assert pooled.kind == "none: the units do not differ"


def test_percentiles_of_the_defined_values_only():
    found = percentile(np.array([np.nan, *range(101), np.nan]), 0.9, 200)
    assert (found.low, found.high) == pytest.approx((5, 95))
    assert found.n_undefined == 2
