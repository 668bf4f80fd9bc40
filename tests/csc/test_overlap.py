"""What sentences of a corpus share with training files."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.csc import gathered, overlap, stored
from sinobench.csc.breakdown import compare_outputs
from sinobench.csc.digests import digests
from sinobench.csc.overlap import N_GRAM, SAME, SHARED, Sought, normalized
from sinobench.csc.tables import ITEMS, OVERLAPS, PREDICTIONS
from sinobench.results.stored import Stored
from sinobench.results.tables import METRICS

RUN = "一二三四五六七八九十甲乙丙"


def shared(item, *pairs, golds=(), scored=()):
    sought = Sought([(item, list(golds) or [item])], 1)
    in_file, in_fit = sought.overlaps(pairs, np.sort(digests(scored)))
    return in_file[0], in_fit[0]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("今天天气很好", SAME),
        ("今天，天气 很好。", SAME),  # punctuation and blanks tell nothing apart
        ("今天天气很坏", None),
        (f"前{RUN}后", SHARED),
        (f"前{RUN[:-1]}后", None),
        (f"前{RUN[:6]}——{RUN[6:]}后", SHARED),
    ],
)
def test_whole_sentences_and_runs_of_characters_are_found(text, kind):
    assert len(RUN) == N_GRAM
    training = [("今天天气很好", "今天天气很好"), (f"它{RUN}它", f"它{RUN}它")]
    assert shared(text, *training) == (kind, kind)


def test_width_and_case_tell_nothing_apart():
    assert normalized("ＡＢＣ abc １2.") == "abcabc12"
    assert shared("ＵＳＢ很好", ("usb很好", "usb很好"))[0] == SAME


def test_the_correction_counts_as_the_text_does():
    assert shared("今天天汽很好", ("今天天气很好", "今天天气很好"), golds=["今天天气很好"])[0] == SAME
    assert shared("今天天汽很好", ("别的", "今天天汽很好"))[0] == SAME


def test_a_pair_that_no_model_is_fitted_on_touches_the_file_alone():
    left_out = ("今天天汽很好", "今天天气很好")
    assert shared("今天天气很好", left_out, scored=["今天天气很好"]) == (SAME, None)
    assert shared("今天天气很好", left_out, ("今天天气很好", "别的天气很好"), scored=["今天天气很好"]) == (SAME, SAME)


def test_a_run_does_not_go_on_from_one_text_into_the_next():
    assert shared(RUN, (RUN[:6], RUN[:6]), (RUN[6:], RUN[6:])) == (None, None)


def test_memory_does_not_grow_with_the_training_corpus():
    def peak(n):
        pairs = ((f"训练句子第{i}号它很长很长很长很长", "一") for i in range(n))
        tracemalloc.start()
        Sought([(RUN, [RUN])], 1).overlaps(pairs, digests([]))
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return taken

    assert peak(40_000) < 1.2 * peak(20_000)


TEXTS = st.text("甲乙丙", min_size=10, max_size=40)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=2, max_size=20), st.lists(st.tuples(TEXTS, TEXTS)), st.integers(1, 5))
def test_in_many_parts_the_same_is_found_as_in_one(sentences, pairs, n):
    scored = np.sort(digests(gold for _, gold in sentences[::2]))

    def found():
        sought = Sought([(source, [gold]) for source, gold in sentences], len(sentences))
        return sought.overlaps([*pairs, *sentences[::3]], scored)

    expected = found()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlap, "_SENTENCES_AT_ONCE", n)
        patch.setattr(overlap, "_BATCH", n)
        assert found() == expected


def test_figures_without_the_overlap_are_those_of_the_other_items():
    ids, texts = list("abcd"), ["天汽好", "天气好", "很好吗", "很号吗"]
    golds, outputs = [["天气好"], ["天气好"], ["很好吗"], ["很好吗"]], ["天气好", "天气好", "很坏吗", "很号吗"]
    scores = gathered.scores(compare_outputs(ids, texts, golds, outputs), "", {"a", "c"})
    rest = gathered.scores(compare_outputs(["b", "d"], texts[1::2], golds[1::2], outputs[1::2]))
    by = {(score.protocol, score.subset): score for score in scores}
    for score in rest:
        if score.subset == "all" and len(score.metrics()) > 1:
            own = by[score.protocol, gathered.WITHOUT_OVERLAP]
            assert own.n_items == 2 and str(own.metrics()) == str(score.metrics())
    assert len(by) == len(scores) - 1  # `all` has the share of misaligned outputs apart


@pytest.mark.parametrize("touched", [set(), set("ab")])
def test_there_is_no_such_subset_where_all_or_no_items_overlap(touched):
    compared = compare_outputs(list("ab"), ["天汽", "天"], [["天气"], ["天"]], ["天气", "天"])
    assert all(score.subset != gathered.WITHOUT_OVERLAP for score in gathered.scores(compared, "", touched))


def test_stored_tables_without_the_subset_need_no_table_of_overlaps():
    tables = {
        ITEMS: {"corpus": ["c"], "item_id": ["a"], "line": [1], "input": ["天汽"], "golds": [["天气"]]},
        PREDICTIONS: {"corpus": ["c"], "item_id": ["a"], "prediction": ["天气"]},
        METRICS: {"subset": ["all"]},
    }
    held = Stored("c", "m", tables.__getitem__)
    assert OVERLAPS not in tables and list(stored.scores(held))
