import csv
import json
import math
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.g2p import breakdown
from sinobench.g2p.breakdown import figures
from sinobench.g2p.metrics import clean, confusions, problem, score
from sinobench.g2p.syllables import COMPONENTS, decompose
from sinobench.g2p.table import read_items
from sinobench.score import metric_rows

CASES = ["good", "perfect", "poor", "short_outputs", "silent"]
VALID = ["gwong2", "gong2", "gwong3", "gung1", "guk1", "ng5", "m4", "aa3", "sing1", "sei3", "hou2", "hung1", "jyut6"]
INVALID = [None, "", "xyz1", "神", "gwong", "a9", "zou6faa3"]


def test_every_vector_has_a_case(vectors):
    assert sorted(path.stem for path in (vectors / "g2p").glob("*.tsv")) == CASES


@pytest.mark.parametrize("case", CASES)
def test_vectors(vectors, case):
    expected = json.loads((vectors / f"g2p/{case}.expected.json").read_text(encoding="utf-8"))
    items = read_items(vectors / f"g2p/{case}.tsv")
    outcomes = score(items.labels, items.predictions, items.positions, None, items.output_lengths)
    result = figures(outcomes, items.texts)
    official = result["official"]
    assert official["accuracy"] == expected["accuracy"] and official["per"] == expected["per"]
    assert official["n_items"] == expected["n"] and official["dropped"] == expected.get("dropped", 0)
    strict = expected.get("strict", {name: expected[name] for name in ("accuracy", "per", "n")})
    assert {name: result["strict"]["n_items" if name == "n" else name] for name in strict} == strict


def plain_scores(items):
    """The definitions once more: one item at a time, components in dictionaries."""
    totals = {protocol: Counter() for protocol in ("strict", "official")}
    for labels, prediction, position, text_length, length in items:
        parts = decompose(prediction) if prediction is not None else None
        found = dict(zip(COMPONENTS, parts or (), strict=bool(parts)))
        best = None
        for label in labels:
            wanted = dict(zip(COMPONENTS, decompose(label), strict=True))
            wrong = [name for name in COMPONENTS if not found or found[name] != wanted[name]]
            if best is None or len(wrong) < len(best):
                best = wrong
        for protocol, total in totals.items():
            if protocol == "official" and length <= position:
                total["dropped"] += 1
                continue
            wrong = list(COMPONENTS) if protocol == "strict" and length != text_length else best
            total["n"] += 1
            total["right"] += not wrong
            total["errors"] += len(wrong)
            total.update(wrong)
    return totals


@st.composite
def scored_items(draw):
    labels = draw(st.lists(st.sampled_from(VALID), min_size=1, max_size=4))
    text_length = draw(st.integers(1, 6))
    position = draw(st.integers(0, text_length - 1))
    length = draw(st.just(text_length) | st.integers(0, 8))
    return labels, draw(st.sampled_from(labels + VALID + INVALID)), position, text_length, length


@given(st.lists(scored_items(), max_size=12))
def test_equals_a_plain_scorer(items):
    outcomes = score(*map(list, zip(*items, strict=True))) if items else score([], [], [], [], [])
    result = figures(outcomes, [position for _, _, position, _, _ in items])
    for protocol, total in plain_scores(items).items():
        ours, n = result[protocol], total["n"]
        assert ours["n_items"] == n and ours.get("dropped", total["dropped"]) == total["dropped"]
        expected = {"accuracy": total["right"], "per": total["errors"] / 4}
        expected |= {f"{name}_error_rate": total[name] for name in COMPONENTS}
        for name, value in expected.items():
            assert ours[name] is None if n == 0 else math.isclose(ours[name], value / n, abs_tol=1e-12), name


def one(labels, prediction, **lengths):
    return figures(score([labels], [prediction], **lengths), ["a"])


