"""docs/architecture.md says what the rules and the package say."""

import ast
import re
import subprocess
import sys
import textwrap
from itertools import pairwise
from pathlib import Path

from sinobench.results import registry
from tests.documents import tables

ROOT = Path(__file__).parents[1]
DOCUMENT = "docs/architecture.md"
RULES = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "rules").rglob("*.smk"))]


def handed_over() -> dict[str, set[str]]:
    """The rules whose files ``collect`` takes for a table."""
    found: dict[str, set[str]] = {}
    for text in RULES:
        for block in re.finditer(r"^( *)collect\((?:[^\n]*\)|\n.*?^\1\))$", text, re.MULTILINE | re.DOTALL):
            [call] = ast.parse(textwrap.dedent(block[0])).body
            for keyword in call.value.keywords:
                rules = {
                    node.attr
                    for node in ast.walk(keyword.value)
                    if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == "rules"
                }
                found.setdefault(keyword.arg, set()).update(rules)
    return found


def drawn() -> set[tuple[str, str]]:
    """The arrows of the document's graphs."""
    text = (ROOT / DOCUMENT).read_text(encoding="utf-8")
    arrows = set()
    for graph in re.findall(r"```mermaid\n(.*?)```", text, re.DOTALL):
        for line in graph.splitlines()[1:]:
            names = re.split(r" --> ", line.strip())
            arrows |= set(pairwise(names))
    return arrows


def test_each_table_stands_with_its_rules_and_owner():
    rules = handed_over()
    assert rules.keys() <= registry.TABLES.keys()
    rows = {row["Table"]: row for row in next(t for t in tables(DOCUMENT) if t.heading == "Tables").dicts()}
    stored = {name: table for name, table in registry.TABLES.items() if table.in_database}
    assert rows.keys() == stored.keys()
    for name, row in rows.items():
        written_by = rules.get(name) or {"build_database"}
        assert set(row["Rules that write it"].split(", ")) == written_by, name
        module = (ROOT / "scripts/sinobench" / row["Declared in"]).read_text(encoding="utf-8")
        assert f'"{name}"' in module, name


def test_the_graphs_have_every_rule_that_makes_something():
    bodies = [found for text in RULES for found in re.findall(r"^rule (\w+):\n((?:    .*\n|\n)+)", text, re.MULTILINE)]
    rules = {name for name, body in bodies if "    output:" in body}
    rules |= {name for text in RULES for name in re.findall(r"^use rule \w+ as (\w+)", text, re.MULTILINE)}
    assert {name for arrow in drawn() for name in arrow} == rules


def test_an_arrow_is_a_dependency():
    command = [sys.executable, "-m", "snakemake", "--rulegraph", "mermaid-js", "all"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = dict(re.findall(r"(id\d+)\[(\w+)\]", shown))
    needs = {(names[a], names[b]) for a, b in re.findall(r"(id\d+) --> (id\d+)", shown)}
    # What the sample does not need is not in Snakemake's graph.
    in_sample = {arrow for arrow in drawn() if set(arrow) <= set(names.values())}
    assert in_sample and not in_sample - needs
