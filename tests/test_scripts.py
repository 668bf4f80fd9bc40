"""Every job hands values over by their names, and a failure of what it needs on, in each of its outputs."""

import ast
import re

import pytest

from sinobench.schema import load_schema
from tests.conftest import ROOT

RULES = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "rules").rglob("*.smk")))
SCRIPTS = dict(re.findall(r"^rule (\w+):\n(.*?)(?=^rule |\Z)", RULES, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize(
    "rule", [rule for rule, body in SCRIPTS.items() if "    script:" in body and "    output:" in body]
)
def test_folders_among_the_outputs_are_named(rule):
    script = re.search(r'"(?:\.\./)+scripts/(\w+\.py)"', SCRIPTS[rule])[1]
    guard = re.search(r"    with job\(snakemake(.*)\):", (ROOT / "scripts" / script).read_text(encoding="utf-8"))
    assert guard, f"{script} does not run as failures.job"
    body = re.sub(r"report\(\s+directory\(", "directory(", SCRIPTS[rule])
    assert not re.search(r"^ +directory\(", body, re.MULTILINE), "a folder has no name"
    folders = set(re.findall(r"(\w+)=directory\(", body))
    assert folders == set(re.findall(r'"(\w+)"', guard[1].partition("folders=")[2]))


@pytest.mark.parametrize("script", sorted(path.name for path in (ROOT / "scripts").glob("*.py")))
def test_values_are_handed_over_by_their_names(script):
    tree = ast.parse((ROOT / "scripts" / script).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "main"]
    assert len(calls) == (script != "reproduce_csc.py")  # which no rule runs
    assert not any(call.args for call in calls)


def test_the_seed_says_which_rules_it_drives():
    schema = load_schema(ROOT / "config/schema/config.schema.yaml")
    named = re.findall(r"`(\w+)`", schema["properties"]["seed"]["description"])
    assert sorted(named) == sorted(rule for rule, body in SCRIPTS.items() if "        seed=" in body)
