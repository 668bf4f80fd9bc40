"""The dictionary baseline: what it promises for any text, and that its training shares nothing with what is scored."""

import os
import tracemalloc
from itertools import cycle, islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sinobench.csc.digests import digests
from sinobench.csc.fitting import training_pairs_without_leaks
from sinobench.csc.models import judging
from sinobench.csc.models.dictionary import Dictionary

SAMPLE = Path(__file__).parents[2] / "resources/samples/csc/sample-train.tsv"
WRONG = "公司有着坚实的基础，形成了较强的技术优式。"
RIGHT = "公司有着坚实的基础，形成了较强的技术优势。"


def read_pairs(path):
    lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    return [tuple(line.split("\t")[-2:]) for line in lines]


@pytest.fixture(scope="module")
def pairs():
    return read_pairs(SAMPLE)


@pytest.fixture(scope="module")
def model(pairs):
    fitted = Dictionary()
    fitted.fit(pairs, seed=1)
    return fitted


def test_corrects_an_obvious_error_and_leaves_a_correct_sentence_alone(model):
    assert model.predict([WRONG, RIGHT]) == [RIGHT, RIGHT]


def test_predicts_without_any_training_pair():
    untrained = Dictionary()
    untrained.fit([], seed=1)
    assert untrained.predict([WRONG, RIGHT, ""]) == [RIGHT, RIGHT, ""]


def test_training_pairs_of_unequal_length_are_ignored(pairs, model, tmp_path):
    other = Dictionary()
    other.fit([*pairs, ("太短", "太短了")], seed=1)
    assert saved_bytes(other, tmp_path) == saved_bytes(model, tmp_path)


def test_two_fits_give_the_same_file(pairs, model, tmp_path):
    again = Dictionary()
    parameters = again.fit(pairs, seed=1)
    assert saved_bytes(again, tmp_path) == saved_bytes(model, tmp_path)
    assert parameters["threshold"] == model.threshold and 0 < model.threshold < 1


@given(st.integers(0, 100), st.integers(1, 50))
def test_of_few_pairs_all_are_looked_at_and_of_more_as_many_as_may_be(n, most):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "MOST_PAIRS", most)
        blocks = judging.blocks_of(range(n))
        seen = [i for block in blocks for some in judging.looked_at(block, n) for i in some]
    assert seen == sorted(set(seen)) and set(seen) <= set(range(n))
    assert len(seen) == n if n <= most else most / 2 - len(blocks) < len(seen) < most + len(blocks)


def test_memory_of_a_fit_grows_little_with_pairs_beyond_those(monkeypatch, pairs):
    monkeypatch.setattr(judging, "MOST_PAIRS", 300)

    def peak(n):
        many = [(f"{source}{i}", f"{gold}{i}") for i, (source, gold) in enumerate(islice(cycle(pairs), n))]
        tracemalloc.start()
        Dictionary().fit(many, seed=1)
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return taken

    peak(300)  # loads what stays
    small = peak(600)
    assert peak(2400) < 1.5 * small


def test_save_and_load_give_the_same_predictions_without_pickle(model, pairs, tmp_path):
    model.save(tmp_path / "model")
    with np.load(tmp_path / "model", allow_pickle=False) as saved:
        assert not any(saved[name].dtype.hasobject for name in saved.files)
    texts = [source for source, _ in pairs]
    assert Dictionary.load(tmp_path / "model").predict(texts) == model.predict(texts)


def test_a_pickled_file_is_refused(tmp_path):
    np.savez(tmp_path / "model.npz", characters=np.array([print], dtype=object), weights=0, threshold=0)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        Dictionary.load(tmp_path / "model.npz")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.text() | st.text("公司的优式势知觉在再，a1\u3000\0龍𠀀"), max_size=4))
def test_predictions_are_as_many_and_as_long_as_the_texts(model, texts):
    predicted = model.predict(texts)
    assert [len(text) for text in predicted] == [len(text) for text in texts]


def test_a_prediction_depends_on_its_text_only(model, pairs):
    texts = [source for source, _ in pairs]
    together = model.predict(texts)
    assert [model.predict([text])[0] for text in texts[:40]] == together[:40]
    assert model.predict(texts[::-1]) == together[::-1]


def test_leaks_are_removed_and_counted():
    pairs = [("甲乙", "甲乙"), ("丙丁", "丙戊"), ("己", "己")]
    assert training_pairs_without_leaks(pairs, np.sort(digests(["丙戊", "庚"]))) == (
        [("甲乙", "甲乙"), ("己", "己")],
        1,
    )
    assert training_pairs_without_leaks([], digests([])) == ([], 0)


@pytest.mark.skipif("SINOBENCH_MIRROR" not in os.environ, reason="SINOBENCH_MIRROR names no folder of public corpora")
def test_no_kept_training_gold_is_scored_anywhere():
    mirror = Path(os.environ["SINOBENCH_MIRROR"])
    scored = [mirror / "nlpcc2023-task8/data.txt", mirror / "mcscset/test.txt"]
    scored += [mirror / "ecspell" / f"{name}.test" for name in ("law", "med", "odw")]
    scored += [mirror / "ecspell" / f"sighan20{year}.test.txt" for year in (13, 14, 15)]
    golds = {gold for path in scored for _, gold in read_pairs(path)}
    training = [pair for name in ("law", "med", "odw") for pair in read_pairs(mirror / f"ecspell/{name}.train")]

    kept, removed = training_pairs_without_leaks(training, np.sort(digests(golds)))

    assert {gold for _, gold in training} & golds
    assert not {gold for _, gold in kept} & golds
    assert len(kept) + removed == len(training) and removed > 0


def saved_bytes(model, folder):
    model.save(folder / "model.npz")
    return (folder / "model.npz").read_bytes()
