"""How often the intervals hold the true value, and how often the tests see a difference where there is none.

Samples of units are drawn from populations like the benchmarks' (``DESIGNS``), scored with the tasks' own formulas, and
their intervals and tests made as for any score. Nominal are 95 % and 5 %. A test of 199 exchanges has the level of one
of 10,000.
Run: ``python benchmarks/simulate_coverage.py [--only PART] [--design WORD] [--units N] [--repeats N]``; by default
some two hours on one core, most of them for a thousand recordings.
"""

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from sinobench.csc.metrics import strict_formula as csc_formula
from sinobench.g2p.scored import _formula as g2p_formula
from sinobench.ld.breakdown import _strict_formula as ld_formula
from sinobench.lid.metrics import strict as lid_formula
from sinobench.lid.metrics import strict_rows
from sinobench.results.statistics.comparison import differences
from sinobench.results.statistics.intervals import Interval, intervals
from sinobench.results.statistics.resampling import Settings
from sinobench.score import Formula, Score

UNITS = (8, 20, 150, 1000)
N_POPULATION = 100_000

# Numbers of units and of equally good systems, and a random stream, to rows by system and the unit of each row.
Draw = Callable[[int, int, np.random.Generator], tuple[list[np.ndarray], np.ndarray]]


@dataclass(frozen=True)
class Design:
    """Metrics of one formula over units of one population, the headline first."""

    name: str
    draw: Draw
    formula: Formula
    metrics: tuple[str, ...]


def poems(n: int, n_systems: int, random: np.random.Generator) -> tuple[list[np.ndarray], np.ndarray]:
    """About a hundred characters each, from two on; a tenth is wrong, more in some poems than in others."""
    n_characters = 2 + random.negative_binomial(2, 0.02, n)
    difficulty = random.beta(0.1 * 30, 0.9 * 30, n)
    sides = []
    for _ in range(n_systems):
        wrong = random.binomial(n_characters, difficulty)
        components = np.column_stack([random.binomial(wrong, share) for share in (0.2, 0.3, 0.2, 0.6)])
        sides.append(np.column_stack([n_characters, n_characters - wrong, components]))
    return sides, np.arange(n)


def words(n: int, n_systems: int, random: np.random.Generator) -> tuple[list[np.ndarray], np.ndarray]:
    """One character each, as in word lists; a tenth is wrong, mostly the same for both systems."""
    hard = random.random(n) < 0.16
    sides = []
    for _ in range(n_systems):
        wrong = hard & (random.random(n) < 0.625)
        components = np.column_stack([wrong & (random.random(n) < share) for share in (0.2, 0.3, 0.2, 0.6)])
        sides.append(np.column_stack([np.ones(n, np.int64), ~wrong, components]).astype(np.int64))
    return sides, np.arange(n)


def sentences(n: int, n_systems: int, random: np.random.Generator) -> tuple[list[np.ndarray], np.ndarray]:
    """Half with one error or more, some hard and some that invite false alarms."""
    wrong = random.random(n) < 0.5
    true = np.where(wrong, 1 + random.poisson(0.4, n), 0)
    ease, noise = random.beta(3, 2, n), 0.12 * random.gamma(1, 1, n)
    sides = []
    for _ in range(n_systems):
        detected = random.binomial(true, ease)
        corrected = random.binomial(detected, 0.85)
        found = detected + random.poisson(noise)
        exact = wrong & (detected == true) & (found == true)
        sides.append(
            np.column_stack(
                [
                    np.ones(n),
                    true,
                    found,
                    detected,
                    corrected,
                    ~wrong,
                    ~wrong & (found > 0),
                    wrong,
                    found > 0,
                    exact,
                    exact & (corrected == true),
                ]
            ).astype(np.int64)
        )
    return sides, np.arange(n)


