"""The simulation of benchmarks/simulate_coverage.py, shortened: intervals and tests hold their level."""

import importlib.util
import sys
from pathlib import Path

import pytest

from sinobench.results.statistics.resampling import Settings

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "simulate_coverage.py"
REPEATS, N_POPULATION = 200, 10_000
SETTINGS = Settings(resamples=400)
# Three standard errors of a share of 95 %, and a half per cent for the short bootstrap.
TOLERANCE = 3 * (0.95 * 0.05 / REPEATS) ** 0.5 + 0.005


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
        ("csc, sentences", 150, {"percentile", "jackknife", "exact"}),
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


@pytest.mark.parametrize(("name", "n_units"), [("g2p, poems", 20), ("csc, sentences", 150), ("lid, recordings", 8)])
def test_equal_systems_are_told_apart_no_more_often_than_the_level(simulation, name, n_units):
    found = simulation.comparisons(design_of(simulation, name), n_units, REPEATS, SETTINGS)
    for n_tests, n_positive, n_intervals, n_zero in found.values():
        assert n_positive / n_tests <= 0.05 + TOLERANCE
        assert n_zero / n_intervals >= 0.95 - TOLERANCE


def test_a_family_of_equal_systems_shows_a_difference_no_more_often_than_the_level(simulation):
    n, rejected = simulation.family_wise(design_of(simulation, "ld, recordings"), 20, 3, 100, SETTINGS)
    assert rejected / n <= 0.05 + 3 * (0.05 * 0.95 / n) ** 0.5
