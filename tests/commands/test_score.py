"""What ``sinobench score`` prints beside the figures, and the ways in which predictions reach it."""

import subprocess
import sys

import pytest

from sinobench import cli
from sinobench.results.signature import parsed
from tests.commands.conftest import answer, refusal
from tests.conftest import ROOT

INPUTS = ["天汽好", "你好吗", "他在学小"]
GOLDS = ["天气好", "你好吗", "他在学校"]
ITEMS = "text\tposition\tlabel{}\n行山\t0\thaang4{}\n銀行\t1\thong4{}\n行路\t0\thaang4{}\n"


@pytest.fixture
def gold(write):
    return write("".join(f"{s}\t{g}\n" for s, g in zip(INPUTS, GOLDS, strict=True)), "gold.txt")


def test_each_figure_has_its_interval_or_why_it_has_none(run, gold):
    files = ("score", "csc", "--gold", gold, "--predictions", gold)
    found = answer(run, *files)
    for protocol in ("official", "strict"):
        assert found["intervals"][protocol].keys() == found[protocol].keys() - {"n_items", "coverage"}
    assert found["intervals"]["strict"]["detection_recall"] == {
        "low": pytest.approx(0.05**0.5),
        "high": 1,
        "kind": "mid-p",
        "n_units": 2,
        "n_undefined": 0,
    }
    assert found["intervals"]["official"]["sentence_fpr"]["kind"] == "none: fewer than two units"
    assert found["statistics"] == {"resamples": 10_000, "level": 0.95, "seed": 2023}
    lines = run(*files)[1].splitlines()
    place = lines.index(next(line for line in lines if line.startswith("detection_recall")))
    assert lines[place + 1].split() == ["mid-p,", "2", "units", "[22.36,", "100.00]", "[22.36,", "100.00]"]
    assert any(line.startswith("  none: fewer than two units") for line in lines)
    signed = [line.removeprefix("signature: ") for line in lines if line.startswith("signature: ")]
    assert signed == list(found["signatures"].values()) and len(signed) == 2
    assert max(len(line) for line in lines if not line.startswith("signature: ")) <= 80


def test_without_intervals_the_figures_are_the_same(run, gold):
    files = ("score", "csc", "--gold", gold, "--predictions", gold)
    found, bare = answer(run, *files), answer(run, *files, "--no-intervals")
    assert found.pop("signatures")["strict"].replace("bs:10000/2023", "bs:none") == bare.pop("signatures")["strict"]
    assert bare == {name: value for name, value in found.items() if name in bare} and "intervals" not in bare
    assert "[" not in run(*files, "--no-intervals")[1]


def test_resamples_and_seed_are_those_asked_for(run, write):
    pairs = "".join(f"天汽好{i}\t天气好{i}\n" for i in range(200))
    gold = write(pairs, "gold.txt")
    predictions = write(pairs.replace("1\t天气", "1\t天汽"), "p.txt")
    files = ("score", "csc", "--gold", gold, "--predictions", predictions)

    def bounds(*options):
        found = answer(run, *files, *options)
        return found["statistics"]["seed"], found["intervals"]["strict"]["correction_f1"]

    assert bounds("--resamples", 200) == bounds("--resamples", 200) != bounds("--resamples", 200, "--seed", 5)
    assert bounds("--seed", 5)[0] == 5 and bounds("--seed", 5)[1]["kind"] == "percentile"


def test_a_signature_names_what_the_figures_are_of(run, gold, write):
    predictions = write("".join(f"{s}\t{g}\n" for s, g in zip(INPUTS, GOLDS, strict=True)), "p.txt")
    files = ("score", "csc", "--gold", gold, "--predictions", predictions)
    first = answer(run, *files)["signatures"]["strict"]
    signed = parsed(first)
    assert (signed.task, signed.corpus, signed.model, signed.metric) == ("csc", "gold.txt", "p.txt", "correction_f1")
    assert (signed.n_items, signed.statistics.seed) == (3, 2023)
    assert answer(run, *files)["signatures"]["strict"] == first
    assert "|bs:200/7|" in answer(run, *files, "--resamples", 200, "--seed", 7)["signatures"]["strict"]
    write("".join(f"{s}\t{s}\n" for s in INPUTS), "p.txt")
    assert parsed(answer(run, *files)["signatures"]["strict"]).code != signed.code
    write("".join(f"{s}\t{s}\n" for s in INPUTS), "gold.txt")
    assert parsed(answer(run, *files)["signatures"]["strict"]).items != signed.items


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--resamples", 99), "99 resamples are too few for an interval; ask for 100"),
        (("--resamples", "many"), "'many' is no whole number"),
        (("--seed", -1), "'-1' is no whole number"),
        (("--resamples", 200, "--no-intervals"), "not allowed with argument"),
    ],
)
def test_wrong_options(run, gold, options, message):
    assert message in refusal(run, "score", "csc", "--gold", gold, "--predictions", gold, *options)


