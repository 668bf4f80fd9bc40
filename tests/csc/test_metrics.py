import dataclasses
import json
import math
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.csc.command import OFFICIAL_NAMES
from sinobench.csc.metrics import (
    Counts,
    compare,
    count,
    ignoring,
    official_counts,
    official_metrics,
    strict_metrics,
)
from sinobench.csc.official import Official
from sinobench.csc.pairs import pair, read_pairs
from sinobench.errors import InputError
from sinobench.score import plain

REFUSED = {
    "bad_length": r"modelout\.txt, line 12: input has \d+ characters, output \d+",
    "unknown_input": r"modelout\.txt, line 8: input '这句话不在标准答案里。' is not in ",
}
SCORED = [
    *("do_nothing", "duplicates", "header_line", "missing_predictions", "noisy", "only_correct_sentences"),
    *("only_wrong_sentences", "oracle", "precise", "shuffled", "typical"),
]


def counts_of(edits):
    return Counts(*count(edits).sum(axis=0).tolist())


def official_of(inputs, golds, predictions):
    rows = Official.of(inputs)
    columns = ((inputs, rows.gold_rows), (golds, rows.gold_rows), (predictions, rows.prediction_rows))
    return counts_of(compare(*([column[row] for row in rows] for column, rows in columns)))


def test_every_vector_has_a_case(vectors):
    assert {path.name for path in (vectors / "csc").iterdir()} == {*SCORED, *REFUSED}


@pytest.mark.parametrize("case", SCORED)
def test_vectors(vectors, case):
    folder = vectors / "csc" / case
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    gold, predicted = read_pairs(folder / "gold.txt"), read_pairs(folder / "modelout.txt")
    pairing = pair(gold, predicted)
    counts = official_of(pairing.inputs, pairing.golds, pairing.predictions)
    metrics, ratios = plain(official_metrics(counts)), official_counts(counts)
    for ours, theirs in OFFICIAL_NAMES.items():
        assert metrics[ours] == expected[theirs], ours
        if ours in ratios:
            assert list(ratios[ours]) == expected[f"{theirs}_counts"], ours
    for line in expected["stdout"]:
        name, value = re.fullmatch(r"(\w+)：([-\d.]+)(?:\(.*\))?", line).groups()
        ours = metrics[next(key for key, printed in OFFICIAL_NAMES.items() if printed == name)]
        assert value == ("-" if ours is None else f"{ours:.2f}" if name == "sentence_FPR" else str(ours)), line


@pytest.mark.parametrize("case", REFUSED)
def test_vectors_that_the_official_script_refuses(vectors, case):
    folder = vectors / "csc" / case
    with pytest.raises(InputError, match=REFUSED[case]):
        pair(read_pairs(folder / "gold.txt"), read_pairs(folder / "modelout.txt"))


def plain_counts(triples):
    """The definitions once more, character by character."""
    c = Counter()
    for source, gold, prediction in triples:
        c["n"] += 1
        edits = [i for i in range(len(source)) if source[i] != gold[i]]
        found = [i for i in range(len(source)) if source[i] != prediction[i]]
        c["true"] += len(edits)
        c["found"] += len(found)
        c["detected"] += len([i for i in edits if i in found])
        c["tp"] += len([i for i in edits if prediction[i] == gold[i]])
        c["fp"] += len([i for i in found if prediction[i] != gold[i]])
        c["fn"] += len([i for i in edits if prediction[i] != gold[i]])
        c["wrong"] += gold != source
        c["altered"] += prediction != source
        c["spoilt"] += gold == source != prediction
        c["detected_exactly"] += gold != source and edits == found
        c["corrected_exactly"] += gold != source and prediction == gold
    return c


def plain_prf(hits, found, true):
    precision, recall = hits / found if found else None, hits / true if true else None
    f1 = None
    if precision is not None and recall is not None:
        f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return precision, recall, f1


