"""The digest of the code that a rule uses: what it takes in, and what changes it."""

import json
import subprocess
import sys

import pytest

from sinobench import digest

SCRIPTS = sorted(path.stem for path in digest.SCRIPTS.glob("*.py"))


def test_what_python_imports_for_a_script_is_in_its_files():
    command = f"""
import json, runpy, sys
loaded = {{}}
for script in {SCRIPTS!r}:
    for name in [name for name in sys.modules if name.partition(".")[0] == "sinobench"]:
        del sys.modules[name]
    runpy.run_path(f"{digest.SCRIPTS}/{{script}}.py", run_name="imported")
    loaded[script] = sorted(m.__file__ for n, m in sys.modules.items() if n.partition(".")[0] == "sinobench")
print(json.dumps(loaded))
"""
    run = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    for script, loaded in json.loads(run.stdout).items():
        assert set(loaded) <= {str(file) for file in digest.files(script)}, script


@pytest.mark.parametrize("script", ["fit_lid", "predict_lid"])
def test_only_the_model_at_hand_counts(script):
    def models(*classes):
        return {file.stem for file in digest.files(script, *classes) if "models" in file.parts} - {"__init__"}

    assert models() == set()
    assert models("sinobench.lid.models.majority:Majority") == {"majority"}
    assert "training" in models("sinobench.lid.models.conformer:Conformer")  # imported inside a function


@pytest.mark.parametrize("task", ["g2p", "csc", "lid", "ld"])
def test_a_column_concerns_the_scripts_of_its_task_and_what_collects_them(task):
    collecting = {
        "build_database",
        "build_report",
        *(f"draw_{each}" for each in ("g2p", "csc", "lid", "ld", "merlion")),
    }
    declared = digest.SCRIPTS / "sinobench" / task / "tables.py"
    users = {script for script in SCRIPTS if declared in digest.files(script)}
    assert users >= {f"ingest_{task}", f"predict_{task}", f"score_{task}", *collecting}
    assert {script.rpartition("_")[2] for script in users - collecting} == {task}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """write(name, content) in a folder of scripts, whose digests are taken afresh each time."""

    def write(name, content):
        path = tmp_path / "scripts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")

    monkeypatch.setattr(digest, "SCRIPTS", tmp_path / "scripts")
    write("rule.py", "from sinobench.tool import use\n\nuse()\n")
    write("sinobench/__init__.py", "")
    write("sinobench/query.py", 'from pathlib import Path\n\nVIEWS = Path(__file__).with_name("views.sql")\n')
    write("sinobench/tool.py", 'PAGES = "pages/"\n\n\ndef use():\n    from sinobench import query\n    return query\n')
    write("sinobench/pages/one.html", "<p>")
    write("sinobench/views.sql", "SELECT 1")
    write("sinobench/words.py", 'from sinobench.task import tables\n\nNAME = "comments.yaml"\n')
    write("sinobench/task/__init__.py", "")
    write("sinobench/task/tables.py", "A = 1\n")
    write("sinobench/task/comments.yaml", "a: why")
    write("sinobench/other.py", "A = 1\n")
    return write


def taken(*classes):
    for function in (digest.code, digest._parsed, digest._imported, digest._modules):
        function.cache_clear()
    return digest.code("rule", *classes)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rule.py", '"""What it does."""\n\nfrom sinobench.tool import use\n\nuse( )  # why\n'),
        (
            "sinobench/tool.py",
            'PAGES = "pages/"\n\n\ndef use():\n    """Says it."""\n    from sinobench import query\n\n    return query',
        ),
        ("sinobench/other.py", "A = 2\n"),
    ],
)
def test_comments_docstrings_format_and_what_is_not_imported_change_nothing(package, name, content):
    before = taken()
    package(name, content)
    assert taken() == before


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rule.py", "from sinobench.tool import use\n\nuse(1)\n"),
        ("sinobench/__init__.py", "A = 1"),
        ("sinobench/tool.py", "def use():\n    from sinobench import query\n    return [query]\n"),
        ("sinobench/query.py", 'from pathlib import Path\n\nVIEWS = Path(__file__).with_name("views.sql")\nB = 1\n'),
        ("sinobench/views.sql", "SELECT 2"),
        ("sinobench/pages/one.html", "<b>"),
        ("sinobench/pages/two.html", ""),
    ],
)
def test_any_other_edit_changes_the_digest(package, name, content):
    before = taken()
    package(name, content)
    assert taken() != before


def test_comments_of_tables_are_read_by_what_names_them_and_not_by_what_writes_the_tables(package):
    package("rule.py", "from sinobench.task import tables\n")
    before = taken()
    package("sinobench/task/comments.yaml", "a: what else")
    assert taken() == before
    package("rule.py", "from sinobench import words\n")
    before = taken()
    package("sinobench/task/comments.yaml", "a: why")
    assert taken() != before


def test_a_class_in_a_file_brings_the_neighbours_that_it_imports(package, tmp_path):
    package("../own/model.py", "import helper\n\nclass Model:\n    pass\n")
    package("../own/helper.py", "A = 1\n")
    package("../own/unrelated.py", "A = 1\n")
    target = f"{tmp_path}/own/model.py:Model"
    before = taken(target)
    package("../own/unrelated.py", "A = 2\n")
    assert taken(target) == before != taken()
    package("../own/helper.py", "A = 2\n")
    assert taken(target) != before
