"""Paired differences against scipy's and plain enumeration; families, ranks and letters."""

import gc
from functools import partial
from itertools import combinations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from sinobench.errors import InputError
from sinobench.results.statistics.comparison import differences, holm, letters, ranks
from sinobench.results.statistics.resampling import Settings
from sinobench.score import by_totals
from tests.results.statistics.material import score, share, shares

SETTINGS = Settings(resamples=4000)


def paired(n: int, seed: int, p: float = 0.7) -> tuple[np.ndarray, np.ndarray]:
    """Two systems on the same units."""
    rows = shares(n, seed)
    right = np.random.default_rng(seed + 1).binomial(rows[:, 1], p)
    return rows, np.column_stack([right, rows[:, 1]])


def compared(a, b, settings=SETTINGS, **options):
    return differences(score(a, **options), score(b, **options), settings, "csc")["share"]


def test_equal_systems_do_not_differ():
    rows = shares(150, 1)
    found = compared(rows, rows)
    assert (found.difference, found.p, found.low, found.kind) == (0, 1, None, "none: no unit differs")


@pytest.mark.parametrize("strata", [None, ["a"] * 60 + ["b"] * 90])
@pytest.mark.parametrize("n_alike", [0, 140])
def test_figures_that_come_from_sums_are_compared_by_sums_with_the_same_result(strata, n_alike):
    a, b = paired(150, 3)
    b[:n_alike] = a[:n_alike]
    by_sums = by_totals(partial(share))
    assert compared(a, b, strata=strata, formula=by_sums) == compared(a, b, strata=strata)


@pytest.mark.parametrize("n", [10, 12])
def test_p_is_that_of_all_exchanges(n):
    a, b = paired(n, 3, 0.62)
    found = compared(a, b, Settings(resamples=20_000))
    whole = a[:, 1].sum()
    signs = np.array(list(product([-1, 1], repeat=n)))
    null = np.abs(signs @ (a[:, 0] - b[:, 0])) / whole
    exact = (null >= abs(found.difference) - 1e-12).mean()
    assert found.p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000) + 1e-4)


def test_p_of_many_units_is_scipys_permutation_test():
    a, b = paired(300, 4, 0.67)

    def statistic(x, y, axis):
        return x.mean(axis=axis) - y.mean(axis=axis)

    reference = scipy.stats.permutation_test(
        (a[:, 0], b[:, 0]), statistic, permutation_type="samples", vectorized=True, n_resamples=9999, rng=1
    )
    found = compared(a, b, Settings())
    assert found.p == pytest.approx(reference.pvalue, abs=5 * np.sqrt(reference.pvalue / 10_000) + 2e-4)


def test_p_is_never_zero():
    n = 120
    found = compared(np.ones((n, 2), int), np.column_stack([np.zeros(n, int), np.ones(n, int)]))
    assert found.p == 1 / 4001
    assert found.difference == 1


def test_the_interval_is_scipys_bootstrap_of_pairs():
    a, b = paired(250, 5)

    def statistic(x, y, whole, axis):
        return (x.sum(axis=axis) - y.sum(axis=axis)) / whole.sum(axis=axis)

    reference = scipy.stats.bootstrap(
        (a[:, 0], b[:, 0], a[:, 1]), statistic, paired=True, n_resamples=20_000, method="percentile", rng=1
    )
    found = compared(a, b, Settings(resamples=20_000))
    error = reference.standard_error
    assert found.kind == "percentile"
    assert (found.low, found.high) == pytest.approx(tuple(reference.confidence_interval), abs=0.06 * error)
    assert found.detectable == pytest.approx(2.8016 * error, rel=0.03)


def test_few_units_have_students_t_of_paired_differences():
    n = 9
    random = np.random.default_rng(2)
    a, b = (np.column_stack([random.integers(0, 20, n), np.full(n, 20)]) for _ in range(2))
    found = compared(a, b)
    reference = scipy.stats.ttest_rel(a[:, 0] / 20, b[:, 0] / 20).confidence_interval(0.95)
    assert found.kind == "jackknife"
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high))


def test_the_detectable_difference_is_detected_as_often_as_it_says():
    random, n, repeats = np.random.default_rng(6), 200, 300
    detectable, p = [], []
    for _ in range(repeats):
        difficulty = random.normal(0, 1, n)
        a, b = (difficulty + random.normal(shift, 0.5, n) for shift in (0, 0.14))
        both = [np.column_stack([1000 * each, np.ones(n)]).astype(int) for each in (a, b)]
        found = compared(*both, Settings(resamples=200))
        detectable.append(found.detectable / 1000)
        p.append(found.p)
    assert np.mean(detectable) == pytest.approx(0.14, rel=0.03)
    assert np.mean(np.array(p) <= 0.05) == pytest.approx(0.8, abs=0.07)


def test_units_of_several_rows_are_exchanged_whole():
    a = [[1, 1], [1, 1], [1, 1], [1, 1]]
    b = [[0, 1], [0, 1], [0, 1], [0, 1]]
    found = compared(a, b, unit=[0, 0, 1, 1])
    # Of four exchanges of two units, two have the largest difference.
    assert found.p == pytest.approx(0.5, abs=0.03)


@limits(max_examples=20, deadline=None)
@given(st.integers(2, 130), st.integers(0, 1000), st.randoms(use_true_random=False))
def test_the_order_of_units_and_of_systems_changes_nothing_but_the_sign(n, seed, random):
    a, b = paired(n, seed)
    order = list(range(n))
    random.shuffle(order)
    names = [f"u{i:05}" for i in range(n)]
    small = Settings(resamples=200)
    one = compared(a, b, small, units=names)
    assert one == compared(a[order], b[order], small, units=[names[i] for i in order])
    turned = compared(b, a, small, units=names)
    assert (turned.difference, turned.kind) == (-one.difference, one.kind)


def test_models_on_other_items_are_not_compared():
    rows = shares(3, 1)
    with pytest.raises(InputError, match="compare models on the same items"):
        differences(score(rows), score(rows, units=["u00000", "u00001", "x"]), SETTINGS)


@pytest.fixture(scope="module")
def frozen():
    """statsmodels collects garbage at each call, and need not look at what the tests before this one left."""
    gc.freeze()


@given(st.lists(st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.02000001, 0.3, 1.0]), min_size=1, max_size=12))
def test_holm_as_statsmodels_has_it(frozen, p):
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1].tolist(), abs=1e-15)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def differing(*pairs):
    return {frozenset(pair) for pair in pairs}


def test_a_difference_that_is_not_significant_is_no_rank():
    values = {"a": 0.9, "b": 0.89, "c": 0.8, "d": 0.7}
    assert ranks(values, set(), "higher") == {"a": 1, "b": 1, "c": 1, "d": 1}
    clear = differing("ac", "ad", "bd", "cd")
    assert ranks(values, clear, "higher") == {"a": 1, "b": 1, "c": 2, "d": 4}
    assert ranks(values, clear, "lower") == {"a": 3, "b": 2, "c": 2, "d": 1}


@limits(deadline=None)
@given(st.integers(1, 7), st.data())
def test_models_share_a_letter_exactly_where_they_do_not_differ(n, data):
    models = [f"m{i}" for i in range(n)]
    pairs = list(combinations(models, 2))
    clear = differing(*data.draw(st.lists(st.sampled_from(pairs), unique=True))) if pairs else set()
    found = letters(models, clear)
    assert all(found.values())
    for a, b in pairs:
        assert bool(set(found[a]) & set(found[b])) == (frozenset((a, b)) not in clear)
    assert found["m0"].startswith("a")
