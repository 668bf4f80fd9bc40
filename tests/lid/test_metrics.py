import json
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sinobench.lid.metrics import recording_recalls
from sinobench.lid.predictions import read_predictions, read_reference
from sinobench.lid.roc import DET_POINTS, Roc, det_points, midranks
from tests.lid.material import IN_VECTORS, cllr, eer, figures, min_cllr

CASES = ["imbalanced", "inverted", "one_line_format", "perfect", "ties", "two_line_format", "weak"]
# Few distinct scores, so that ties are common.
TRIALS = st.lists(st.tuples(st.integers(-4, 4) | st.floats(-3, 3), st.booleans()), min_size=1, max_size=24)


def columns(trials):
    return np.array([float(score) for score, _ in trials]), np.array([target for _, target in trials])


def brute_points(trials):
    """False alarm and miss rate at every threshold, exactly."""
    targets = [s for s, target in trials if target]
    others = [s for s, target in trials if not target]
    return [
        (Fraction(sum(s >= t for s in others), len(others)), Fraction(sum(s < t for s in targets), len(targets)))
        for t in sorted({s for s, _ in trials} | {math.inf}, reverse=True)
    ]


def brute_eer(trials):
    """The lowest crossing of the diagonal by a segment between any two points."""
    points = brute_points(trials)
    crossings = [x for x, y in points if x == y]
    for (x1, y1), (x2, y2) in combinations(points, 2):
        d1, d2 = y1 - x1, y2 - x2
        if d1 * d2 < 0:
            crossings.append(x1 + d1 / (d1 - d2) * (x2 - x1))
    return min(crossings)


def brute_min_cllr(trials):
    """Pool adjacent violators, score by score, and the cost of the pools' log-likelihood ratios."""
    n_targets = sum(target for _, target in trials)
    n_others = len(trials) - n_targets
    pools = []
    for score in sorted({s for s, _ in trials}):
        here = [target for s, target in trials if s == score]
        pools.append([sum(here), len(here)])
        while len(pools) > 1 and Fraction(*pools[-2]) >= Fraction(*pools[-1]):
            targets, n = pools.pop()
            pools[-1][0] += targets
            pools[-1][1] += n
    cost = 0.0
    for targets, n in pools:
        odds = math.inf if targets == n else targets / (n - targets) / (n_targets / n_others)
        cost += targets / n_targets * math.log2(1 + 1 / odds) if targets else 0
        cost += (n - targets) / n_others * math.log2(1 + odds) if targets < n else 0
    return cost / 2


def test_every_vector_has_a_case(vectors):
    assert sorted(path.name for path in (vectors / "lid").iterdir()) == CASES


@pytest.mark.parametrize("case", CASES)
def test_vectors(vectors, case):
    folder = vectors / "lid" / case
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    reference = read_reference(folder / "reference.txt")
    scores = read_predictions(folder / "prediction.txt", reference.ids)
    found = figures(scores.english, scores.mandarin, reference.is_english, reference.recordings)
    for protocol, key in (("official", "official"), ("strict", "plan")):
        for name, value in expected[key].items():
            name = IN_VECTORS.get(name, name)
            assert found[protocol][name] == pytest.approx(value, rel=0, abs=1e-9 if name == "eer" else 1e-12), name


@given(TRIALS)
def test_eer_and_min_cllr_are_those_of_brute_force(trials):
    scores, is_target = columns(trials)
    if len(set(is_target)) == 1:
        assert eer(scores, is_target) is min_cllr(scores, is_target) is cllr(scores, is_target) is None
        assert det_points(scores, is_target) is None
        return
    assert eer(scores, is_target) == pytest.approx(float(brute_eer(trials)), abs=1e-12)
    assert min_cllr(scores, is_target) == pytest.approx(brute_min_cllr(trials), abs=1e-12)
    assert min_cllr(scores, is_target) <= cllr(scores, is_target) + 1e-12
    assert 0 <= eer(scores, is_target) <= 0.5


@given(TRIALS)
def test_det_points_are_those_of_every_threshold(trials):
    scores, is_target = columns(trials)
    det = det_points(scores, is_target)
    if det is None:
        return
    points = brute_points(trials)
    found = list(zip(det.false_alarm, det.miss, strict=True))
    assert found == [(float(x), float(y)) for x, y in points]
    assert math.isinf(det.threshold[0]) and sorted(set(scores), reverse=True) == det.threshold[1:].tolist()
    # A vertex of the hull lies below every chord between two other points around it.
    for point, on_hull in zip(points, det.on_hull, strict=True):
        others = [other for other in points if other != point]
        chords = [(a, b) for a, b in combinations(others, 2) if a[0] <= point[0] <= b[0] and b[1] <= point[1] <= a[1]]
        assert on_hull == all((b[0] - a[0]) * (point[1] - a[1]) < (b[1] - a[1]) * (point[0] - a[0]) for a, b in chords)


def test_det_of_many_trials_is_thinned_and_keeps_the_hull():
    chance = np.random.default_rng(1)
    is_target = chance.random(50_000) < 0.2
    scores = chance.standard_normal(50_000) + is_target
    det = det_points(scores, is_target)
    assert 500 < len(det.miss) <= DET_POINTS
    assert (det.false_alarm[0], det.miss[0], det.false_alarm[-1], det.miss[-1]) == (0, 1, 1, 0)
    assert (np.diff(det.false_alarm) >= 0).all() and (np.diff(det.miss) <= 0).all()
    # The hull alone gives the EER again: the lowest line through each edge is met on the diagonal.
    x, y = det.false_alarm[det.on_hull], det.miss[det.on_hull]
    assert np.interp(0, x - y, x) == pytest.approx(eer(scores, is_target), abs=1e-12)
    for row in range(0, len(det.miss), 97):
        threshold = det.threshold[row]
        assert det.miss[row] == (scores[is_target] < threshold).mean()
        assert det.false_alarm[row] == (scores[~is_target] >= threshold).mean()


