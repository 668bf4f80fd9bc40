"""Every command, statement, entry and piece of code of the documents, as it stands there."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import openpyxl
import pytest
import yaml

from sinobench.report import downloads
from sinobench.results import signature
from sinobench.schema import check
from tests import documents
from tests.documents import ROOT, entries
from tests.project import forked, sinobench

COMMANDS, FENCES = documents.commands(), documents.fences()
DRY_RUN, SINOBENCH = ("snakemake", "-n"), ("sinobench",)
# Statements on corpora that the sample is not, and one that finds what should not be.
ANSWERED_BY_OTHER_DATA = (
    *("'merlion-dev'", "'speech-joined'", "'pooled-benchmark'", "'dufu-full'", "'mcscset'"),
    *("NOT mentioned", "FROM speed", "FROM contaminated"),
)


def of(*programs):
    chosen = {str(documents.split(b.text)): b for b in COMMANDS if documents.program(b.text) in programs}.values()
    ids = [f"{block.place} {block.text.split('  ')[0]}" for block in chosen]
    return pytest.mark.parametrize("line", [block.text for block in chosen], ids=ids)


def in_language(language):
    chosen = [block for block in FENCES if block.language == language]
    return pytest.mark.parametrize("block", chosen, ids=[block.place for block in chosen])


def run(line, folder, *added, program):
    """Run a command line of a document, with this program in the place of its own, and arguments added at its end."""
    variables, words = documents.split(line)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts"), **variables}
    if program == SINOBENCH:
        with contextlib.chdir(folder):
            return sinobench(*words, *added)
    if program == DRY_RUN:
        return forked(folder, [*program[1:], *words, *added], environment)
    command = [*program, *words, *added]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )


@pytest.fixture(scope="module")
def reader(source, tmp_path_factory):
    """The workflow as it is for who followed the documents: their entries, classes and files are there."""
    folder = Path(shutil.copytree(source, tmp_path_factory.mktemp("reader") / "workflow"))
    for block in FENCES:
        if block.language in ("python", "yaml"):
            _write(block, folder)
    return folder


def _write(block, folder):
    if block.file:
        (folder / block.file).parent.mkdir(exist_ok=True)
        (folder / block.file).write_text(block.text, encoding="utf-8")
    if block.language == "python":
        return
    found = yaml.safe_load(block.text)
    if entries(block) and not block.file:
        catalog = "models" if all("kind" in entry for entry in found.values()) else "corpora"
        with (folder / f"config/{catalog}.yaml").open("a", encoding="utf-8") as file:
            file.write("\n" + block.text)
    for entry in entries(block).values():
        for part, path in entry.get("files", {}).items() if entry.get("kind") != "hub" else ():
            _touch(folder / path, part in ("audio", "eaf"))
    for partition in found.get("merlion", {}).get("partitions", []):
        for part in partition["parts"]:
            if "ids" in part:
                _touch(folder / part["ids"], False)


def _touch(path, is_folder):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(exist_ok=True) if is_folder else path.touch()


@pytest.fixture(scope="module")
def results(finished_run, tmp_path_factory):
    """A folder with the database of the sample and the table of clips of real speech that its query joins."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "results/shared/merlion/joined").mkdir(parents=True)
    shutil.copy(finished_run / "results/sinobench.duckdb", folder / "results")
    header = "audio_name,start,end,language_tag,speaker,clip,clip_start,level_db\n"
    (folder / "results/shared/merlion/joined/turns.csv").write_text(header + "a.wav,0,900,English,s,c,0,0.0\n")
    return folder


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Small files of the names that the documents give to ``sinobench``."""
    folder = tmp_path_factory.mktemp("files")
    pairs = "我跑地快\t我跑得快\n他很好\t他很好\n"
    for name in ("gold.txt", "modelout.txt", "one.txt", "other.txt"):
        (folder / name).write_text(pairs, encoding="utf-8")
    (folder / "items.tsv").write_text("text\tposition\tlabel\tprediction\n你好\t0\tnei5\tnei5\n", encoding="utf-8")
    (folder / "gold.tsv").write_text("text\tposition\tlabel\n你好\t0\tnei5\n", encoding="utf-8")
    (folder / "theirs.tsv").write_text("text\tposition\tprediction\n你好\t0\tnei5\n", encoding="utf-8")
    labels = "audio_name,utt_id,start,end,length,language_tag,overlap_diff_lang,dev_eval_set\n"
    rows = [("a1", 0, 900, "English"), ("a2", 1000, 1900, "Mandarin")]
    labels += "".join(f"a.wav,{i},{start},{end},{end - start},{tag},False,Development\n" for i, start, end, tag in rows)
    (folder / "labels.csv").write_text(labels)
    (folder / "prediction.txt").write_text("a_a1_0_900 -1 1\na_a2_1000_1900 1 -1\n")
    (folder / "results").mkdir()
    (folder / "results/a.txt").write_text("0\t900\tEnglish\n1000\t1900\tMandarin\n")
    (folder / "redactions.csv").write_text("audio_name,start,end,label\n")
    for name in ("reference.rttm", "model.rttm", "other.rttm"):
        line = "SPEAKER a 1 {} 0.9 <NA> <NA> {} <NA> <NA>\n"
        (folder / name).write_text(line.format("0.0", "English") + line.format("1.0", "Mandarin"))
    for name in ("official.uem", "strict.uem"):
        (folder / name).write_text("a 1 0.000 2.000\n")
    regions = openpyxl.Workbook()
    for row in (("audio_name", "start", "end"), ("a.wav", 0, 2000)):
        regions.active.append(row)
    regions.save(folder / "regions.xlsx")
    (folder / "timestamps.csv").write_text("audio_name,utt_id,start,end\na.wav,a1,0,900\na.wav,a2,1000,1900\n")
    with zipfile.ZipFile(folder / "results.zip", "w") as archive:
        archive.write(folder / "prediction.txt", "prediction.txt")
    return folder


def test_every_block_and_command_is_of_a_kind_that_is_run():
    assert {
        block.place: block.language
        for block in FENCES
        # Graphs are held to the rules by tests/test_architecture.py.
        if block.language not in ("", "sql", "yaml", "python", "text", "tsv", "mermaid", "bibtex", "signature")
        and block.document != "docs/plugins.md"  # which tests/workflow/test_plugins.py runs
    } == {}
    unknown = [f"{b.place}: {b.text}" for b in COMMANDS if documents.program(b.text) not in documents.COMMANDS]
    assert unknown == []


@of("snakemake")
def test_snakemake_plans(reader, line):
    result = run(line, reader, program=DRY_RUN)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]


def test_one_rule_again_is_not_everything(reader):
    (line,) = {block.text.partition("#")[0].strip() for block in COMMANDS if "--forcerun" in block.text}
    result = run(line, reader, program=DRY_RUN)
    planned = result.stdout + result.stderr
    assert "score_csc" in planned and "predict_g2p" not in planned and "redact_merlion" not in planned


def test_options_within_the_text_are_snakemakes(reader):
    found = [block.text.split() for block in documents.spans() if block.text.startswith("--")]
    used = [words for words in found if len(words) > 1]
    options = [word for words in used for word in words]
    result = run("snakemake all --profile profiles/slurm", reader, *options, program=DRY_RUN)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    help_text = run("snakemake --help", reader, program=DRY_RUN).stdout
    assert all(words[0] in help_text for words in found)


@of("sinobench")
def test_sinobench_answers(files, results, line):
    words = documents.split(line)[1]
    of_run = words[0] in ("leaderboard", "items") or "--all" in words or "--corpus" in words
    # A command that the text only names is asked for its help.
    asked = [] if of_run or any(word.startswith("-") for word in words) else ["--help"]
    result = run(line, results if of_run else files, *asked, program=SINOBENCH)
    assert result.returncode == 0 and result.stdout and not result.stderr, result.stderr


def test_the_answers_that_are_shown_are_those_of_the_run(results):
    """What stands below a command of a run, to its first blank line."""
    shown = []
    for block in FENCES:
        for command, _, answer in (part.partition("\n") for part in f"\n{block.text}".split("\n$ ")[1:]):
            asked = documents.split(command)[1][:1]
            if asked in (["leaderboard"], ["items"]) and answer.strip():
                result = run(command, results, program=SINOBENCH)
                assert answer.strip() == result.stdout.partition("\n\n")[0].strip()
                shown.append(command)
    assert shown


def test_the_citation_is_that_of_the_file():
    shown = [block.text.strip() for block in FENCES if block.language == "bibtex"]
    assert shown == downloads.entries(ROOT / "CITATION.cff")[:1]


@of("make")
def test_make_knows_the_target(reader, line):
    result = run(line, reader, program=("make", "-n"))
    assert result.returncode == 0 and result.stdout, result.stderr


@of("python")
def test_python_runs(results, line):
    if "synthesis" in line:
        pytest.importorskip("espeakng_loader")
    result = run(line, results, program=(sys.executable,))
    assert result.returncode == 0, result.stderr


def sql_of(block):
    return [statement.query for statement in duckdb.extract_statements(block.text)]


@in_language("sql")
def test_statements_answer(results, monkeypatch, block):
    monkeypatch.chdir(results)
    with duckdb.connect("results/sinobench.duckdb", read_only=True) as connection:
        for statement in sql_of(block):
            rows = connection.execute(statement).fetchall()
            assert rows or any(name in statement for name in ANSWERED_BY_OTHER_DATA), statement


def test_answers_to_questions_fit_a_terminal(results, monkeypatch):
    monkeypatch.chdir(results)
    asked = [block for block in FENCES if block.document == "docs/queries.md" and block.language == "sql"]
    statements = [statement for block in asked for statement in sql_of(block)]
    assert len(statements) >= 30
    with duckdb.connect("results/sinobench.duckdb", read_only=True) as connection:
        for statement in statements:
            with contextlib.redirect_stdout(io.StringIO()) as shown:
                connection.sql(statement).show(max_width=80)
            assert not re.search(r"columns \(\d+ shown\)", shown.getvalue()), shown.getvalue()


def test_entries_are_taken(reader):
    """Those that name no file of their own: appended to the catalogs, they run beside the sample.

    What a corpus of object storage becomes shows tests/workflow/test_storage.py, which has a server.
    """
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    added = [
        (name, entry)
        for block in FENCES
        if block.language == "yaml" and not block.file
        for name, entry in entries(block).items()
        if "s3://" not in str(entry)
    ]
    for name, entry in added:
        if "reader" in entry:
            config[entry["task"]]["corpora"].append(name)
        elif entry["kind"] == "predictions":
            config[entry["task"]]["corpora"] += entry["files"]
    (reader / "own.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    result = run("snakemake all --configfile own.yaml", reader, program=DRY_RUN)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    assert added and all(f"={name}" in result.stdout + result.stderr for name, _ in added)


def test_configs_and_catalogs_are_those_that_the_commands_run():
    blocks = [block for block in FENCES if block.language == "yaml"]
    configs = [block for block in blocks if not entries(block)]
    assert configs and all(any(block.file in command.text for command in COMMANDS) for block in configs)
    catalogs = [block for block in blocks if entries(block) and block.file and block.document != "docs/plugins.md"]
    assert all(any(block.file in config.text for config in configs) for block in catalogs)


@in_language("python")
def test_code_runs(results, monkeypatch, block):
    monkeypatch.chdir(results)
    names = {}
    exec(block.text, names)
    if block.document == "docs/api.md":  # which asserts what it says
        return
    (model,) = (value() for name, value in names.items() if name.startswith("My"))
    if hasattr(model, "takes"):
        outputs = model.predict([np.ones((10, 39), dtype=np.float32)] * 2)
        assert len(outputs) == 2 and all(isinstance(value, float) for value in outputs)
    else:
        assert [len(text) for text in model.predict(["我跑地快", "好"])] == [4, 1]


@in_language("text")
def test_files_exist(block):
    if '"…"' in block.text:  # an entry of a model, whose hashes its reader fills in
        filled = block.text.replace('"…"', f'"{"0" * 64}"').replace("…", "1")
        assert check(yaml.safe_load(filled), ROOT / "config/schema/models.schema.yaml", block.place)
        return
    for line in block.text.splitlines():
        pattern = line.split()[0].replace("<rule>", "*")
        assert pattern == "results/" or list(ROOT.glob(pattern)), line


@in_language("signature")
def test_signatures_are_read(block):
    for line in block.text.splitlines():
        assert str(signature.parsed(line)) == line
