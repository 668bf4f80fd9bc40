"""docs/glossary.md and the database have each reason for which a reader sets something aside, with its sentence."""

import importlib

import duckdb
import pytest

from sinobench import digest
from sinobench.results import reasons
from sinobench.results.database import build
from sinobench.results.reasons import MEANINGS
from tests.documents import tables

TERMS, REASONS = tables("docs/glossary.md")


def test_each_readers_reasons_have_a_sentence():
    files = [path for path in digest.PACKAGE.rglob("reasons.py") if path.parent.name != "results"]
    names = [".".join(path.relative_to(digest.SCRIPTS).with_suffix("").parts) for path in files]
    own = [reason for name in names for reason in importlib.import_module(name).Reason]
    assert own and sorted(own) == sorted(MEANINGS)


def test_an_edited_sentence_concerns_the_database_only():
    file = digest.PACKAGE / "results/reasons.py"
    users = {path.stem for path in digest.SCRIPTS.glob("*.py") if file in digest.files(path.stem)}
    assert users == {"build_database"}


def test_the_glossary_has_them():
    assert REASONS.dicts() == reasons.rows()


def test_the_database_counts_them(tmp_path):
    rows = [
        {"task": "csc", "corpus": corpus, "file": "a.txt", "reason": reason}
        for corpus, reason in (("b", "header"), ("a", "header"), ("a", "length_change"), ("a", "length_change"))
    ]
    build({}, {"set_aside": rows, "reasons": reasons.rows()}, tmp_path / "a.duckdb")
    with duckdb.connect(tmp_path / "a.duckdb", read_only=True) as connection:
        assert connection.sql("FROM set_aside_reasons").fetchall() == [
            ("csc", "a", "header", 1, MEANINGS["header"]),
            ("csc", "a", "length_change", 2, MEANINGS["length_change"]),
            ("csc", "b", "header", 1, MEANINGS["header"]),
        ]


@pytest.mark.parametrize(
    "term",
    [
        *("protocol", "subset", "unit", "coverage", "set aside", "headline", "track", "partition", "fold", "grain"),
        *("evaluated region", "trial", "collar", "LDER", "EER", "balanced accuracy", "PER", "sentence FPR"),
    ],
)
def test_the_glossary_has_the_projects_terms(term):
    assert [row[0] for row in TERMS.rows].count(term) == 1