def recordings(n: int, n_systems: int, random: np.random.Generator) -> tuple[list[np.ndarray], np.ndarray]:
    """About 60 segments each, two thirds English, scores of a recording shifted together, each system on a scale."""
    n_segments = 2 + random.negative_binomial(2, 0.033, n)
    unit = np.repeat(np.arange(n), n_segments)
    is_english = random.random(len(unit)) < np.repeat(random.beta(4, 2, n), n_segments)
    shared = np.repeat(random.normal(0, 0.4, n), n_segments) + random.normal(0, 0.6, len(unit))
    sides = []
    for scale in range(1, n_systems + 1):
        english = np.where(is_english, 1.0, -1.0) + shared + random.normal(0, 0.8, len(unit))
        sides.append(strict_rows(np.column_stack([scale * english, np.zeros(len(unit)), is_english])))
    return sides, unit


def calls(n: int, n_systems: int, random: np.random.Generator) -> tuple[list[np.ndarray], np.ndarray]:
    """Minutes of speech each; the rate of errors differs by a third between recordings, as in joined speech.

    A system errs as often as another in all, but less evenly the later it comes.
    """
    reference_ms = np.round(random.lognormal(12.5, 0.4, n))
    difficulty = random.lognormal(np.log(0.3), 0.25, n)
    sides = []
    for spread in 0.15 * np.arange(1, n_systems + 1):
        error_ms = np.round(reference_ms * difficulty * random.lognormal(-(spread**2) / 2, spread, n))
        none = np.zeros(n)
        sides.append(np.column_stack([error_ms, none, none, reference_ms, *[none] * 4, reference_ms]).astype(np.int64))
    return sides, np.arange(n)


DESIGNS = (
    Design("g2p, poems", poems, g2p_formula, ("per", "accuracy")),
    Design("g2p, words", words, g2p_formula, ("per", "accuracy")),
    Design("csc, sentences", sentences, csc_formula, ("correction_f1", "sentence_fpr")),
    Design("lid, recordings", recordings, lid_formula, ("eer", "balanced_accuracy", "min_cllr")),
    Design("ld, recordings", calls, ld_formula, ("lder",)),
)
FAMILIES = tuple(zip(DESIGNS, (20, 150, 150, 20, 20), strict=True))


def scores_of(design: Design, n_units: int, n_systems: int, random: np.random.Generator) -> list[Score]:
    """The scores of equally good systems on one sample of units."""
    sides, unit = design.draw(n_units, n_systems, random)
    names = [f"{i:06}" for i in range(n_units)]
    return [Score("strict", "all", names, unit, rows, design.formula, len(unit), 1.0) for rows in sides]


def truth(design: Design, n_units: int) -> dict[str, float]:
    """The metrics in a population of so many units."""
    (score,) = scores_of(design, n_units, 1, np.random.default_rng(1))
    return {name: float(value) for name, value in score.metrics().items()}


def coverage(
    design: Design, n_units: int, repeats: int, settings: Settings, n_population: int = N_POPULATION, seed: int = 1
) -> dict[str, tuple[int, int, Counter]]:
    """By metric how many intervals there are, how many hold the true value, and the kinds of all."""
    random, true = np.random.default_rng([seed, n_units]), truth(design, n_population)
    made = {name: [] for name in design.metrics}
    for repeat in range(repeats):
        found = intervals(scores_of(design, n_units, 1, random)[0], settings, design.name, str(repeat))
        for name in design.metrics:
            made[name].append(found[name])
    result = {}
    for name, each in made.items():
        held = [interval.low <= true[name] <= interval.high for interval in each if interval.low is not None]
        result[name] = (len(held), sum(held), Counter(map(_kind, each)))
    return result