def test_outputs_as_lines_beside_the_golds_inputs(run, gold, write):
    outputs = "天气好\r\n你好吗\r\n他在学小\r\n"
    lines = write(outputs, "lines.txt")
    pairs = write("".join(f"{s}\t{o}\n" for s, o in zip(INPUTS, outputs.split(), strict=True)), "pairs.txt")
    wanted = answer(run, "score", "csc", "--gold", gold, "--predictions", pairs)
    assert wanted["strict"]["correction_recall"] == 0.5
    signed = [wanted.pop("signatures")["strict"]]
    for predictions in (lines, "-"):
        found = answer(run, "score", "csc", "--gold", gold, "--predictions", predictions, given=outputs)
        signed.append(found.pop("signatures")["strict"])
        assert found == wanted
    # Of the same content, whatever it is called.
    models = [line.split("|")[4] for line in signed]
    assert [model.split("+")[0] for model in models] == ["pairs.txt", "lines.txt", "standard%20input"]
    assert models[0].split("+")[1] != models[1].split("+")[1] == models[2].split("+")[1]


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        ("天气好\n你好吗\n", "has 2 lines without a tab, for 3 inputs"),
        ("天汽好\t天气好\n你好吗\n他在学校\n", "line 2: expected input and output with one tab between"),
        ("天气好\n你好吗呢\n他在学校\n", "line 2: input has 3 characters, output 4"),
        ("", "is empty"),
    ],
)
def test_lines_that_can_not_be_laid_beside_the_gold(run, gold, write, predictions, message):
    path = write(predictions, "lines.txt")
    assert refusal(run, "score", "csc", "--gold", gold, "--predictions", path).startswith(f"sinobench: {path}")
    said = refusal(run, "score", "csc", "--gold", gold, "--predictions", "-", given=predictions)
    assert said.startswith("sinobench: standard input") and message in said


@pytest.fixture
def unrun(tmp_path, monkeypatch):
    """A working directory with the config and the bundled corpora, in which nothing was run."""
    for name in ("config", "resources"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_retrieved_corpus_is_scored_without_a_run(run, unrun, mirror):
    path = "results/shared/retrieved/nlpcc2023-task8/data.txt"
    score = ("score", "csc", "--corpus", "nlpcc2023-dev", "--no-intervals", "--predictions")
    said = refusal(run, *score, "-", given="好\n")
    assert f"{path}: no database of a run has 'nlpcc2023-dev', and its file is not there" in said
    assert f"`snakemake --cores 1 {path}` retrieves it" in said
    retrieved = unrun / path
    retrieved.parent.mkdir(parents=True)
    retrieved.write_bytes((mirror / "nlpcc2023-task8/data.txt").read_bytes())
    found = answer(run, *score, path)
    assert found["strict"]["n_items"] == 1000 and found["strict"]["correction_f1"] == 1
    assert found["official"] == answer(run, "score", "csc", "--gold", path, "--predictions", path)["official"]
    retrieved.write_bytes(retrieved.read_bytes()[:-5])
    assert "its file is not as it is pinned" in refusal(run, *score, "-", given="好\n")


def test_a_bundled_corpus_is_scored_without_a_run(run, unrun):
    of = ("score", "g2p", "--corpus", "sample-words")
    n = len((ROOT / "resources/samples/g2p/sample-words.lb").read_text(encoding="utf-8").splitlines())
    found = answer(run, *of, "--predictions", "-", "--no-intervals", given="jat1\n" * n)
    assert found["strict"]["n_items"] == n and found["strict"]["accuracy"] < 0.2
    assert "did you mean 'sample-words'?" in refusal(run, *of[:3], "sample-word", "--predictions", "-", given="x")
    said = refusal(run, "score", "lid", "--corpus", "sample-merlion", "--predictions", "-", given="x")
    assert "no corpus 'sample-merlion' of lid" in said and "run a config that has it" in said


def test_standard_input_is_read_once(run, gold):
    assert "'-' stands twice" in refusal(run, "compare", "csc", "--gold", gold, "-", "-", given="天气好\n")


def test_syllables_as_lines_beside_the_items(run, write):
    whole = write(ITEMS.format("\tprediction", "\thaang4", "\t", "\thong4"), "whole.tsv")
    items = write(ITEMS.format(*[""] * 4), "items.tsv")
    wanted = answer(run, "score", "g2p", "--items", whole, "--no-intervals")
    assert wanted["strict"]["accuracy"] == pytest.approx(1 / 3)
    for predictions in ("haang4\n\nhong4\n", "text\tposition\tprediction\n行路\t0\thong4\n行山\t0\thaang4\n"):
        files = ("score", "g2p", "--items", items, "--predictions", "-", "--no-intervals")
        assert answer(run, *files, given=predictions)["strict"] == wanted["strict"]


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        ("haang4\nhong4\n", "standard input: has 2 lines without a tab, for 3 items"),
        ("haang4\nngan4 hong4\nhaang4\n", "standard input, line 2: 'ngan4 hong4' is more than one syllable"),
    ],
)
def test_syllables_that_can_not_be_laid_beside_the_items(run, write, predictions, message):
    items = write(ITEMS.format(*[""] * 4), "items.tsv")
    assert message in refusal(run, "score", "g2p", "--items", items, "--predictions", "-", given=predictions)


def test_predictions_in_two_places_are_refused(run, write):
    items = write(ITEMS.format("\tprediction", *["\thong4"] * 3), "items.tsv")
    lines = write("hong4\n" * 3, "lines.txt")
    assert "has a column 'prediction' beside" in refusal(run, "score", "g2p", "--items", items, "--predictions", lines)
    bare = write(ITEMS.format(*[""] * 4), "bare.tsv")
    assert "no column 'prediction'" in refusal(run, "score", "g2p", "--items", bare)


def test_every_command_shows_examples_and_the_version_cites(run):
    for command in (*[("score", task) for task in cli.TASKS], *[("compare", task) for task in cli.TASKS]):
        assert f"\nexamples:\n  sinobench {' '.join(command)}" in run(*command, "--help")[1]
    cited = run("--version")[1]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    (title,) = [line.split('"')[1] for line in citation.splitlines() if line.startswith("title:")]
    assert title in cited and f"sinobench {cli.__version__}\n" in cited


def test_nothing_heavy_is_imported_for_help():
    code = (
        "import sys; from sinobench import cli; cli.main(['compare', 'lid', '--help']);"
        "heavy = {'numpy', 'pyarrow', 'duckdb', 'pandas', 'scipy', 'openpyxl', 'networkx', 'statsmodels'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
