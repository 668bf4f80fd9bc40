from pathlib import Path

import numpy as np
import pytest

from sinobench.csc import breakdown, gathered, stored
from sinobench.csc.metrics import compare, count
from sinobench.csc.predictions import from_file, stream_file
from sinobench.csc.readers import read_corpus
from sinobench.csc.tables import ITEMS, PREDICTIONS
from sinobench.errors import InputError
from sinobench.results import tables
from sinobench.results.stored import in_files

SAMPLE = str(Path(__file__).parents[2] / "resources/samples/csc/sample.tsv")
ENTRY = {"reader": "pairs", "columns": ["input", "gold"], "delimiter": "\t", "lenient": False, "remove_blanks": False}


@pytest.fixture(autouse=True)
def fifty_at_once(monkeypatch):
    for name in ("ROWS_AT_ONCE", "ROWS_IN_HAND"):
        monkeypatch.setattr(tables, name, 50)


def test_pairs_read_some_at_a_time_are_those_read_at_once():
    whole, parts = read_corpus("c", ENTRY, {"text": SAMPLE}), []
    read = read_corpus("c", ENTRY, {"text": SAMPLE}, parts.append)
    assert [len(part) for part in parts] == [50, 50, 50, 50, 23]
    assert [row for part in parts for row in part] == whole.items
    assert len(read.items) == len(whole.items) == 223
    assert read.set_aside == whole.set_aside


def test_an_id_that_stands_twice_is_found_across_parts(tmp_path):
    rows = [f"{n % 60}\t我门\t我们" for n in range(120)]
    (tmp_path / "pairs.tsv").write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(InputError, match=r"line 61: id '0' stands twice, first on line 1"):
        read_corpus("c", ENTRY | {"columns": ["id", "input", "gold"]}, {"text": tmp_path / "pairs.tsv"}, list)


def test_text_cut_into_characters_is_noticed_across_parts(tmp_path, caplog):
    (tmp_path / "pairs.tsv").write_text("\n".join(["我 门\t我 们"] * 60), encoding="utf-8")
    read_corpus("c", ENTRY, {"text": tmp_path / "pairs.tsv"}, list)
    assert "most characters stand alone between blanks" in caplog.text


def stored_in_files(folder):
    """Sentences of which many stand more than once, far apart; some with two references, or no usable output."""
    random = np.random.default_rng(5)
    texts = ["".join(random.choice(list("天地人在再的得"), 6)) for _ in range(90)]
    inputs = [f"原文{texts[0]}", *(texts[place] for place in random.integers(0, len(texts), 180))]

    def altered(text):
        return "".join(random.choice([character, "好"], p=[0.8, 0.2]) for character in text)

    golds = [[altered(text) for _ in range(random.integers(1, 3))] for text in inputs]
    outputs = [random.choice([altered(text), text + "。", None], p=[0.9, 0.05, 0.05]) for text in inputs]
    items = {"item_id": [f"s{n}" for n in range(len(inputs))], "line": range(1, len(inputs) + 1), "input": inputs}
    found = {ITEMS: str(folder / "items.parquet"), PREDICTIONS: str(folder / "predictions.parquet")}
    tables.write(ITEMS, {"corpus": "c", **items, "golds": golds}, found[ITEMS])
    given = {"item_id": items["item_id"], "input": inputs, "prediction": outputs}
    tables.write(PREDICTIONS, {"corpus": "c", "model": "m", **given}, found[PREDICTIONS])
    return in_files("c", "m", found)


def test_sentences_scored_some_at_a_time_have_the_figures_of_all_at_once(tmp_path):
    own, overlapping = stored_in_files(tmp_path), {"s3", "s77", "s150"}
    whole, held, parts = stored.comparison(own), gathered.Gathered("的得", overlapping), []
    for compared in stored.parts(own):
        held.add(compared)
        parts.append({**breakdown.outcome_columns(compared), "edits": breakdown.edit_columns(compared)["position"]})
    assert len(parts) == 4 and whole.official.repeated.any() and whole.misaligned.any()
    columns = {**breakdown.outcome_columns(whole), "edits": breakdown.edit_columns(whole)["position"]}
    assert {name: [value for part in parts for value in part[name]] for name in columns} == {
        name: list(values) for name, values in columns.items()
    }
    for one, other in zip(held.scores(), gathered.scores(whole, "的得", overlapping), strict=True):
        assert (one.protocol, one.subset, one.n_items, one.coverage) == (
            *(other.protocol, other.subset, other.n_items, other.coverage),
        )
        assert list(one.units) == list(other.units) and np.array_equal(one.statistics, other.statistics)


def test_official_counts_are_those_of_the_texts_that_the_script_takes(tmp_path):
    whole = stored.comparison(stored_in_files(tmp_path))
    held = gathered.Gathered()
    held.add(whole)
    rows = [
        (whole.inputs[gold], whole.options[gold][-1], whole.outputs[prediction])
        for gold, prediction in zip(whole.official.gold_rows, whole.official.prediction_rows, strict=True)
    ]
    expected = count(compare(*zip(*rows, strict=True)))
    is_laid = ~np.isin(whole.official.gold_rows, np.flatnonzero(whole.edits.n_unaligned))
    assert np.array_equal(held.official_counts[is_laid], expected[is_laid]) and is_laid.any()


INPUTS = ["我门好", "你门好", "他门好", "我门好", "她门好"]
LINES = [f"{text}\t{text.replace('门', '们')}" for text in INPUTS]


@pytest.mark.parametrize(
    "lines",
    [
        LINES,
        ["原文\t改正", *LINES],
        [line.partition("\t")[2] for line in LINES],
        LINES[:3],
        [*LINES, LINES[0]],
        [*LINES[:2], LINES[4], *LINES[2:4]],
        LINES[::-1],
        ["\ufeff" + LINES[4], *LINES[:4]],
        ["原文\t改正\r", *LINES[::-1]],
        [*LINES[::-1], "\ufeff" + LINES[0]],
        [*LINES[::-1], "\t"],
        [*LINES[::-1], "你\0好\t你们好"],
        [*LINES[:3], "我门好\t", LINES[4]],
        [*LINES, "你们\t你们"],
        [*LINES[:4], "她门好"],
        ["我们好", *LINES[1:]],
        ["原文", *(line.partition("\t")[2] for line in LINES[1:])],
        ["原文"],
    ],
)
def test_a_file_read_beside_its_items_gives_what_it_gives_as_a_whole(write, lines):
    path = write("\n".join(lines))

    def whole():
        return from_file(path, INPUTS)

    def streamed():
        return [each for part in stream_file(path, lambda: (INPUTS[:2], INPUTS[2:4], INPUTS[4:])) for each in part]

    found = []
    for read in (whole, streamed):
        try:
            found.append(read())
        except InputError as error:
            found.append(str(error))
    assert found[0] == found[1]