def test_eer_of_many_trials_does_not_depend_on_their_order():
    chance = np.random.default_rng(2)
    is_target = chance.random(20_000) < 0.5
    scores = np.round(chance.standard_normal(20_000) + is_target, 1)
    shuffled = chance.permutation(20_000)
    for function in (eer, min_cllr):
        assert function(scores, is_target) == function(scores[shuffled], is_target[shuffled])


def test_negative_zero_ties_with_zero():
    assert eer(np.array([0.0, -0.0]), np.array([True, False])) == 0.5


@pytest.mark.parametrize("size", [0.0, 1.0, 800.0])
def test_cllr_is_the_cost_in_bits(size):
    llr, is_target = np.array([size, size, -size]), np.array([True, False, False])
    bits = [1 / 2, (1 / 2 + 1 / 2) / 2]
    if size == 1:
        bits = [math.log2(1 + math.exp(-1)) / 2, (math.log2(1 + math.exp(1)) + math.log2(1 + math.exp(-1))) / 4]
    elif size == 800:
        bits = [0, 800 / math.log(2) / 4]
    assert cllr(llr, is_target) == pytest.approx(sum(bits), abs=1e-12)


SEGMENTS = st.lists(
    st.tuples(st.sampled_from("abc"), st.booleans(), st.integers(-2, 2), st.integers(-2, 2)), min_size=1, max_size=20
)


@given(SEGMENTS)
def test_accuracies_are_those_of_a_plain_count(segments):
    recordings = [recording for recording, *_ in segments]
    is_english = np.array([english for _, english, _, _ in segments])
    english, mandarin = np.array([s[2:] for s in segments], float).T

    def recall(language, chosen=segments):
        right = [(e >= m) == truth for _, truth, e, m in chosen if truth == language]
        return sum(right) / len(right) if right else None

    def mean(values):
        return sum(values) / len(values)

    official, found = figures(english, mandarin, is_english, recordings).values()
    both = [recall(True), recall(False)]
    assert [found["english_recall"], found["mandarin_recall"]] == both
    corpus = None if None in both else mean(both)
    assert found["balanced_accuracy"] == official["balanced_accuracy"] == corpus
    assert found["accuracy"] == mean([(e >= m) == truth for _, truth, e, m in segments])
    balanced, one_class = [], 0
    for name in dict.fromkeys(recordings):
        recalls = [recall(language, [s for s in segments if s[0] == name]) for language in (True, False)]
        one_class += None in recalls
        balanced.append(mean([value for value in recalls if value is not None]))
    assert found["balanced_accuracy_recording_mean"] == pytest.approx(mean(balanced), abs=1e-12)
    assert found["recordings_with_one_class"] == one_class
    recalls = recording_recalls((english >= mandarin) == is_english, is_english, recordings)
    assert recalls.recordings == list(dict.fromkeys(recordings))
    assert recalls.balanced_accuracy == pytest.approx(balanced, abs=1e-12)


def test_official_pools_both_scores_under_one_threshold():
    # Told apart in each segment, but not by any threshold on single scores.
    english, mandarin, is_english = np.array([9.0, 1.0]), np.array([8.0, 2.0]), np.array([True, False])
    official, strict = figures(english, mandarin, is_english, ["a", "a"]).values()
    assert (official["eer"], official["balanced_accuracy"]) == (0.25, 1.0)
    assert strict["eer"] == 0


def test_a_tie_is_english():
    zeros = np.zeros(2)
    official, strict = figures(zeros, zeros, np.array([True, False]), ["a", "a"]).values()
    assert official["balanced_accuracy"] == 0.5 and strict["english_recall"] == 1


def test_floor_of_the_development_set():
    is_english = np.arange(40_287 + 9_983) < 40_287
    zeros = np.zeros(len(is_english))
    official, strict = figures(zeros, zeros, is_english, ["a"] * len(is_english)).values()
    assert f"{official['floor_eer']:.2%}" == "19.86%" and official["floor_balanced_accuracy"] == 0.5
    assert strict["floor_eer"] == strict["floor_balanced_accuracy"] == 0.5
    assert strict["floor_accuracy"] == 40_287 / 50_270
    # Scores of 0 are the floor of strict.
    assert strict["cllr"] == pytest.approx(1) and strict["min_cllr"] == 1 and strict["eer"] == strict["floor_eer"]


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 60), st.integers(0, 10_000))
def test_many_weights_give_what_each_gives_alone(n, seed):
    random = np.random.default_rng(seed)
    unit, is_target = random.integers(0, 5, n), random.random(n) < 0.6
    trade_off = Roc.of(np.round(random.normal(is_target, 1), 1), is_target, unit, 5)
    weights = random.multinomial(5, np.full(5, 0.2), size=80)
    rates, costs = trade_off.eer_and_min_cllr(weights)
    alone = [trade_off.eer_and_min_cllr(row[None]) for row in weights]
    np.testing.assert_array_equal(rates, np.concatenate([rate for rate, _ in alone]))
    np.testing.assert_allclose(costs, np.concatenate([cost for _, cost in alone]), rtol=0, atol=1e-12)


def test_equal_scores_share_the_mean_of_their_ranks():
    assert midranks(np.array([3.0, -1.0, 3.0, 7.0])).tolist() == [2.5, 1, 2.5, 4]
