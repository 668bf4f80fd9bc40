"""``sinobench compare``: which of several systems is better, how surely, and on which items."""

import re
import shutil

import duckdb
import pytest

from sinobench.results.reading import DATABASE
from tests.commands.conftest import answer, refusal
from tests.conftest import ROOT

N = 120
HEADLINE = ("strict", "correction_f1")
SOURCES = [f"第{i:03}句天汽好" for i in range(N)]
GOLDS = [source.replace("汽", "气") if i % 2 else source for i, source in enumerate(SOURCES)]


def corrected(missed):
    """A system's outputs: the gold's, but for what it misses."""
    return "".join(f"{SOURCES[i] if i in missed else gold}\n" for i, gold in enumerate(GOLDS))


@pytest.fixture
def csc(write):
    """compare csc of a good system, one that is as good but for two sentences, and a bad one."""
    gold = write("".join(f"{s}\t{g}\n" for s, g in zip(SOURCES, GOLDS, strict=True)), "gold.txt")
    files = {"good.txt": {1}, "alike.txt": {1, 3, 5}, "bad.txt": set(range(1, N, 2)) - {1}}
    systems = [write(corrected(missed), name) for name, missed in files.items()]
    return ("compare", "csc", "--gold", gold, *systems, "--resamples", 1000)


def test_pairs_are_tested_and_ties_have_the_rank_of_the_best(run, csc):
    found = answer(run, *csc)
    rows = {
        (row["system"], row["other"]): row
        for row in found["comparisons"]
        if (row["protocol"], row["metric"]) == ("strict", "correction_recall")
    }
    assert rows.keys() == {("alike.txt", "good.txt"), ("bad.txt", "good.txt"), ("bad.txt", "alike.txt")}
    recall = {each["system"]: each["strict"]["correction_recall"] for each in found["systems"]}
    for (system, other), row in rows.items():
        assert row["difference"] == pytest.approx(recall[system] - recall[other])
        assert row["ci_low"] < row["difference"] < row["ci_high"] and row["p"] <= row["p_holm"] <= 1
    assert rows["bad.txt", "good.txt"]["p"] < 0.01 and rows["bad.txt", "good.txt"]["ci_high"] < 0
    assert rows["bad.txt", "good.txt"]["p_holm"] > rows["bad.txt", "good.txt"]["p"]
    assert rows["alike.txt", "good.txt"]["p"] > 0.05 and rows["alike.txt", "good.txt"]["ci_high"] >= 0
    ranks = [
        (row["system"], row["rank"], row["letters"])
        for row in found["ranks"]
        if (row["protocol"], row["metric"]) == ("strict", "correction_recall")
    ]
    assert ranks == [("good.txt", 1, "a"), ("alike.txt", 1, "a"), ("bad.txt", 3, "b")]
    assert found["statistics"]["resamples"] == 1000


def test_the_items_that_decide_are_those_on_which_one_is_right_and_another_wrong(run, csc):
    found = answer(run, *csc)
    assert found["n_deciding_items"] == N // 2 and len(found["items"]) == 10
    first = found["items"][0]
    assert (first["line"], first["input"], first["gold"]) == ("2", SOURCES[1], GOLDS[1])
    assert [(each["cost"], each["answer"]) for each in first["systems"]] == [
        (1, SOURCES[1]),
        (1, SOURCES[1]),
        (0, GOLDS[1]),
    ]
    costs = [{each["cost"] for each in item["systems"]} for item in found["items"]]
    assert all(0 in each and len(each) > 1 for each in costs)


def test_tables_have_scores_differences_and_items_in_each_form(run, csc):
    text = run(*csc)[1]
    assert re.search(r"^Correction recall, %  +good.txt +98.33 +[0-9.]+ to [0-9.]+ +1  a$", text, re.MULTILINE)
    assert re.search(r"bad.txt less good.txt +-96.67 +-[0-9.]+ to -[0-9.]+ +\.0010 +\.0030$", text, re.MULTILINE)
    assert "the 10 of 60 items that decide most" in text and "汽→气" in text
    markdown = run(*csc, "--format", "markdown")[1]
    assert "| Correction recall, % | good.txt | 98.33 |" in markdown
    latex = run(*csc, "--format", "latex")[1]
    assert r"Correction recall, \% & good.txt & 98.33 & " in latex and "$-$96.67" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 5


