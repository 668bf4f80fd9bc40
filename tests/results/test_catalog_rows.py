"""The rows of corpora, models and failed runs that the database takes from the catalogs."""

import hashlib
import json

import pytest

from sinobench.csc.tables import ITEMS
from sinobench.results import tables
from sinobench.results.catalog_rows import collected

ENTRY = {"task": "csc", "title": "A corpus", "role": "scored", "licence": "MIT", "sources": []}
SOURCES = {"site": {"repository": "a/b", "commit": "c0", "files": {"x": {"sha256": "11"}, "y": {"sha256": "22"}}}}


@pytest.fixture
def note(tmp_path):
    """note(name, corpus, model, reason): a file in whose place a job left why it failed."""

    def write(name, corpus, model, reason):
        key = {"task": "csc", "corpus": corpus, "model": model}
        failure = key | {"rule": "a_rule", "reason": reason, "log": "a.log"}
        (tmp_path / name).write_text(json.dumps({"sinobench_failure": failure}) + "\n", encoding="utf-8")
        return str(tmp_path / name)

    return write


@pytest.fixture
def items(tmp_path):
    """items(corpus, texts): its table."""

    def write(corpus, texts):
        tables.write(ITEMS, {"corpus": corpus, "input": texts}, tmp_path / f"{corpus}.parquet")
        return str(tmp_path / f"{corpus}.parquet")

    return write


def test_an_unread_corpus_stands_nowhere_and_a_failed_model_among_the_runs(note, items):
    corpora = {name: ENTRY | {"files": {"text": f"{name}.txt"}} for name in ("good", "bad")}
    unread = note("bad.parquet", "bad", None, "is no text")
    files = {
        "csc_items": [items("good", ["一"] * 3), unread],
        "runs": [note("runs", "good", "mine", "crashed"), note("of bad", "bad", "mine", "is no text")],
        "metrics": [note("metrics", "good", "mine", "crashed")],
    }
    made, rows = collected(files, corpora, {}, {})
    assert made == {"csc_items": files["csc_items"][:1], "runs": [], "metrics": []}
    [corpus], [run] = rows["corpora"], rows["runs"]
    assert (corpus["corpus"], corpus["n_items"], corpus["source"]) == ("good", 3, "good.txt")
    assert (run["corpus"], run["model"], run["status"], run["reason"]) == ("good", "mine", "failed", "crashed")


def test_an_external_corpus_has_the_sum_of_its_files_sums(items):
    files = {part: {"source": "site", "file": part} for part in ("x", "y")}
    corpora = {"one": ENTRY | {"files": {"x": files["x"]}}, "two": ENTRY | {"files": files}}
    one, two = collected({}, corpora, {}, SOURCES)[1]["corpora"]
    assert (one["source"], one["revision"], one["sha256"], one["n_items"]) == ("a/b", "c0", "11", None)
    assert two["sha256"] == hashlib.sha256(b"1122").hexdigest()


def test_texts_between_blanks_are_warned_of(items):
    corpora = {name: ENTRY | {"files": {"text": f"{name}.txt"}} for name in ("apart", "together")}
    files = {"csc_items": [items("apart", ["天 气 很 好 。"] * 3), items("together", ["天气很好。"] * 3)]}
    apart, together = collected(files, corpora, {}, {})[1]["corpora"]
    assert "alone between blanks" in apart["warning"] and together["warning"] is None


def test_a_model_of_an_own_file_has_its_sum(tmp_path):
    own = tmp_path / "own.py"
    own.write_text("class Own: ...\n", encoding="utf-8")
    entry = {"task": "g2p", "title": "Own", "kind": "python", "licence": "MIT", "training_data": ["a corpus"]}
    entry |= dict.fromkeys(("trust", "trust_reason", "trust_source"), "unverified")
    models = {"own": entry | {"class": f"{own}:Own"}, "given": entry | {"class": None, "files": {"a": "a.txt"}}}
    mine, given = collected({}, {}, models, {})[1]["models"]
    assert mine["sha256"] == hashlib.sha256(own.read_bytes()).hexdigest()
    assert (given["target"], given["sha256"]) == ('{"a": "a.txt"}', None)
