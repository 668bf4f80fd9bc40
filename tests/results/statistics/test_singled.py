"""Figures of each unit alone and of all others, without a bag of all units for each of them."""

from dataclasses import replace

import numpy as np
import pytest

from sinobench.ld.breakdown import compare_turns
from sinobench.ld.breakdown import scores as ld_scores
from sinobench.ld.turns import turn_table
from sinobench.lid.breakdown import whole_scores
from sinobench.results.statistics.intervals import jackknives
from sinobench.results.statistics.resampling import bag
from sinobench.score import takes_singled

N_PAIRS = 90  # more than are counted one by one


def lid_scores(decimals):
    """Trials of pairs of which some have one language, and one a single trial."""
    random = np.random.default_rng(decimals)
    pair = np.append(np.sort(random.integers(0, N_PAIRS - 1, 1500)), N_PAIRS - 1)
    is_english = (random.random(len(pair)) < 0.7) | (pair < 3)
    segments = np.column_stack([*np.round(random.normal(size=(2, len(pair))) + is_english, decimals), is_english])
    return list(whole_scores(segments, [f"X_P{10_000 + number}_1" for number in pair]))


def diarized():
    random = np.random.default_rng(5)
    names = [f"X_P{10_000 + number // 2}_{number}" for number in range(2 * N_PAIRS)]
    regions = np.array([(number, 0, 20_000) for number in range(len(names))])
    sides = []
    for _ in range(2):
        recording = random.integers(0, len(names), 900)
        start = random.integers(0, 19_000, 900)
        languages = random.choice(["English", "Mandarin"], 900)
        sides.append(turn_table(names, [names[place] for place in recording], start, start + 900, languages))
    return ld_scores(compare_turns(*sides, regions, regions))


@pytest.mark.parametrize("scores", [lid_scores(1), lid_scores(9), diarized()], ids=["ties", "no ties", "diarization"])
def test_they_are_those_of_the_weights_in_full_to_the_last_digit(scores):
    singled = [score for score in scores if takes_singled(score) and len(score.units) >= N_PAIRS]
    assert len({(score.protocol, score.subset) for score in singled}) >= 2
    for score in singled:
        in_full = replace(score, formula=lambda own, weights, of=score.formula: of(own, weights))
        found, wanted = jackknives(bag(score)), jackknives(bag(in_full))
        assert found.keys() == wanted.keys()
        for name, jackknife in wanted.items():
            for values, others in zip(vars(found[name]).values(), vars(jackknife).values(), strict=True):
                assert np.array_equal(values, others, equal_nan=True), (score.subset, name)