def test_a_pair_is_turned_where_the_systems_are_named_the_other_way_round(run, csc):
    one, other = csc[4:6]
    [row] = [r for r in answer(run, *csc[:4], other, one)["comparisons"] if (r["protocol"], r["metric"]) == HEADLINE]
    assert (row["system"], row["other"]) == ("good.txt", "alike.txt")
    [turned] = [r for r in answer(run, *csc[:4], one, other)["comparisons"] if (r["protocol"], r["metric"]) == HEADLINE]
    assert turned["difference"] == -row["difference"] and turned["ci_low"] == -row["ci_high"]
    assert turned["p"] == row["p"] == row["p_holm"]


def test_the_same_file_twice_is_no_difference(run, csc):
    found = answer(run, *csc[:4], csc[4], csc[4])
    assert [each["system"] for each in found["systems"]] == [str(csc[4]), f"{csc[4]} (2)"]
    assert {row["interval"] for row in found["comparisons"]} <= {
        "none: no unit differs",
        "none: the metric has no value",
    }
    assert found["n_deciding_items"] == 0 and found["items"] == []


def test_wrong_input(run, csc, write):
    assert "1 system can't be compared" in refusal(run, *csc[:5])
    assert "99 resamples are too few" in refusal(run, *csc[:6], "--resamples", 99)
    other = write("".join(f"{s}。\t{s}。\n" for s in SOURCES), "other.txt")
    assert f"{other}, line 1: input '{SOURCES[0]}。' is not in" in refusal(run, *csc[:5], other)
    assert "--database goes with --corpus" in refusal(run, *csc[:6], "--database", "x.duckdb")


def test_no_correct_sentence_and_one_unit_say_why_there_is_no_interval(run, write):
    gold = write("天汽好\t天气好\n", "gold.txt")
    systems = [write(f"{text}\n", f"{name}.txt") for name, text in (("one", "天气好"), ("other", "天器好"))]
    found = answer(run, "compare", "csc", "--gold", gold, *systems)
    kinds = {row["metric"]: row["interval"] for row in found["comparisons"] if row["protocol"] == "strict"}
    assert kinds["sentence_fpr"] == "none: the metric has no value"
    assert kinds["correction_recall"] == "none: fewer than two units"
    text = run("compare", "csc", "--gold", gold, *systems)[1]
    assert re.search(r"Sentence FPR, % +one.txt +- +none: the metric has no value +-", text)


REFERENCE = "".join(f"r{i // 4}_u_{i}_{i + 1} {i % 2}\n" for i in range(16))


def trials(*, wrong, weight=1):
    """Scores of the reference's segments, those of some places on the wrong side."""
    lines = []
    for i in range(16):
        llr = (-1 if i % 2 else 1) * (-weight if i in wrong else 1)
        lines.append(f"r{i // 4}_u_{i}_{i + 1} {llr} 0\n")
    return "".join(lines)


def test_lid_and_one_class_only(run, write):
    reference = write(REFERENCE, "reference.txt")
    one, other = write(trials(wrong=()), "one.txt"), write(trials(wrong=(3, 8), weight=4), "other.txt")
    found = answer(run, "compare", "lid", "--reference", reference, one, other)
    [row] = [r for r in found["comparisons"] if (r["protocol"], r["metric"]) == ("strict", "balanced_accuracy")]
    assert row["difference"] == -0.125 and row["n_units"] == 4
    assert [item["segment"] for item in found["items"]] == ["r0_u_3_4", "r2_u_8_9"]
    assert [each["answer"] for each in found["items"][0]["systems"]] == ["-1.000", "+4.000"]
    english = write("".join(line for line in REFERENCE.splitlines(True) if line.endswith("0\n")), "english.txt")
    files = [
        write("".join(trials(wrong=wrong).splitlines(True)[::2]), name) for name, wrong in (("a", ()), ("b", (2,)))
    ]
    found = answer(run, "compare", "lid", "--reference", english, *files)
    kinds = {(row["protocol"], row["metric"]): row["interval"] for row in found["comparisons"]}
    assert kinds["strict", "eer"] == kinds["strict", "balanced_accuracy"] == "none: the metric has no value"
    lacking = write("".join(trials(wrong=()).splitlines(True)[1:]), "lacking.txt")
    assert "lacks scores for segment 'r0_u_0_1'" in refusal(
        run, "compare", "lid", "--reference", reference, one, lacking
    )


