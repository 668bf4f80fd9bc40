import logging

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.lid.calibration import Calibration, fit_calibration, hold_out, pool, speaker_weights


class Data:
    """What `hold_out` needs of training chunks: pairs of speaker and language, a chunk each."""

    def __init__(self, chunks):
        self.speakers = sorted({speaker for speaker, _ in chunks})
        self.speaker = np.array([self.speakers.index(speaker) for speaker, _ in chunks], np.int32)
        self.language = np.array([language for _, language in chunks], np.int8)


def parts(data, seed):
    fit, held_out = hold_out(data, seed)
    assert sorted([*fit, *held_out]) == list(range(len(data.speaker)))
    return [{data.speakers[s] for s in data.speaker[part]} for part in (fit, held_out)], (fit, held_out)


def test_a_fifth_of_each_languages_speakers_is_held_out():
    chunks = [(f"e{i}", 0) for i in range(20)] * 3 + [(f"m{i}", 1) for i in range(10)] * 2
    (fit, held_out), _ = parts(Data(chunks), 1)
    assert not fit & held_out
    assert sorted(name[0] for name in held_out) == ["e"] * 4 + ["m"] * 2
    assert any(parts(Data(chunks), seed)[0][1] != held_out for seed in range(2, 5))
    assert parts(Data(chunks[::-1]), 1)[0][1] == held_out


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 1)), min_size=1, max_size=40), st.integers(0, 3))
def test_both_parts_have_both_languages(chunks, seed):
    data = Data(chunks)
    try:
        (fit, held_out), indices = parts(data, seed)
    except InputError:
        # Refused only where few speakers are there.
        assert any(len({s for s, found in chunks if found == language}) <= 2 for language in (0, 1))
        return
    assert not fit & held_out
    for part in indices:
        assert set(data.language[part]) == {0, 1}


def test_a_language_with_one_speaker():
    with pytest.raises(InputError, match="training data with 1 Mandarin speakers, none of whom can be held out"):
        hold_out(Data([("a", 0), ("b", 0), ("c", 1)]), 0)
    with pytest.raises(InputError, match="training data with 0 English speakers"):
        hold_out(Data([("a", 1), ("b", 1)]), 0)


@given(st.lists(st.tuples(st.floats(-9, 9), st.integers(1, 300), st.integers(0, 5)), max_size=30))
def test_pooling_is_a_mean_by_frames(chunks):
    scores, frames, segments = (
        (np.array(values) for values in zip(*chunks, strict=True)) if chunks else [np.zeros(0)] * 3
    )
    pooled = pool(scores, frames, segments.astype(np.int64), 7)
    for segment in range(7):
        own = [chunk for chunk in chunks if chunk[2] == segment]
        if own:
            mean = sum(score * n for score, n, _ in own) / sum(n for _, n, _ in own)
            assert pooled[segment] == pytest.approx(mean, abs=1e-9)
        else:
            assert np.isnan(pooled[segment])


def test_speakers_weigh_alike_within_a_language():
    speakers, languages = np.array([0, 0, 0, 1, 1, 0]), np.array([0, 0, 0, 0, 1, 1])
    assert speaker_weights(speakers, languages).tolist() == [1 / 3, 1 / 3, 1 / 3, 1, 1, 1]


def gaussians(n, distance, offset=0.0, scale=1.0, seed=0):
    """Scores whose true ratio is (score - offset) * distance / scale, and their languages."""
    languages = np.arange(n) % 2
    random = np.random.default_rng(seed)
    return offset + scale * (random.standard_normal(n) + distance * (0.5 - languages)), languages


@pytest.mark.parametrize(("offset", "scale"), [(0, 1), (5, 1), (-300, 20), (0.7, 0.01)])
@pytest.mark.parametrize(("n", "tolerance"), [(10_000, 0.1), (400, 0.3)])
def test_many_speakers_give_the_true_ratio(offset, scale, n, tolerance):
    scores, languages = gaussians(n, 1.5, offset, scale)
    found = fit_calibration(scores, languages, np.ones(len(scores)))
    assert found.slope * scale == pytest.approx(1.5, rel=tolerance)
    assert found.llr(np.array([offset]))[0] == pytest.approx(0, abs=tolerance)


def test_languages_weigh_alike():
    scores, languages = gaussians(40_000, 2)
    kept = (languages == 0) | (np.arange(len(scores)) % 10 == 1)
    assert fit_calibration(scores[kept], languages[kept], np.ones(kept.sum())).offset == pytest.approx(0, abs=0.1)


