"""The package of docs/plugins.md, installed in an environment of its own, runs as any model does."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import yaml

from sinobench.results import tables
from tests import documents

PACKAGE = {
    block.text.partition("\n")[0].removeprefix("# "): block.text
    for block in documents.fences()
    if block.document == "docs/plugins.md"
}


def test_the_package_is_complete_in_twenty_lines():
    assert PACKAGE.keys() == {"pyproject.toml", "my_plugin/models.yaml", "my_plugin/__init__.py"}
    assert sum(len(text.splitlines()) - 1 for text in PACKAGE.values()) <= 20


def test_the_package_of_the_document_runs(workflow, tmp_path):
    python = environment(tmp_path / "environment")
    for name, text in PACKAGE.items():
        (tmp_path / "package" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "package" / name).write_text(text, encoding="utf-8")
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet")
    run(python, workflow, "pip", "install", *offline, str(tmp_path / "package"))

    (workflow / "tiny.tsv").write_text("我跑地快\t我跑的快\n他很好\t他很好\n", encoding="utf-8")
    tiny = {"task": "csc", "title": "Tiny", "reader": "pairs", "files": {"text": "tiny.tsv"}, "licence": "CC0-1.0"}
    (workflow / "corpora.yaml").write_text(yaml.safe_dump({"tiny": tiny}), encoding="utf-8")
    config = {"catalogs": {"corpora": ["config/corpora.yaml", "corpora.yaml"]}, "csc": {"corpora": ["tiny"]}}
    (workflow / "own.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    target = "results/own/csc/metrics/tiny/always-de.parquet"
    run(python, workflow, "snakemake", "--cores", "1", target, "--configfile", "own.yaml")

    [recall] = [
        row["value"]
        for row in tables.read(workflow / target).to_pylist()
        if (row["protocol"], row["subset"], row["metric"]) == ("strict", "all", "correction_recall")
    ]
    assert recall == 1
    [versions] = tables.read(workflow / "results/own/csc/runs/tiny/always-de.parquet")["versions"].to_pylist()
    assert "my-plugin 1.0" in versions


def environment(folder: Path) -> str:
    """The interpreter of a new environment that has the packages of this one."""
    venv.create(folder, with_pip=False, symlinks=True)
    own = sysconfig.get_path("purelib", "venv", {"base": str(folder)})
    borrowed = [path for path in sys.path if path.endswith("site-packages")]
    Path(own, "borrowed.pth").write_text("\n".join(borrowed), encoding="utf-8")
    return str(folder / "bin/python")


def run(python: str, folder: Path, *arguments: str) -> None:
    result = subprocess.run(
        [python, "-m", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "scripts")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