def plain_strict(triples):
    c = plain_counts(triples)
    kept = c["n"] - c["wrong"]
    groups = {
        "detection": plain_prf(c["detected"], c["found"], c["true"]),
        "correction": plain_prf(c["tp"], c["tp"] + c["fp"], c["tp"] + c["fn"]),
        "sighan_detection": plain_prf(c["detected_exactly"], c["altered"], c["wrong"]),
        "sighan_correction": plain_prf(c["corrected_exactly"], c["altered"], c["wrong"]),
        "pycorrector_correction": plain_prf(c["corrected_exactly"], c["corrected_exactly"] + c["spoilt"], c["wrong"]),
    }
    metrics = {
        f"{g}_{n}": v for g, prf in groups.items() for n, v in zip(("precision", "recall", "f1"), prf, strict=True)
    }
    metrics["sentence_fpr"] = c["spoilt"] / kept if kept else None
    metrics["conditional_correction_accuracy"] = c["tp"] / c["detected"] if c["detected"] else None
    return metrics


def plain_official(triples):
    sentences = {}
    for source, gold, _ in triples:
        sentences[source] = [source, gold]
    for source, _, prediction in triples:
        sentences[source].append(prediction)
    c = plain_counts([tuple(row[:3]) for row in sentences.values()])
    kept = c["n"] - c["wrong"]
    metrics = {"sentence_fpr": round(100 * c["spoilt"] / kept, 2) if kept else None}
    for name, hits, found, true in (
        ("detection", c["detected"], c["found"], c["true"]),
        ("correction", c["tp"], c["tp"] + c["fp"], c["tp"] + c["fn"]),
    ):
        p, r = round((hits / found) * 100, 2) if found else None, round((hits / true) * 100, 2) if true else None
        f1 = None if p is None or r is None or p + r == 0 else round(p * r * 2 / (p + r), 2)
        metrics |= {f"{name}_precision": p, f"{name}_recall": r, f"{name}_f1": f1}
    return metrics


@st.composite
def triple(draw):
    length = draw(st.integers(0, 5))
    text = st.text("天地𠮶", min_size=length, max_size=length)
    source = draw(text)
    gold = draw(st.just(source) | text)
    # As they come, or right but for the end.
    return source, gold, draw(st.just(source) | st.just(gold) | text | text.map(lambda t: gold[:-1] + t[-1:]))


triples = st.lists(triple(), max_size=8)


def columns(rows):
    return [[row[i] for row in rows] for i in range(3)]


@given(triples)
def test_strict_equals_a_plain_scorer(rows):
    ours, theirs = plain(strict_metrics(counts_of(compare(*columns(rows))))), plain_strict(rows)
    assert ours.keys() == theirs.keys()
    for name, value in theirs.items():
        assert ours[name] is None if value is None else math.isclose(ours[name], value), name


@given(triples)
def test_official_equals_a_plain_scorer(rows):
    assert plain(official_metrics(official_of(*columns(rows)))) == plain_official(rows)


@given(triples, triples)
def test_counts_are_by_sentence_whatever_stands_beside_it(some, others):
    each = [count(compare(*columns(rows))) for rows in (some, others)]
    assert np.array_equal(np.concatenate(each), count(compare(*columns(some + others))))


@given(triples)
def test_edits_are_the_positions_that_differ(rows):
    edits = compare(*columns(rows))
    listed = zip(edits.sentence, edits.position, edits.source, edits.gold, edits.prediction, strict=True)
    assert [(row, at, chr(s), chr(g), chr(p)) for row, at, s, g, p in listed] == [
        (row, at, *characters)
        for row, texts in enumerate(rows)
        for at, characters in enumerate(zip(*texts, strict=True))
        if len(set(characters)) > 1
    ]


