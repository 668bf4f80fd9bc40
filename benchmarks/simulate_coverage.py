"""How often the intervals hold the true value, and how often the tests see a difference where there is none.

Samples of units are drawn from populations like the benchmarks' (``DESIGNS``), scored with the tasks' own formulas, and
their intervals and tests made as for any score. Nominal are 95 % and 5 %.
Run: ``python benchmarks/simulate_coverage.py [REPEATS [RESAMPLES]]``; an hour on one core by default.
"""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sinobench.csc.metrics import strict_formula as csc_formula
from sinobench.g2p.breakdown import _formula as g2p_formula
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
    """Metrics of one formula over units of one population."""

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
    """Minutes of speech each; the rate of errors differs by a third between recordings, as in joined speech."""
    reference_ms = np.round(random.lognormal(12.5, 0.4, n))
    difficulty = random.lognormal(np.log(0.3), 0.25, n)
    sides = []
    for _ in range(n_systems):
        error_ms = np.round(reference_ms * difficulty * random.lognormal(0, 0.15, n))
        none = np.zeros(n)
        sides.append(np.column_stack([error_ms, none, none, reference_ms, *[none] * 4, reference_ms]).astype(np.int64))
    return sides, np.arange(n)


DESIGNS = (
    Design("g2p, poems", poems, g2p_formula, ("accuracy", "per")),
    Design("g2p, words", words, g2p_formula, ("accuracy", "per")),
    Design("csc, sentences", sentences, csc_formula, ("correction_f1", "sentence_fpr")),
    Design("lid, recordings", recordings, lid_formula, ("eer", "balanced_accuracy", "min_cllr")),
    Design("ld, recordings", calls, ld_formula, ("lder",)),
)
FAMILIES = ((DESIGNS[0], 20), (DESIGNS[2], 150))


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
    """Of two equally good systems, by metric: tests, those with p of .05 or less, intervals, those that hold 0."""
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


def main(repeats: int = 2000, n_resamples: int = 2000) -> None:
    """Print a line for each metric and number of units, and for two families."""
    settings = Settings(resamples=n_resamples)
    error = 100 * (0.95 * 0.05 / repeats) ** 0.5
    print(f"{repeats} repeats of {n_resamples} resamples; a standard error of a share of 95 % is {error:.1f} %")
    print(f"{'metric':<32}{'units':>6}{'held':>8}{'zero':>8}{'p<=.05':>8}  kinds of interval, %")
    for design in DESIGNS:
        for n_units in UNITS:
            held = coverage(design, n_units, repeats, settings)
            compared = comparisons(design, n_units, repeats, settings)
            for metric in design.metrics:
                n, hits, kinds = held[metric]
                n_tests, n_positive, n_intervals, n_zero = compared[metric]
                shares = (
                    100 * part / max(1, whole)
                    for part, whole in ((hits, n), (n_zero, n_intervals), (n_positive, n_tests))
                )
                named = ", ".join(f"{kind} {100 * count / repeats:.0f}" for kind, count in kinds.most_common())
                name = f"{design.name}: {metric}"
                print(
                    f"{name:<32}{n_units:>6}" + "".join(f"{share:>8.1f}" for share in shares) + f"  {named}", flush=True
                )
    for design, n_units in FAMILIES:
        n, rejected = family_wise(design, n_units, 4, repeats, settings)
        share = f"{100 * rejected / n:.1f} %"
        print(f"{design.name}, {n_units} units: of families of 4 equal systems, {share} have a difference after Holm")


def _kind(interval: Interval) -> str:
    return interval.kind.partition(":")[0]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
