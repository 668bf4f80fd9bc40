"""The simulation of benchmarks/simulate_coverage.py, shortened: intervals and tests hold their level."""

import importlib.util
import sys
from pathlib import Path

import pytest
import scipy.stats

from sinobench.results.statistics.resampling import Settings

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "simulate_coverage.py"
REPEATS, N_POPULATION = 200, 10_000
SETTINGS = Settings(resamples=400)
# Three standard errors of a share of 95 %, and a half per cent for the short bootstrap.
TOLERANCE = 3 * (0.95 * 0.05 / REPEATS) ** 0.5 + 0.005
# Of tests at a level of 5 %; the number of exchanges is no part of it.
TESTS, FAMILIES, SHORT = 300, 100, Settings(resamples=199)


@pytest.fixture(scope="module")
def simulation():
    spec = importlib.util.spec_from_file_location("simulate_coverage", BENCHMARK)
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def design_of(simulation, name):
    return next(design for design in simulation.DESIGNS if design.name == name)


@pytest.mark.parametrize(
    ("name", "n_units", "kinds"),
    [
        ("g2p, poems", 8, {"jackknife"}),
        ("g2p, poems", 150, {"percentile"}),
        ("g2p, words", 20, {"jackknife", "mid-p"}),
        ("csc, sentences", 150, {"percentile", "jackknife", "mid-p"}),
        ("lid, recordings", 8, {"jackknife"}),
        ("ld, recordings", 8, {"jackknife"}),
        ("ld, recordings", 150, {"percentile"}),
    ],
)
def test_intervals_hold_the_true_value_as_often_as_they_say(simulation, name, n_units, kinds):
    found = simulation.coverage(design_of(simulation, name), n_units, REPEATS, SETTINGS, N_POPULATION)
    for n, held, shown in found.values():
        assert n >= 0.99 * REPEATS and set(shown) <= kinds
        assert held / n >= 0.95 - TOLERANCE


@pytest.mark.parametrize(
    ("name", "n_units"), [("g2p, poems", 20), ("csc, sentences", 150), ("lid, recordings", 8), ("ld, recordings", 20)]
)
def test_equal_systems_are_told_apart_as_often_as_the_level_says(simulation, name, n_units):
    design = design_of(simulation, name)
    n_tests, n_positive, n_intervals, n_zero = simulation.comparisons(design, n_units, TESTS, SHORT)[design.metrics[0]]
    fewest, most = scipy.stats.binom.ppf([0.001, 0.999], TESTS, 0.05)
    assert n_tests == TESTS and fewest <= n_positive <= most
    assert n_zero >= n_intervals - most - 0.01 * TESTS


@pytest.mark.parametrize(("name", "n_units"), [("g2p, poems", 20), ("csc, sentences", 150), ("ld, recordings", 20)])
def test_a_family_of_four_equal_systems_shows_a_difference_no_more_often_than_the_level(simulation, name, n_units):
    n, rejected = simulation.family_wise(design_of(simulation, name), n_units, 4, FAMILIES, SHORT)
    assert rejected <= scipy.stats.binom.ppf(0.999, n, 0.05)
