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


def test_what_came_out_alike_has_one_interval_and_another_level_and_formula_their_own():
    rows = shares(50, 3)
    once, again = (intervals(score(rows, subset=subset), SETTINGS, "g2p")["share"] for subset in ("one", "other"))
    assert once == again and once.kind == "jackknife"
    wide = intervals(score(rows), Settings(resamples=4000, level=0.99), "g2p")["share"]
    assert wide.low < once.low and wide.high > once.high
    [other] = intervals(score(rows, lambda of, weights: {"half": share(of, weights)["share"] / 2}), SETTINGS).values()
    assert other.high < once.low
    parts = ["a"] * 25 + ["b"] * 25
    apart, swapped = (intervals(score(each, strata=parts), SETTINGS)["share"] for each in (rows, np.sort(rows, axis=0)))
    assert apart != once and apart != swapped


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


@pytest.mark.parametrize("n", [2, 8, 30, 500])
def test_a_share_of_units_counts_the_observed_number_half_in_each_tail(n):
    for n_right in {0, 1, n // 3, n - 1, n}:
        found = intervals(score(right_of(n_right, n)), SETTINGS, "csc")["share"]
        assert (found.kind, found.n_units) == ("mid-p", n)
        whole = scipy.stats.binomtest(n_right, n).proportion_ci(0.95, "exact")
        assert whole.low <= found.low <= n_right / n <= found.high <= whole.high
        binomial = scipy.stats.binom
        if n_right:
            tail = binomial.sf(n_right, n, found.low) + binomial.pmf(n_right, n, found.low) / 2
            assert tail == pytest.approx(0.025, abs=1e-9)
        if n_right < n:
            tail = binomial.cdf(n_right - 1, n, found.high) + binomial.pmf(n_right, n, found.high) / 2
            assert tail == pytest.approx(0.025, abs=1e-9)


def test_a_share_of_many_units_has_the_exact_interval_and_that_of_the_bootstrap():
    found = intervals(score(right_of(1500, 2000)), SETTINGS, "csc")["share"]
    exact = scipy.stats.binomtest(1500, 2000).proportion_ci(0.95, "exact")
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=3e-4)
    drawn = np.random.default_rng(1).binomial(2000, 0.75, 20_000) / 2000
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), abs=1e-3)


@pytest.mark.parametrize("n", [8, 20, 75, 150])
def test_the_interval_of_a_share_holds_its_level_whatever_the_share(n):
    """Exactly, from the binomial: no simulation."""
    bounds = [intervals(score(right_of(k, n)), SETTINGS)["share"] for k in range(n + 1)]
    low, high = np.array([[each.low, each.high] for each in bounds]).T
    share = np.linspace(0.05, 0.95, 91)[:, None]
    held = (scipy.stats.binom.pmf(np.arange(n + 1), n, share) * ((low <= share) & (share <= high))).sum(axis=1)
    assert held.min() >= 0.925 and 0.948 <= held.mean() <= 0.972


def right_of(n_right, n):
    return np.column_stack([np.arange(n) < n_right, np.ones(n, bool)]).astype(int)


def test_units_without_a_part_in_a_metric_do_not_count_for_it():
    rows = [[0, 0]] * 500 + [[1, 1]] * 5 + [[0, 1]] * 3
    found = intervals(score(rows), SETTINGS, "csc")["share"]
    of_eight = intervals(score(right_of(5, 8)), SETTINGS, "csc")["share"]
    assert (found.kind, found.n_units) == ("mid-p", 8)
    assert (found.low, found.high) == (of_eight.low, of_eight.high)


def leaving_one_out(rows):
    """Value, values without one unit, and error and bias by the jackknife."""
    right, whole = rows.sum(axis=0)
    n, value = len(rows), right / whole
    without = (right - rows[:, 0]) / (whole - rows[:, 1])
    error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
    return value, without, error, (n - 1) * (without.mean() - value)


def degrees(without):
    """After Satterthwaite, between half and all."""
    n = len(without)
    kurtosis = scipy.stats.kurtosis(without, fisher=False)
    return np.clip(2 * n / (kurtosis - (n - 3) / (n - 1)), (n - 1) / 2, n - 1)


def test_few_units_have_wilsons_interval_with_students_t():
    rows = shares(12, 5)
    found = intervals(score(rows), SETTINGS, "ld")["share"]
    value, without, error, bias = leaving_one_out(rows)
    assert abs(bias) < 0.25 * error
    t = scipy.stats.t.ppf(0.975, degrees(without))
    assert (found.kind, found.n_units) == ("jackknife", 12)
    # At a bound the value is off by t of the errors that it would have if the bound were the truth.
    for bound in (found.low, found.high):
        of_bound = np.hypot(error, bias) * np.sqrt(bound * (1 - bound) / (value * (1 - value)))
        assert abs(value - bound) == pytest.approx(t * of_bound)


def test_few_units_of_what_may_exceed_one_have_students_t_on_the_logarithm():
    rows = np.column_stack([shares(9, 5)[:, 0] * 3, np.full(9, 10)])
    found = intervals(score(rows), SETTINGS, "ld")["share"]
    value, without, error, bias = leaving_one_out(rows)
    half = scipy.stats.t.ppf(0.975, degrees(without)) * np.hypot(error, bias) / value
    assert (found.low, found.high) == pytest.approx((value * np.exp(-half), value * np.exp(half)))


def rounded(score, weights):
    return {"share": np.round(share(score, weights)["share"], 2)}


def test_a_share_that_is_one_by_rounding_stays_within_one():
    found = intervals(score([[964, 1000]] + [[1000, 1000]] * 7, rounded), SETTINGS, "g2p")["share"]
    assert (found.kind, found.high) == ("jackknife", 1)
    assert 0.8 < found.low < 1


def largest(score, weights):
    return {"share": np.where(weights > 0, score.statistics[:, 0], 0).max(axis=1) / 100}


def far_off(score, weights):
    """A rare share with a bias of more than itself."""
    return {"share": share(score, weights)["share"] + 0.5 / weights.sum(axis=1)}


def test_a_bias_of_more_than_the_value_moves_no_bound_below_zero():
    found = intervals(score([[1, 100], [0, 100]] * 4, far_off), SETTINGS, "lid")["share"]
    assert found.kind == "jackknife"
    assert 0 < found.low < 0.005 + 0.5 / 8 < found.high < 1


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
