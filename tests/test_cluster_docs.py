"""docs/cluster.md says what the rules ask for, and they ask for what it says."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from snakemake.iocontainers import InputFiles, Wildcards

from sinobench import children
from sinobench.cluster_docs import rules_in, written
from tests.project import snakemake

PROJECT = Path(__file__).parents[1]
DOCUMENT = PROJECT / "docs/cluster.md"
ENTRIES = {
    "plain": {},
    "limited": {"limits": {"memory_mb": 600, "time_min": 7}, "threads": 3, "gpus": 1},
    "fitted": {"limits": {"fit_time_min": 2880}},
    "joined": {"lid": "limited", "gpus": 2},
}


@pytest.fixture
def lookups(monkeypatch, tmp_path):
    """The functions of rules/lookups/limits.smk, with the entries above; Snakemake tries each job again twice."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SINOBENCH_RETRIES", "0")
    settings = SimpleNamespace(is_main_process=True, execution_settings=SimpleNamespace(retries=2))

    def entries(wildcards):
        return [ENTRIES[name] for name in (wildcards.model, ENTRIES[wildcards.model].get("lid")) if name]

    known = {"workflow": settings, "children": children, "entries": entries, "os": __import__("os")}
    exec((PROJECT / "rules/lookups/limits.smk").read_text(encoding="utf-8"), known)
    return SimpleNamespace(**known)


def rows():
    table = DOCUMENT.read_text(encoding="utf-8").partition("| rule |")[2]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    return {row[0].strip("`"): row[1:] for row in cells}


def test_the_table_is_written_from_the_rules():
    before = DOCUMENT.read_text(encoding="utf-8")
    assert written(before, PROJECT / "rules") == before


def test_every_job_of_the_sample_asks_for_what_the_table_says(workflow):
    """Nothing is there yet but what the checkout has: of all else a plan knows the base."""
    planned = snakemake(workflow, "-n", "all", "speed")
    assert planned.returncode == 0, planned.stderr
    known, seen = rows(), set()
    for indent, name, said in re.findall(r"^( *)(?:local)?rule (\w+):\n((?:\1    .+\n)+)", planned.stdout, re.M):
        where, _, memory, minutes, gpus, _ = known.get(name, ["local", *[""] * 5])
        assert bool(indent) == where.startswith("group"), name
        if where == "local":
            assert "mem_mb" not in said
            continue
        for words, key, own in ((memory, "mem_mb", children.BASE_MB), (minutes, "runtime", children.BASE_MIN)):
            base = int(re.search(r"(?:or |^)(\d+)", words)[1]) + bool(gpus) * own
            asked = int(re.search(rf"\b{key}=(\d+)", said)[1])
            assert base <= asked < base + 100, f"{name}: {asked}, and the table says {words}"
        assert ("gpu=" in said) == bool(gpus), name
        seen.add(name)
    on_request = {"export_chunks", "make_clips", "join_speech", "inspect_model"}
    assert seen == {name for name, cells in known.items() if cells[0] != "local"} - on_request
    for group in re.findall(r"^group job .+:\n((?: +.*\n|\n|\[.*\n)+)", planned.stdout, re.M):
        rules = re.findall(r"^    rule (\w+)", group, re.M)
        assert len(rules) == len(set(rules)), f"jobs side by side, which want as many cores at once: {rules}"


def test_a_rule_that_asks_in_another_way_is_refused(tmp_path):
    rule = (
        'rule odd:\n    resources:\n        mem_mb=4000,\n        runtime=sized(30),\n    script:\n        "odd.py"\n'
    )
    (tmp_path / "odd.smk").write_text(rule)
    assert rules_in(tmp_path)["odd"]["mem_mb"] == "4000"
    with pytest.raises(ValueError, match="rule odd asks for '4000'"):
        written(DOCUMENT.read_text(encoding="utf-8"), tmp_path)


def test_memory_and_time_follow_the_input_and_the_attempt(lookups):
    Path("items.parquet").write_bytes(bytes(2_000_000))
    Path("audio/inner").mkdir(parents=True)
    for name in ("audio/a.wav", "audio/inner/b.wav"):
        Path(name).write_bytes(bytes(500_000))
    found = InputFiles(fromdict={"inputs": "items.parquet", "audio": "audio", "later": "not/made.parquet"})
    assert lookups.size_mb(found) == 3 and lookups.size_mb(found, ["audio", "absent"]) == 1
    of_all, of_audio = lookups.sized(1000, 50), lookups.sized(1000, 50, "audio")
    assert [of_all(None, found, attempt=n) for n in (1, 2, 3)] == [1150, 2300, 3450]
    assert of_audio(None, found, attempt=1) == 1050


@pytest.mark.parametrize(
    ("model", "memory_mb", "time_min", "fit_time_min", "threads", "gpus"),
    [
        ("plain", 4040, 60, 120, 1, 0),
        ("limited", 600, 7, 7, 3, 1),
        ("fitted", 4040, 60, 2880, 1, 0),
        ("joined", 600, 7, 7, 3, 2),
    ],
)
def test_a_job_of_a_model_asks_for_its_limits_and_the_inner_limits_agree(
    lookups, model, memory_mb, time_min, fit_time_min, threads, gpus
):
    Path("items.parquet").write_bytes(bytes(2_000_000))
    found, wildcards = InputFiles(fromdict={"inputs": "items.parquet"}), Wildcards(fromdict={"model": model})
    asked = {
        "mem_mb": lookups.memory_of(4000, 20, "inputs")(wildcards, found, attempt=1),
        "runtime": lookups.time_of(60)(wildcards, found, attempt=1),
    }
    job = SimpleNamespace(params={"entry": {"kind": "python"}}, resources=asked)
    inner = children._limits(job, None)
    assert (inner.memory_mb, inner.time_min) == (memory_mb, time_min)
    assert lookups.fit_time_of(120)(wildcards, found, attempt=2) == 2 * (fit_time_min + children.BASE_MIN)
    assert (lookups.threads_at_hand(wildcards), lookups.gpus_at_hand(wildcards)) == (threads, gpus)


def test_a_job_knows_how_often_it_is_tried_again(lookups):
    assert [lookups.tries_left(None, attempt) for attempt in (1, 2, 3)] == [2, 1, 0]
    assert children.retries() == 2