@pytest.mark.parametrize(
    ("labels", "prediction", "errors"),
    [
        (["gwong2"], "gwong2", 0),
        (["gwong2"], "gwong3", 1),
        (["gwong2"], "gong2", 1),
        (["gwong2"], "hou1", 4),
        (["ni1", "nei1"], "nei1", 0),
        (["nei1", "ni1"], "ni1", 0),
        (["ng5"], "m5", 1),
        (["ng5"], "ngo5", 3),
        (["gwong2"], None, 4),
        (["gwong2"], "xyz2", 4),
    ],
)
def test_component_errors(labels, prediction, errors):
    result = one(labels, prediction)
    for protocol in ("strict", "official"):
        assert result[protocol]["per"] == errors / 4
        assert result[protocol]["accuracy"] == (errors == 0)


def test_null_at_the_target_counts_in_both_but_a_short_output_in_strict_only():
    null = one(["hou2"], None, positions=[1], text_lengths=[3], output_lengths=[3])
    short = one(["hou2"], None, positions=[1], text_lengths=[3], output_lengths=[1])
    assert (null["official"]["n_items"], null["official"]["dropped"], null["official"]["per"]) == (1, 0, 1)
    assert (short["official"]["n_items"], short["official"]["dropped"], short["official"]["per"]) == (0, 1, None)
    assert null["strict"]["per"] == short["strict"]["per"] == 1 and short["strict"]["n_items"] == 1


@pytest.mark.parametrize(("length", "strict"), [(1, 0), (2, 0), (3, 1), (4, 0)])
def test_misaligned_output_is_wrong_in_strict_even_where_the_syllable_is_right(length, strict):
    result = one(["hou2"], "hou2", positions=[0], text_lengths=[3], output_lengths=[length])
    assert result["official"]["accuracy"] == 1
    assert result["strict"]["accuracy"] == result["strict"]["coverage"] == strict


def test_no_item():
    result = figures(score([], []), [])
    for protocol in ("strict", "official"):
        assert result[protocol]["n_items"] == 0
        assert result[protocol]["accuracy"] is result[protocol]["per"] is result[protocol]["coverage"] is None
    assert confusions([], [], score([], [])) == []


def test_groups_are_scored_apart_and_an_empty_one_has_no_rate():
    outcomes = score([["hou2"], ["hou2"], ["gwong2"]], ["hou2", "hou3", None], [0, 0, 1], None, [1, 1, 1])
    names = ("unit", "corpus", "register", "pos", "n_readings", "character")
    items = {name: list("aac") for name in names} | {"register": ["one", "one", "other"]}
    found = {
        (row["subset"], row["protocol"], row["metric"]): row for row in metric_rows(breakdown.scores(outcomes, items))
    }
    assert found["register=one", "strict", "accuracy"]["value"] == 0.5
    assert found["register=one", "strict", "per"]["value"] == 0.125
    dropped, counted = (found["register=other", protocol, "accuracy"] for protocol in ("official", "strict"))
    assert (dropped["value"], dropped["n_items"]) == (None, 0)
    assert (counted["value"], counted["n_items"], counted["coverage"]) == (0, 1, 0)


@pytest.mark.parametrize(
    ("prediction", "length", "expected"),
    [
        ("hou2", 3, None),
        ("hou2", None, None),
        ("hou2", 2, "output has 2 entries for 3 characters"),
        (None, 3, "no prediction"),
        ("xyz2", 3, "'xyz2' is no Jyutping syllable"),
        ("gwong", 3, "'gwong' has no tone"),
        ("hou7", 3, "'hou7' is no Jyutping syllable"),
    ],
)
def test_problem_names_why_strict_cannot_use_an_output(prediction, length, expected):
    assert problem(prediction, 3, length) == expected


@pytest.mark.parametrize("kept", ["hou2", "xyz1", "m4"])
def test_clean_keeps_what_looks_like_a_syllable(kept):
    assert clean(kept) == kept


@pytest.mark.parametrize("refused", ["", "abc", "hou2 ", "hou7", "Hou2", "hou2 hou2", "，", None])
def test_clean_drops_the_rest(refused):
    assert clean(refused) is None


