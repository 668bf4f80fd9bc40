"""Resamples: the distribution of counts, the kinds of units, the streams."""

from dataclasses import replace

import numpy as np
import pytest

from sinobench.coded import CodedRows
from sinobench.errors import InputError
from sinobench.results.statistics import resampling
from sinobench.results.statistics.resampling import Settings, bag, draw_counts, generator, resamples
from tests.results.statistics.material import score, share, shares

SETTINGS = Settings(resamples=2000)


@pytest.mark.parametrize("size", [[9000, 300, 40, 3, 1, 1], [1] * 60, [500, 500], [7]])
def test_counts_of_kinds_are_multinomial(size):
    size = np.array(size)
    counts = draw_counts(size, 20_000, np.random.default_rng(1))
    n = size.sum()
    assert (counts.sum(axis=1) == n).all()
    error = np.sqrt(size * (1 - size / n) / len(counts))
    assert (np.abs(counts.mean(axis=0) - size) <= 4.5 * error).all()
    covariance = np.cov(counts.T).reshape(len(size), len(size))
    expected = np.diag(size) - np.outer(size, size) / n
    assert np.allclose(covariance, expected, atol=0.05 * n**0.5 + 0.04 * np.abs(expected).max())


def test_equal_units_are_one_kind_and_the_frequent_come_first():
    units = bag(score([[1, 1], [0, 1], [1, 1], [2, 3], [1, 1]]))
    assert units.size.tolist() == [3, 1, 1]
    assert units.sides[0].statistics.tolist() == [[1, 1], [0, 1], [2, 3]]


@pytest.mark.parametrize("most", [200, 70_000])
def test_kinds_of_equal_number_stand_in_the_order_of_their_bytes(most):
    rows = np.random.default_rng(4).integers(0, most, (50, 3))
    kinds = bag(score(rows)).sides[0].statistics
    assert [row.tobytes() for row in kinds] == sorted(row.tobytes() for row in rows)


@pytest.mark.parametrize("n_coded", [1, 2])
def test_rows_by_their_places_among_distinct_ones_have_the_kinds_of_rows(n_coded, monkeypatch):
    monkeypatch.setattr(resampling, "_ROWS_AT_ONCE", 16)
    random = np.random.default_rng(7)
    strata, names = random.choice(["a", "b"], 100).tolist(), [str(n) for n in range(100)]
    given = [random.integers(0, most, (100, 3)) for most in (3, 300)]
    sides = [replace(score(rows, strata=strata), units=names, strata=strata, unit=range(100)) for rows in given]
    coded = [
        replace(side, statistics=CodedRows(*np.unique(side.statistics, axis=0, return_inverse=True))) for side in sides
    ]
    for expected, found in ((bag(*sides), bag(*coded[:n_coded], *sides[n_coded:])), (bag(sides[0]), bag(coded[0]))):
        assert np.array_equal(found.size, expected.size) and np.array_equal(found.stratum, expected.stratum)
        for one, other in zip(found.sides, expected.sides, strict=True):
            assert np.array_equal(one.statistics, other.statistics)


@pytest.mark.parametrize("size", [[9000, 300, 40, 3, 2, 1], [1] * 60])
def test_draws_do_not_depend_on_how_many_are_made_at_once(size, monkeypatch):
    at_once = draw_counts(np.array(size), 500, np.random.default_rng(1))
    monkeypatch.setattr(resampling, "_DRAWS_AT_ONCE", 100)
    assert np.array_equal(draw_counts(np.array(size), 500, np.random.default_rng(1)), at_once)


def test_units_of_several_rows_stay_apart():
    units = bag(score([[1, 1], [0, 1], [1, 1]], unit=[0, 1, 0]))
    assert units.size.tolist() == [1, 1]
    assert share(units.sides[0], np.array([[1, 1], [2, 0]]))["share"].tolist() == [2 / 3, 1]


def test_resamples_keep_the_size_of_each_part_of_a_pool():
    rows, strata = shares(30, 2), ["a"] * 10 + ["b"] * 20
    units = bag(score(rows, strata=strata))
    for weights in resamples(units, 500, np.random.default_rng(1)):
        assert (weights[:, units.stratum == 0].sum(axis=1) == 10).all()
        assert (weights[:, units.stratum == 1].sum(axis=1) == 20).all()


def test_a_stream_depends_on_its_key_alone():
    first = generator(2023, "csc", "dev").random(4)
    generator(2023, "csc", "test").random(4)
    assert (generator(2023, "csc", "dev").random(4) == first).all()
    others = (generator(2023, "cscd", "ev"), generator(2024, "csc", "dev"), generator(2023, "csc"))
    assert all((each.random(4) != first).all() for each in others)


def test_two_models_on_other_units_are_refused_with_the_first_that_differs():
    rows = shares(3, 1)
    with pytest.raises(InputError, match="scored on 'b'"):
        bag(score(rows, units=["a", "b", "c"]), score(rows, units=["a", "x", "c"]))
    with pytest.raises(InputError, match="scored on 'c'"):
        bag(score(rows, units=["a", "b", "c"]), score(rows[:2], units=["a", "b"]))


@pytest.mark.parametrize("settings", [{"resamples": 99}, {"level": 1.0}, {"level": 95}])
def test_settings_that_make_no_interval_are_refused(settings):
    with pytest.raises(InputError):
        Settings(**settings)