def test_one_speaker_of_many_utterances_does_not_move_the_border():
    scores, languages = gaussians(400, 2)
    speakers = np.arange(400)
    loud = fit_calibration(
        np.append(scores, np.full(4_000, 3.0)),
        np.append(languages, np.ones(4_000, int)),
        speaker_weights(np.append(speakers, np.full(4_000, 999)), np.append(languages, np.ones(4_000, int))),
    )
    assert loud.offset == pytest.approx(fit_calibration(scores, languages, np.ones(400)).offset, abs=0.1)


def test_few_speakers_hardly_move_the_border():
    """A held-out speaker of each language, both on the English side; the scores' means are 12 and 1."""
    scores, languages = np.array([9.0, 12, 15, -3, 1, 5]), np.array([0, 0, 0, 1, 1, 1])
    found = fit_calibration(scores, languages, np.full(6, 1 / 3))
    assert found.slope > 0 and 0 <= -found.offset / found.slope < 2
    more = fit_calibration(np.tile(scores, 100), np.tile(languages, 100), np.full(600, 1 / 3))
    assert -more.offset / more.slope > 5


scores_and_languages = st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(0, 1)), min_size=2, max_size=30)


@given(scores_and_languages)
def test_ratios_are_finite_and_keep_the_order_of_scores(trials):
    scores, languages = np.array([s for s, _ in trials]), np.array([language for _, language in trials])
    assume(len(set(languages)) == 2)
    found = fit_calibration(scores, languages, np.ones(len(trials)))
    llr = found.llr(scores)
    assert np.isfinite(llr).all()
    # No trial is more certain than that many speakers allow.
    assert np.abs(llr).max() < 60 or np.ptp(scores) > 0
    if found.slope > 0:
        assert (np.diff(llr[np.argsort(scores)]) >= 0).all()


@given(scores_and_languages, st.floats(0.9, 1.1))
def test_no_line_nearby_is_better(trials, factor):
    scores, languages = np.array([s for s, _ in trials]), np.array([language for _, language in trials])
    assume(len(set(languages)) == 2 and np.ptp(scores) > 1e-3)
    n = np.bincount(languages)
    share, target = 1 / n[languages] / 2, np.where(languages == 0, (n[0] + 1) / (n[0] + 2), 1 / (n[1] + 2))

    def loss(slope, offset):
        llr = slope * scores + offset
        return share @ (np.logaddexp(0, llr) - target * llr) + np.log1p((offset / 0.5) ** 2) / len(trials)

    found = fit_calibration(scores, languages, np.ones(len(trials)))
    for slope, offset in [(factor, 1), (1, factor), (factor, factor)]:
        assert loss(found.slope, found.offset) <= loss(found.slope * slope, found.offset * offset) + 1e-3


def test_perfectly_parted_scores_have_a_finite_slope():
    found = fit_calibration(np.array([1.0, 2, -1, -2]), np.array([0, 0, 1, 1]), np.ones(4))
    assert 0 < found.slope < 3


def test_inverted_scores_are_logged(caplog):
    scores, languages = gaussians(400, 2)
    with caplog.at_level(logging.WARNING):
        found = fit_calibration(-scores, languages, np.ones(400))
    assert found.slope < 0 and "inverted: held-out English scores lie below Mandarin's" in caplog.text


def test_constant_scores_say_nothing(caplog):
    with caplog.at_level(logging.WARNING):
        found = fit_calibration(np.full(6, 0.1), np.array([0, 1] * 3), np.ones(6))
    assert found == Calibration(0, 0) and "all held-out scores are 0.1" in caplog.text


@pytest.mark.parametrize(
    ("scores", "languages", "message"),
    [
        ([1.0, np.nan], [0, 1], "score nan of held-out speech"),
        ([1.0, np.inf], [0, 1], "score inf of held-out speech"),
        ([1.0, 2.0], [0, 0], "no Mandarin among the held-out speech"),
    ],
)
def test_scores_that_can_not_be_calibrated(scores, languages, message):
    with pytest.raises(InputError, match=message):
        fit_calibration(np.array(scores), np.array(languages), np.ones(2))


def test_saved_and_loaded(tmp_path):
    Calibration(0.1, -1 / 3).save(tmp_path / "c.json")
    assert Calibration.load(tmp_path / "c.json") == Calibration(0.1, -1 / 3)


@pytest.mark.parametrize(
    "content", ["", "[]", "{}x", '{"slope": 1, "gain": 2}', '{"slope": NaN, "offset": 0}', '{"slope": "1"}', "[1e999]"]
)
def test_files_that_are_no_calibration(write, content):
    path = write(content, "calibration.json")
    with pytest.raises(InputError, match=r"calibration.json: "):
        Calibration.load(path)
