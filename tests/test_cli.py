"""The command ``sinobench``: what it answers, and as a user starts it."""

import json
import os
import subprocess
import sys

import pytest

from tests.project import sinobench


def answer(*arguments):
    """The JSON that a successful command prints."""
    result = sinobench(*arguments, "--format", "json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def refusal(*arguments):
    """The one line that a refused command prints."""
    result = sinobench(*arguments)
    assert result.returncode == 2 and result.stdout == ""
    [line] = result.stderr.splitlines()
    return line


@pytest.fixture
def csc_files(write):
    gold = write("天汽好\t天气好\n你好吗\t你好吗\n", "gold.txt")
    one = write("天汽好\t天气好\n你好吗\t你好吗\n", "one.txt")
    other = write("天汽好\t天器好\n你好吗\t你好嘛\n", "other.txt")
    return gold, one, other


def test_csc_vectors(vectors):
    cases = sorted((vectors / "csc").iterdir())
    assert cases
    for case in cases:
        expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
        files = ("--gold", case / "gold.txt", "--predictions", case / "modelout.txt")
        if "char_detect_F1" not in expected:
            assert f"{case / 'modelout.txt'}, line " in refusal("score", "csc", *files)
            continue
        printed = answer("score", "csc", *files)["official_print"]
        assert printed == {name: value for name, value in expected.items() if name not in ("stdout", "note")}


def test_g2p_vectors(vectors):
    cases = sorted((vectors / "g2p").glob("*.tsv"))
    assert cases
    for case in cases:
        expected = json.loads(case.with_suffix(".expected.json").read_text(encoding="utf-8"))
        found = answer("score", "g2p", "--items", case)
        for protocol, wanted in (("official", expected), ("strict", expected.get("strict", {}))):
            for name in {"accuracy", "per", "n", "dropped"} & wanted.keys():
                ours = found[protocol]["n_items" if name == "n" else name]
                assert ours == wanted[name], (case.name, protocol, name)
        assert found["official_print"]["Phoneme Error Rate (PER)"] == round(expected["per"], 4)


def test_strict_csc_holds_fractions_coverage_and_what_is_missing(csc_files, write):
    gold, _, _ = csc_files
    found = answer("score", "csc", "--gold", gold, "--predictions", write("你好吗\t你好吗\n", "p.txt"))
    assert found["missing"] == ["天汽好"] and found["strict"]["coverage"] == found["official"]["coverage"] == 0.5
    assert found["strict"]["correction_recall"] == 0


def test_official_figures_are_fractions_and_its_printout_stands_apart(csc_files):
    gold, _, other = csc_files
    found = answer("score", "csc", "--gold", gold, "--predictions", other)
    assert found["official"]["detection_precision"] == 0.5 and found["official"]["sentence_fpr"] == 1
    assert found["official_print"]["char_detect_precision"] == 50
    assert found["official_print"]["char_detect_precision_counts"] == [1, 2]
    assert found["official"].keys() <= found["strict"].keys()


def test_where_strict_refuses_the_official_figures_are_printed_with_the_reason(write):
    gold = write("天汽好\t天气好\n你好马\t你好吗\n天汽好\t天气好\n", "gold.txt")
    predictions = write("天汽好\t天气好\n天汽好\t天七好\n你好马\t你好马\n", "p.txt")
    files = ("score", "csc", "--gold", gold, "--predictions", predictions)
    result = sinobench(*files, "--format", "json")
    found = json.loads(result.stdout)
    assert result.returncode == 2 and found["strict"] is None
    assert found["official_print"]["char_correct_recall"] == 50 and found["official"]["correction_recall"] == 0.5
    [reason] = result.stderr.splitlines()
    assert reason.endswith(found["refused"]["strict"]) and f"no strict figures: {predictions}, line 2" in reason
    assert "the prediction file's lines into the gold file's order" in sinobench(*files).stdout
    assert "no strict figures" in sinobench("compare", "csc", "--gold", gold, predictions, predictions).stderr


def test_where_official_refuses_the_strict_figures_are_printed_with_the_reason(write):
    gold = write("这是原文吗\t这是原文吗\n你好马\t你好吗\n", "gold.txt")
    predictions = write("你好马\t你好吗\n这是原文吗\t这是原文吗\n", "p.txt")
    result = sinobench("score", "csc", "--gold", gold, "--predictions", predictions, "--format", "json")
    found = json.loads(result.stdout)
    assert result.returncode == 2 and found["official"] is found["official_print"] is None
    assert found["strict"]["correction_recall"] == 1 and "takes for a header" in found["refused"]["official"]


def test_table_shows_both_protocols(csc_files):
    gold, _, other = csc_files
    result = sinobench("score", "csc", "--gold", gold, "--predictions", other)
    [line] = [line.split() for line in result.stdout.splitlines() if line.startswith("detection_precision")]
    assert line[1:] == ["50.00", "(1/2)", "50.00"]


def test_compare_csc_gives_the_difference_to_the_first(csc_files):
    gold, one, other = csc_files
    first, second = answer("compare", "csc", "--gold", gold, one, other)["systems"]
    assert first["difference"]["strict"]["detection_precision"] == 0
    assert second["difference"]["strict"]["detection_precision"] == -0.5
    assert second["difference"]["official"]["detection_precision"] == -0.5


def test_compare_g2p(write):
    header = "text\tposition\tlabel\tprediction\n"
    one = write(header + "行山\t0\thaang4\thaang4\n", "one.tsv")
    other = write(header + "行山\t0\thaang4\thang4\n", "other.tsv")
    _, second = answer("compare", "g2p", one, other)["systems"]
    assert second["difference"]["strict"] == pytest.approx(
        {
            "accuracy": -1,
            "per": 0.25,
            "onset_error_rate": 0,
            "nucleus_error_rate": 1,
            "coda_error_rate": 0,
            "tone_error_rate": 0,
            "coverage": 0,
        }
    )


def test_compare_g2p_refuses_other_items(write):
    header = "text\tposition\tlabel\tprediction\n"
    one = write(header + "行山\t0\thaang4\thaang4\n", "one.tsv")
    other = write(header + "行路\t0\thaang4\thaang4\n", "other.tsv")
    assert f"{other}, line 2" in refusal("compare", "g2p", one, other)


def test_missing_file_is_one_message(tmp_path):
    assert str(tmp_path / "none.tsv") in refusal("score", "g2p", "--items", tmp_path / "none.tsv")


def test_folder_in_place_of_a_file(tmp_path):
    assert str(tmp_path) in refusal("score", "g2p", "--items", tmp_path)


@pytest.fixture
def many_missing(write):
    gold = write("".join(f"天汽好{chr(0x4E00 + i)}𠮷\t天气好{chr(0x4E00 + i)}𠮷\n" for i in range(3000)), "gold.txt")
    return gold, write("天汽好一𠮷\t天气好一𠮷\n", "one.txt")


@pytest.mark.parametrize("environment", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_terminals_that_are_not_utf8(many_missing, environment):
    gold, one = many_missing
    command = [sys.executable, "-m", "sinobench", "score", "csc", "--gold", gold, "--predictions", one]
    for form in ("table", "json"):
        done = subprocess.run(
            [*command, "--format", form], capture_output=True, timeout=60, check=False, env=os.environ | environment
        )
        assert b"Traceback" not in done.stderr and done.stdout, done.stderr
        if form == "json":
            assert (
                len(json.loads(done.stdout)["missing"]) == 2999 and "天汽好丁𠮷" in json.loads(done.stdout)["missing"]
            )


@pytest.mark.parametrize("arguments", ["score csc --gold {} --predictions {} --format json", "--help"])
def test_output_that_nobody_reads_to_its_end(many_missing, arguments):
    command = arguments.format(*many_missing)
    done = subprocess.run(
        f"set -o pipefail; {sys.executable} -m sinobench {command} | head -c 1",
        **{
            "shell": True,
            "executable": "/bin/bash",
            "capture_output": True,
            "text": True,
            "timeout": 60,
            "check": False,
        },
    )
    assert done.stderr == "" and len(done.stdout) == 1


def test_reasons_that_nobody_reads_cost_no_figures(write):
    gold = write("天汽好\t天气好\n你好马\t你好吗\n天汽好\t天气好\n", "gold.txt")
    predictions = write("天汽好\t天气好\n天汽好\t天七好\n你好马\t你好马\n", "p.txt")
    command = [sys.executable, "-m", "sinobench", "score", "csc", "--gold", gold, "--predictions", predictions]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=full, text=True, timeout=60, check=False)
    assert done.returncode == 2 and done.stdout.startswith("metric ")


def test_output_that_can_not_be_written(csc_files):
    gold, one, _ = csc_files
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "sinobench", "score", "csc", "--gold", gold, "--predictions", one]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == "sinobench: the output can't be written (No space left on device)\n"


@pytest.mark.parametrize("task", ["csc", "g2p", "lid", "ld"])
def test_what_a_task_is_scored_with_loads_no_scipy_arrow_or_pandas(task):
    code = f"""
import sys
from sinobench.cli import main
import sinobench.{task}.breakdown, sinobench.{task}.predictions, sinobench.{task}.board
from sinobench.results.signature import signature
print([name for name in ("scipy", "numpy.random", "pyarrow", "pandas", "duckdb", "numba") if name in sys.modules])
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