def random_corpus(n, seed):
    choose = random.Random(seed)
    names = ("labels", "position", "text", "register", "pos", "n_readings", "character", "corpus", "unit")
    items = {name: [] for name in names}
    predictions = {"prediction": [], "output_length": []}
    for _ in range(n):
        row = (choose.sample(VALID, 2), 1, "一二三", "words", choose.choice(["N", None]), choose.randrange(3), "二")
        row += (choose.choice(["words", "verse"]), choose.choice("abcdef"))
        for column, value in zip(items.values(), row, strict=True):
            column.append(value)
        predictions["prediction"].append(choose.choice(VALID + INVALID))
        predictions["output_length"].append(choose.choice([3, 3, 3, 1, 5]))
    return items, predictions


def test_confusions_sum_to_the_items_in_each_component():
    items, predictions = random_corpus(200, seed=1)
    outcomes = breakdown.score_table(items, predictions)
    rows = confusions(items["labels"], predictions["prediction"], outcomes)
    for place, component in enumerate(COMPONENTS):
        table = [row[1:] for row in rows if row[0] == component]
        assert sum(n for *_, n in table) == 200
        assert sum(n for expected, predicted, n in table if expected != predicted) == outcomes.wrong[:, place].sum()
        assert sum(n for _, predicted, n in table if predicted is None) == (~outcomes.usable).sum() > 0


def test_confusions_are_against_the_nearest_label():
    labels, predictions = [["gwong2", "ng5"]], ["m5"]
    assert confusions(labels, predictions, score(labels, predictions)) == [
        ("coda", "ng", "m", 1),
        ("nucleus", "∅", "∅", 1),
        ("onset", "∅", "∅", 1),
        ("tone", "5", "5", 1),
    ]


def values(rows, **wanted):
    return {
        (row["subset"], row["metric"]): (row["value"], row["n_items"])
        for row in rows
        if all(row[name] == value for name, value in wanted.items())
    }


def test_subsets_partition_the_items():
    items, predictions = random_corpus(200, seed=2)
    rows = metric_rows(breakdown.scores(breakdown.score_table(items, predictions), items))
    for protocol in ("strict", "official"):
        found = values(rows, protocol=protocol, metric="per")
        total, n = found["all", "per"]
        for kind in ("register", "readings", "character"):
            parts = [value for (subset, _), value in found.items() if subset.startswith(f"{kind}=")]
            assert sum(m for _, m in parts) == n
            assert math.isclose(sum(value * m for value, m in parts), total * n)
        assert {subset for subset, _ in found if subset.startswith("pos=")} == {"pos=N"}  # null is no part of speech


def test_macro_is_the_mean_of_corpora_and_not_of_items():
    outcomes = score([["hou2"]] * 4, ["hou2", None, None, None])
    pooled = {"corpus": ["small", *["large"] * 3], "unit": ["a", "a", "b", "b"]}
    found = values(metric_rows(breakdown.macro_scores(outcomes, pooled)), protocol="strict")
    assert found == {("all", "accuracy_macro"): (0.5, 4), ("all", "per_macro"): (0.5, 4)}


def test_outcome_columns_say_what_each_protocol_did():
    items = {"item_id": ["a", "b", "c"], "labels": [["hou2"]] * 3, "position": [1] * 3, "text": ["一二三"] * 3}
    predictions = {"prediction": ["hou2", None, "hou3"], "output_length": [4, 1, 3]}
    columns = breakdown.outcome_columns(items, predictions, breakdown.score_table(items, predictions))
    assert list(columns["strict_errors"]) == [4, 4, 1]
    assert list(columns["official_errors"]) == [0, None, 1]
    assert list(columns["official_correct"]) == [True, None, False]
    assert list(columns["official_dropped"]) == [False, True, False]
    assert columns["problem"] == [
        "output has 4 entries for 3 characters",
        "output has 1 entries for 3 characters",
        None,
    ]


def test_vectors_are_read_as_written(vectors):
    path = Path(vectors / "g2p/short_outputs.tsv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    items = read_items(path)
    assert items.texts == [row["text"] for row in rows]
    assert items.output_lengths == [int(row["output_length"]) for row in rows]
    assert items.labels == [row["label"].split("/") for row in rows]