def comparisons(
    design: Design, n_units: int, repeats: int, settings: Settings, seed: int = 1
) -> dict[str, tuple[int, int, int, int]]:
    """Of two equally good systems, by metric: tests, those with p of .05 or less, intervals, those that hold 0.

    Samples in which the systems do not differ at all are tests too, with a p of 1.
    """
    random = np.random.default_rng([seed, n_units])
    made = {name: [] for name in design.metrics}
    for repeat in range(repeats):
        found = differences(*scores_of(design, n_units, 2, random), settings, design.name, str(repeat))
        for name in design.metrics:
            made[name].append(found[name])
    result = {}
    for name, each in made.items():
        p = [found.p for found in each if found.p is not None]
        held = [found.low <= 0 <= found.high for found in each if found.low is not None]
        result[name] = (len(p), sum(value <= 0.05 for value in p), len(held), sum(held))
    return result


def family_wise(
    design: Design, n_units: int, n_systems: int, repeats: int, settings: Settings, seed: int = 1
) -> tuple[int, int]:
    """Families of all pairs of equally good systems, and how many have a pair whose p after Holm is .05 or less."""
    random, rejected = np.random.default_rng([seed, n_units]), 0
    for repeat in range(repeats):
        systems = scores_of(design, n_units, n_systems, random)
        pairs = enumerate(combinations(systems, 2))
        p = [differences(*pair, settings, str(repeat), str(place))[design.metrics[0]].p for place, pair in pairs]
        # The smallest p after Holm; statsmodels collects garbage at each call.
        rejected += min(p) * len(p) <= 0.05
    return repeats, rejected


def print_intervals(design: Design, n_units: int, repeats: int, settings: Settings) -> None:
    """A line for each metric."""
    for metric, (n, held, kinds) in coverage(design, n_units, repeats, settings).items():
        named = ", ".join(f"{kind} {100 * count / repeats:.0f}" for kind, count in kinds.most_common())
        _print(design, metric, n_units, n, held, f"hold the true value; kinds in %: {named}")


def print_tests(design: Design, n_units: int, repeats: int, settings: Settings) -> None:
    """Two lines for each metric."""
    for metric, (n_tests, n_positive, n, n_zero) in comparisons(design, n_units, repeats, settings).items():
        _print(design, metric, n_units, n_tests, n_positive, "of tests have a p of .05 or less")
        _print(design, metric, n_units, n, n_zero, "hold no difference")


def print_families(design: Design, n_units: int, repeats: int, settings: Settings) -> None:
    """A line for the headline."""
    n, rejected = family_wise(design, n_units, 4, repeats, settings)
    what = "of families of 4 equal systems have a difference after Holm"
    _print(design, design.metrics[0], n_units, n, rejected, what)


def main() -> None:
    """Print what was asked for, each line when it is done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = ("intervals", "tests", "families")
    parser.add_argument("--only", choices=parts, help="instead of all three")
    parser.add_argument("--design", default="", help="part of a design's name, such as lid")
    parser.add_argument("--units", type=int, choices=UNITS)
    parser.add_argument("--repeats", type=int, default=2000, help="samples")
    options = parser.parse_args()
    designs = [design for design in DESIGNS if options.design in design.name]
    units = [options.units] if options.units else UNITS
    if options.only in (None, "intervals"):
        for design, n_units in product(designs, units):
            print_intervals(design, n_units, options.repeats, Settings(resamples=2000))
    if options.only in (None, "tests"):
        for design, n_units in product(designs, units):
            print_tests(design, n_units, options.repeats, Settings(resamples=999))
    if options.only in (None, "families"):
        for design, n_units in FAMILIES:
            if design in designs:
                print_families(design, n_units, options.repeats, Settings(resamples=199))


def _print(design: Design, metric: str, n_units: int, n: int, of_them: int, what: str) -> None:
    share = of_them / max(1, n)
    error = (share * (1 - share) / max(1, n)) ** 0.5
    name = f"{design.name}, {n_units}: {metric}"
    print(f"{name:<44}{100 * share:6.1f} % of {n:,} (standard error {100 * error:.1f}) {what}", flush=True)


def _kind(interval: Interval) -> str:
    return interval.kind.partition(":")[0]


if __name__ == "__main__":
    main()