@pytest.mark.parametrize(
    ("row", "undefined"),
    [
        (("天", "天", "天"), {"sentence_fpr"}),
        (("天", "地", "天"), {"detection_recall", "correction_recall", "sighan_correction_recall"}),
        (
            ("天", "天", "地"),
            {"sentence_fpr", "detection_precision", "correction_precision", "pycorrector_correction_precision"},
        ),
    ],
    ids=["nothing-to-do-nor-done", "nothing-done", "nothing-to-do"],
)
def test_what_has_no_denominator_is_undefined(row, undefined):
    metrics = plain(strict_metrics(counts_of(compare(*columns([row])))))
    assert {name for name, value in metrics.items() if value is not None} >= undefined
    assert metrics["correction_f1"] is metrics["detection_f1"] is metrics["conditional_correction_accuracy"] is None


@pytest.mark.parametrize(
    ("prediction", "detected", "corrected", "altered"),
    [("大天", 1, 1, 1), ("夫天", 1, 0, 1), ("大大", 0, 0, 1), ("天大", 0, 0, 1), ("天天", 0, 0, 0)],
    ids=["right", "wrong-fix", "right-and-more", "elsewhere", "unchanged"],
)
def test_a_sentence_counts_when_its_whole_set_of_edits_does(prediction, detected, corrected, altered):
    counts = counts_of(compare(["天天"], ["大天"], [prediction]))
    assert counts.sentences_wrong == 1 and counts.sentences_correct == counts.sentences_correct_altered == 0
    assert counts.sentences_detected_exact == detected and counts.sentences_corrected_exact == corrected
    assert counts.sentences_altered == altered


def test_nothing_at_all():
    assert counts_of(compare([], [], [])) == Counts()
    for metrics_of in (strict_metrics, official_metrics):
        assert set(plain(metrics_of(Counts())).values()) == {None}


def test_f1_of_only_wrong_edits_is_zero_in_strict_and_undefined_in_official():
    counts = counts_of(compare(["天天"], ["地天"], ["天地"]))
    assert strict_metrics(counts)["detection_f1"] == 0 and np.isnan(official_metrics(counts)["detection_f1"])


def test_official_f1_comes_from_rounded_precision_and_recall():
    counts = dataclasses.replace(Counts(), found=7, true=3, detected=1, corrected=1)
    assert official_metrics(counts)["correction_precision"] == 14.29
    assert official_metrics(counts)["correction_f1"] == round(14.29 * 33.33 * 2 / (14.29 + 33.33), 2)
    assert strict_metrics(counts)["correction_f1"] == 0.2


@pytest.mark.parametrize(
    ("source", "gold", "prediction", "true", "found", "corrected"),
    [
        ("他的跑", "他地跑", "他的跑", 0, 0, 0),
        ("他的跑", "他的跑", "他得跑", 0, 0, 0),
        ("他的跑", "他地跑", "他得跑", 0, 0, 0),
        ("他的跑", "他他跑", "他地跑", 1, 0, 0),
        ("他他跑", "他地跑", "他地跑", 1, 1, 1),
        ("他他跑", "他地跑", "他的跑", 1, 1, 0),
        ("他的炮", "他地跑", "他的跑", 1, 1, 1),
    ],
)
def test_ignored_characters(source, gold, prediction, true, found, corrected):
    edits = compare([source], [gold], [prediction])
    counts = counts_of(ignoring(edits, "的地得"))
    assert (counts.true, counts.found, counts.corrected) == (true, found, corrected)
    # Without them the same edits count.
    assert counts_of(edits).true == sum(a != b for a, b in zip(source, gold, strict=True))


@pytest.mark.parametrize(
    "texts",
    [
        (["天"], ["天地"], ["天"]),
        (["天"], ["天"], [""]),
        (["天"], [], ["天"]),
        (["天", "地"], ["天地", ""], ["天", "地"]),
    ],
)
def test_unequal_lengths_are_no_input(texts):
    with pytest.raises(ValueError, match="differ in number or length"):
        compare(*texts)