def test_ld_names_the_recordings_that_decide_and_no_times(run, write, tmp_path):
    line = "SPEAKER {} 1 {} {} <NA> <NA> {} <NA> <NA>\n"
    names = [f"r{i}" for i in range(4)]

    def rttm(file, ends):
        return write("".join(line.format(r, 0, end, "English") for r, end in zip(names, ends, strict=True)), file)

    regions = write("".join(f"{r} 1 0 3\n" for r in names), "regions.uem")
    truth, one, other = rttm("t.rttm", [2] * 4), rttm("one.rttm", [2, 2, 1.8, 2]), rttm("other.rttm", [1, 2, 1.8, 1.5])
    found = answer(run, "compare", "ld", "--reference", truth, "--regions", regions, one, other)
    [row] = [r for r in found["comparisons"] if (r["protocol"], r["metric"]) == ("strict", "lder")]
    assert row["difference"] == pytest.approx(1.5 / 8) and row["n_units"] == 4
    assert [item["recording"] for item in found["items"]] == ["r0", "r3"]
    assert [each["cost"] for each in found["items"][0]["systems"]] == [0, 1000]
    stranger = rttm("stranger.rttm", [2] * 4).read_text().replace("r3", "r9")
    files = ("compare", "ld", "--reference", truth, "--regions", regions, one, write(stranger, "s.rttm"))
    assert "has 'r9', which the reference does not have" in refusal(run, *files)
    assert "--regions is missing" in refusal(run, "compare", "ld", "--reference", truth, one, other)


@pytest.fixture
def database(finished_run, monkeypatch, tmp_path):
    """The database of the sample's run, from whose folder the commands are run."""
    monkeypatch.chdir(finished_run)
    return finished_run / DATABASE


@pytest.mark.parametrize("task", ["g2p", "csc", "lid", "ld"])
def test_models_of_a_run_have_its_figures_intervals_and_comparisons(run, database, task):
    with duckdb.connect(database, read_only=True) as connection:
        query = "SELECT corpus FROM metrics WHERE task = ? GROUP BY ALL ORDER BY corpus LIMIT 1"
        [corpus] = connection.execute(query, [task]).fetchone()
        compared = connection.execute(
            "SELECT model, other, protocol, metric, difference, ci_low, ci_high, p, p_holm FROM comparisons "
            "WHERE task = ? AND corpus = ? AND subset = 'all'",
            [task, corpus],
        ).fetchall()
        figures = connection.execute(
            "SELECT model, protocol, metric, value, ci_low, ci_high, interval FROM metrics "
            "WHERE task = ? AND corpus = ? AND subset = 'all'",
            [task, corpus],
        ).fetchall()
        [resamples] = connection.execute("SELECT max(resamples) FROM metrics").fetchone()
    found = answer(run, "compare", task, "--database", database, "--corpus", corpus)
    assert found["statistics"]["resamples"] == resamples
    ours = {(row["system"], row["other"], row["protocol"], row["metric"]): row for row in found["comparisons"]}
    for model, other, protocol, metric, difference, low, high, p, p_holm in compared:
        row = ours[other, model, protocol, metric]
        assert (row["p"], row["p_holm"]) == (p, p_holm)
        if difference is not None:
            assert row["difference"] == pytest.approx(-difference, abs=1e-12)
        if low is not None:
            assert (row["ci_low"], row["ci_high"]) == pytest.approx((-high, -low), abs=1e-12)
    systems = {each["system"]: each for each in found["systems"]}
    for model, protocol, metric, value, low, high, kind in figures:
        interval = systems[model]["intervals"][protocol][metric]
        assert systems[model][protocol][metric] == pytest.approx(value), (model, metric)
        assert (interval["low"], interval["high"], interval["kind"]) == (low, high, kind)
    if task in ("lid", "ld"):
        assert all(
            item.keys() <= {"segment", "language", "recording", "scored ms", "systems"} for item in found["items"]
        )


