"""``sinobench items`` on the finished sample."""

import json

import pytest

from sinobench import cli
from sinobench.commands.layout import width
from sinobench.results import database


@pytest.fixture
def run(finished_run, capsys):
    """run(*arguments): status, output and error on the database of the sample."""

    def run(*arguments):
        status = cli.main(["items", *arguments, "--database", str(finished_run / "results/sinobench.duckdb")])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.mark.parametrize(
    ("model", "table", "errors"),
    [
        ("tojyutping", "g2p_outcomes", "NOT strict_correct"),
        ("dictionary", "csc_edits", "outcome != 'corrected'"),
        ("gmm", "lid_outcomes", "NOT correct"),
        ("window+gmm", "ld_recordings", "lder > 0"),
    ],
)
def test_they_are_those_behind_the_figure_and_fit_80_columns(finished_run, run, model, table, errors):
    status, out, _ = run("--errors", "--model", model)
    lines = out.splitlines()
    assert status == 0 and all(width(line) <= 80 for line in lines)
    with database.reading(finished_run / "results/sinobench.duckdb") as connection:
        counted = (
            f"SELECT corpus, count(*) FROM {table} WHERE model = '{model}' AND {errors} GROUP BY ALL ORDER BY corpus"
        )
        expected = connection.execute(counted).fetchall()
    tables = out.strip().split("\n\n")
    assert [len(each.splitlines()) - 2 for each in tables] == [n for _, n in expected]
    assert [each.split(":")[0].split()[1] for each in tables] == [corpus for corpus, _ in expected]
    assert len(json.loads(run("--errors", "--model", model, "--format", "json")[1])) == sum(n for _, n in expected)


def test_names_that_the_run_does_not_have(run):
    assert run("--model", "dictionery")[::2] == (
        2,
        "sinobench: the run has no model 'dictionery'; did you mean 'dictionary'?\n",
    )
    assert "did you mean 'sample-csc'?" in run("--model", "dictionary", "--corpus", "sample-cs")[2]
    assert "no such model on that corpus" in run("--model", "dictionary", "--corpus", "sample-words")[2]
