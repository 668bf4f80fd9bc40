import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.csc.alignment import Laid, lay, misalignment
from sinobench.csc.metrics import compare, strict_metrics
from tests.csc.test_metrics import counts_of


@pytest.mark.parametrize(
    ("text", "output", "prediction", "n_unaligned"),
    [
        ("天气晴郎", "天气晴朗", "天气晴朗", 0),
        ("天汽晴朗", "天气晴朗。", "天气晴朗", 1),
        ("天汽晴朗", "今天气晴朗。", "天气晴朗", 2),
        ("天汽晴朗啊", "天气晴朗", "天气晴朗啊", 1),
        ("天气晴郎", "天气晴朗。", "天气晴郎", 2),  # 朗 or 。 for 郎, the other added
        ("天天晴郎", "天晴朗", "天天晴朗", 1),  # which 天 was left out makes no difference
        ("天地人和", "大大地人和", "大地人和", 1),  # whichever 大 it is
        ("天地人和", "大夫地人和", "天地人和", 2),  # 大 or 夫 for 天
        ("天汽晴朗", "天气晴朗\n", "天气晴朗", 1),
        ("天气晴郎", "天气\t郎", "天气晴郎", 1),
        ("天气晴郎", "", "天气晴郎", 4),
        ("天气晴郎", "好的，这句话改过以后是：天气晴朗。", "天气晴郎", 4),
        ("天气", "大汽好", "天气", 2),
    ],
)
def test_what_can_be_told_counts_and_the_rest_is_wrong(text, output, prediction, n_unaligned):
    assert lay(text, output) == Laid(prediction, n_unaligned)


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("天汽", None),
        ("天", "misaligned: 1 characters for 2"),
        ("天气。", "misaligned: 3 characters for 2"),
        ("天\n", "misaligned: a tab or a line end in the output"),
    ],
)
def test_misalignment_is_named(output, problem):
    assert misalignment("天气", output) == problem


def test_a_tab_of_the_text_is_no_misalignment():
    assert misalignment("天\t气", "天\t汽") is None


def shortest_alignments(text, output):
    """Every shortest alignment, as what it puts in the place of each character ("" where it deletes)."""
    if not text:
        return len(output), {()}
    found = {}
    # The output's characters up to ``k`` go into the place before the text's first one.
    for k in range(len(output) + 1):
        for replaced in {output[k : k + 1], ""}:
            cost, rest = shortest_alignments(text[1:], output[k + len(replaced) :])
            cost += k + (replaced != text[0])
            found.setdefault(cost, set()).update((replaced, *tail) for tail in rest)
    return min(found), found[min(found)]


short_texts = st.text("天地人", max_size=5)


@given(short_texts, short_texts)
def test_equals_all_shortest_alignments_listed(text, output):
    if len(text) == len(output):
        assert lay(text, output) == Laid(output, 0)
        return
    distance, alignments = shortest_alignments(text, output)
    if distance >= len(text):
        assert lay(text, output) == Laid(text, len(text))
        return
    expected = [
        places.pop() if len(places) == 1 and places != {""} else character
        for character, places in zip(text, map(set, zip(*alignments, strict=True)), strict=True)
    ]
    edits = sum(a != b for a, b in zip(text, expected, strict=True))
    assert lay(text, output) == Laid("".join(expected), distance - edits)


@given(st.text("天地人大", min_size=1, max_size=8), st.text("天地人大\n", max_size=12), st.data())
def test_a_misaligned_sentence_is_altered_and_never_right(text, output, data):
    gold = data.draw(st.just(text) | st.text("天地人大", min_size=len(text), max_size=len(text)))
    laid = lay(text, output)
    assert len(laid.prediction) == len(text)
    if misalignment(text, output) is None:
        assert laid.n_unaligned == 0
        return
    assert laid.n_unaligned >= 1
    assert laid.n_unaligned + sum(a != b for a, b in zip(text, laid.prediction, strict=True)) <= len(text)
    counts = counts_of(compare([text], [gold], [laid.prediction], [laid.n_unaligned]))
    assert counts.found > counts.detected and counts.sentences_altered == 1
    assert counts.sentences_detected_exact == counts.sentences_corrected_exact == 0
    assert counts.sentences_correct_altered == counts.sentences_correct
    assert strict_metrics(counts)["correction_precision"] < 1


def test_outputs_of_any_length_take_bounded_time_and_space():
    started = time.perf_counter()
    assert lay("天" * 50, "天" * 5_000_000).n_unaligned == 50
    assert lay("天" * 1_000_000, "天" * 999_999).n_unaligned == 1_000_000
    lay("天地" * 1_000, "天人" * 1_500)
    assert time.perf_counter() - started < 20