@pytest.mark.parametrize("task", ["lid", "ld"])
def test_of_a_confidential_corpus_the_figures_are_compared(run, database, tmp_path, task):
    of = ("--corpus", "sample-merlion")
    wanted = answer(run, "compare", task, *of, "--database", database)
    path = shutil.copy(database, tmp_path / "confidential.duckdb")
    with duckdb.connect(path) as connection:
        connection.execute("UPDATE corpora SET confidential = 'everything' WHERE corpus = 'sample-merlion'")
        for table in ("lid_segments", "lid_scores", "ld_turns", "ld_predictions", "merlion_regions"):
            connection.execute(f"DELETE FROM {table} WHERE corpus = 'sample-merlion'")
    found = answer(run, "compare", task, *of, "--database", path)
    tested, same = (
        {(r["system"], r["other"], r["protocol"], r["metric"]): (r["p"], r["p_holm"]) for r in each["comparisons"]}
        for each in (found, wanted)
    )
    assert tested and tested == same
    assert sorted(map(str, found["ranks"])) == sorted(map(str, wanted["ranks"]))
    for ours, theirs in zip(found["systems"], wanted["systems"], strict=True):
        for protocol in ("official", "strict"):
            assert (
                theirs[protocol].items()
                >= {name: pytest.approx(value) for name, value in ours[protocol].items() if value is not None}.items()
            )
    assert found["items"] == [] and "decide most" not in run("compare", task, *of, "--database", path)[1]
    model = found["systems"][0]["system"]
    said = refusal(run, "compare", task, *of, "--database", path, model, found["systems"][1]["system"])
    assert "corpus 'sample-merlion' is confidential" in said


def test_a_file_beside_a_model_on_a_corpus_of_a_run_and_without_it(run, database, tmp_path, monkeypatch):
    with duckdb.connect(database, read_only=True) as connection:
        query = "SELECT prediction FROM csc_predictions WHERE corpus = 'sample-csc' AND model = 'dictionary'"
        outputs = "".join(f"{row[0]}\n" for row in connection.execute(f"{query} ORDER BY rowid").fetchall())
    found = answer(run, "compare", "csc", "--corpus", "sample-csc", "dictionary", "-", given=outputs)
    assert found["n_deciding_items"] == 0
    one, other = ({key: each[key] for key in ("official", "strict")} for each in found["systems"])
    assert one == other
    scored = answer(run, "score", "csc", "--corpus", "sample-csc", "--predictions", "-", given=outputs)
    assert {key: scored[key] for key in one} == one
    monkeypatch.chdir(tmp_path)
    for name in ("config", "resources"):
        (tmp_path / name).symlink_to(ROOT / name)
    unrun = answer(run, "score", "csc", "--corpus", "sample-csc", "--predictions", "-", given=outputs)
    assert unrun == scored


def test_what_a_run_does_not_have(run, database, tmp_path, monkeypatch, write):
    of = ("compare", "csc", "--corpus")
    assert "'x' is no file, and no model that has predictions for 'sample-csc'" in refusal(
        run, *of, "sample-csc", "x", "y"
    )
    assert "known are: dictionary, do-nothing" in refusal(run, *of, "sample-csc", "x", "y")
    assert f"no corpus 'sample-cs' of csc: not in {DATABASE}; did you mean 'sample-csc'?" in refusal(
        run, *of, "sample-cs"
    )
    assert "has no gold" in refusal(run, "score", "csc", "--corpus", "sample-csc-test", "--predictions", write("好\n"))
    lacking = write("", "none.duckdb")
    assert "none.duckdb" in refusal(run, *of, "sample-csc", "--database", lacking)
    monkeypatch.chdir(tmp_path)
    assert f"there is no {DATABASE} and no results/*/sinobench.duckdb" in refusal(run, *of, "sample-csc")
    (tmp_path / "dictionary").write_text("好\n")
    said = refusal(run, *of, "sample-csc", "--database", database, "dictionary", "do-nothing")
    assert "'dictionary' is a file and a model of the run; write ./dictionary for the file" in said
