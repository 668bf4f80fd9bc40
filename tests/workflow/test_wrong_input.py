"""Wrong input stops the run with one line that names file, line and what to do."""

import os
import subprocess

import pytest
import yaml

from tests.project import snakemake


def edit_yaml(path, change):
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), encoding="utf-8")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("g2q={}", "unknown key 'g2q' at top level; did you mean 'g2p'?"),
        ('g2p={"corpus": []}', "unknown key 'corpus' at g2p; did you mean 'corpora'?"),
        ('csc={"models": ["dictionery"]}', "did you mean 'dictionary'?"),
        ('g2p={"corpora": ["sample-word"]}', "did you mean 'sample-words'?"),
    ],
)
def test_config(workflow, config, message):
    result = snakemake(workflow, "-n", "all", "--config", config)
    printed = result.stdout + result.stderr  # a dry run reports on the first
    assert result.returncode == 1 and message in printed
    assert "Traceback" not in printed


def test_a_key_that_stands_twice_in_a_config_file(workflow):
    (workflow / "own.yaml").write_text("seed: 1\ncsc: {}\nseed: 2\n", encoding="utf-8")
    result = snakemake(workflow, "-n", "all", "--configfile", "own.yaml")
    assert result.returncode == 1 and "own.yaml, line 3: key 'seed' stands twice" in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("csc/sample.tsv", "一\t一\n没有制表符\n", "line 2: expected 2 fields"),
        ("csc/sample.tsv", "一\t一\n一二\t一二三\n", "line 2: input has 2 characters, output 3"),
        ("csc/sample.tsv", "一\t一\n\t\n", "line 2: the input is empty"),
        ("csc/sample.tsv", "", "is empty"),
        ("csc/sample.tsv", "的\t的\n".encode("gbk"), "line 1: byte 1 is not UTF-8"),
        ("g2p/sample-words.sent", "▁一▁\n", "line N of one belongs to line N of the other"),
        ("g2p/sample-words.lb", "jat7\n", "line 1: reading 'jat7' is no Jyutping syllable"),
        ("g2p/sample-words.sent", "一定\n", "line 1: '一定' has 0 anchors"),
    ],
)
def test_corpus(workflow, name, content, message):
    path = workflow / "resources/samples" / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if name == "g2p/sample-words.lb":
        path.with_suffix(".sent").write_text("▁一▁\n", encoding="utf-8")
    if message.startswith("line 1: '一定'"):
        path.with_suffix(".lb").write_text("jat1\n", encoding="utf-8")
    corpus = "csc/items/sample-csc" if name.startswith("csc") else "g2p/items/sample-words"
    result = snakemake(workflow, f"results/{corpus}.parquet")
    assert result.returncode == 1
    [line] = {line for line in result.stderr.splitlines() if line.startswith("error: ")}
    assert path.name in line or path.with_suffix(".lb").name in line
    assert message in line


def test_bom_crlf_and_header_are_read(workflow):
    path = workflow / "resources/samples/csc/sample.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_bytes(("\ufeff原文\t修改后\r\n" + "\r\n".join(lines)).encode())
    result = snakemake(workflow, "results/csc/items/sample-csc.parquet")
    assert result.returncode == 0, result.stderr
    log = (workflow / "results/logs/ingest_csc/sample-csc.log").read_text(encoding="utf-8")
    assert f"sample-csc: {len(lines)} items" in log


def test_sha256_mismatch_of_a_mirror(workflow, tmp_path):
    (tmp_path / "mirror/nlpcc2023-task8").mkdir(parents=True)
    (tmp_path / "mirror/nlpcc2023-task8/data.txt").write_text("一\t一\n", encoding="utf-8")
    target = "results/shared/retrieved/nlpcc2023-task8/data.txt"
    result = snakemake(workflow, target, SINOBENCH_MIRROR=str(tmp_path / "mirror"))
    assert result.returncode == 1 and not (workflow / target).exists()
    assert "data.txt" in result.stderr and "nlpcc2023-task8" in result.stderr


def test_without_network_and_mirror_both_ways_are_named(workflow):
    edit_yaml(
        workflow / "config/sources.yaml",
        lambda data: data["nlpcc2023-task8"].update(base_url="http://127.0.0.1:9/"),
    )
    result = snakemake(
        workflow,
        "results/full/csc/items/nlpcc2023-dev.parquet",
        *("--configfile", "config/full.yaml"),
        SINOBENCH_MIRROR=None,
    )
    assert result.returncode == 1
    assert "cannot retrieve data.txt of nlpcc2023-task8, without which there is no nlpcc2023-dev" in result.stderr
    assert "nlpcc2023-task8" in result.stderr and "data.txt" in result.stderr and "SINOBENCH_MIRROR" in result.stderr


def test_read_only_results_folder(workflow):
    (workflow / "results").mkdir(mode=0o555)
    # Permissions bind root only without these capabilities.
    prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    result = snakemake(workflow, "results/g2p/items/sample-words.parquet", prefix=prefix)
    assert result.returncode == 1 and "Permission denied" in result.stderr and "results" in result.stderr


def test_results_folder_that_can_not_be_made(workflow):
    (workflow / "results").write_text("a file", encoding="utf-8")
    result = snakemake(workflow, "results/g2p/items/sample-words.parquet")
    assert result.returncode == 1 and "results" in result.stderr


@pytest.mark.parametrize(
    ("options", "last"),
    [
        (
            ["-n", "--set-resources", "predict_cs:mem_mb=9000"],
            "--set-resources names 'predict_cs', which is no rule; did you mean 'predict_csc'?",
        ),
        (["-n", "--directory", "elsewhere"], "runs start in the folder that holds config/ and resources/"),
        (["--report", "report.html"], "a report is made of what a run has made"),
    ],
)
def test_options(workflow, options, last):
    result = snakemake(workflow, "all", *options)
    printed = (result.stderr + result.stdout).splitlines()  # a dry run reports some on the second
    assert result.returncode == 1 and printed[-1].startswith(f"Error: {last}"), printed


def test_rules_that_can_not_be_read(workflow):
    with (workflow / "rules/csc.smk").open("a", encoding="utf-8") as rules:
        rules.write("\n\nrule half:\n    output:\n        undefined,\n")
    result = snakemake(workflow, "-n", "all")
    assert result.returncode == 1 and "name 'undefined' is not defined" in result.stdout
    assert result.stderr.endswith("Error: the rules can't be read, as said above; nothing was run.\n")


def test_lint_is_clean(workflow):
    result = snakemake(workflow, "--lint")
    assert result.returncode == 0, result.stdout + result.stderr


def test_old_python_is_refused_with_a_message(workflow):
    fake = workflow / "python3.9"
    fake.write_text('#!/bin/sh\n[ "$1" = -c ] && exit 1\necho "Python 3.9.2"\n', encoding="utf-8")
    fake.chmod(0o755)
    result = subprocess.run(
        ["make", "all", f"PYTHON={fake}"], cwd=workflow, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode != 0
    assert "needs Python 3.11 or newer" in result.stderr and "Python 3.9.2" in result.stderr
    assert not (workflow / ".venv").exists()
