"""What tests share: public data where the environment names it, small files, and copies of the workflow."""

import atexit
import gc
import importlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock

from sinobench.children import seldom_collect
from sinobench.errors import InputError
from tests import databases
from tests.project import snakemake

# Read as libraries load. Workers fill all cores: threads beside them would spend most of their time in waiting for one
# another, those that Snakemake gives to its jobs too.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
gc.disable()  # until all tests are imported: a third of that time goes into looking at what stays
ROOT = Path(__file__).parents[1]
# What takes longest starts first, the default run with what is second: short tests keep all workers busy to the end.
FIRST = (
    "tests/workflow/test_public_corpora.py",
    "tests/cluster/test_cluster.py",
    "tests/workflow/test_default_run.py",
    "tests/cluster/",
    "tests/workflow/",
    "tests/report/",
    "tests/samples/",
    "tests/lid/",
    "tests/test_isolation.py",
    "tests/test_guard.py",
    "tests/results/",
)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: next((i for i, start in enumerate(FIRST) if item.nodeid.startswith(start)), len(FIRST)))


def pytest_collection_finish():
    """What all tests import stays: who collects garbage, as statsmodels does in a loop, need not look at it."""
    # At the end the plugin imports it, which looks for references that freezing hides.
    importlib.import_module("hypothesis")
    gc.freeze()
    seldom_collect()
    gc.enable()
    atexit.register(gc.unfreeze)  # DuckDB and kin complain of what is there when the interpreter has ended


@pytest.fixture(autouse=True)
def shown(request, monkeypatch):
    """Messages as the command line shows them; where a test is marked ``logged``, as jobs log them."""
    if "logged" not in request.keywords:
        monkeypatch.setattr(InputError, "__str__", lambda error: error.shown)


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The folder with copies of the public corpora, ``<source>/<file>``."""
    return _folder("SINOBENCH_MIRROR", "copies of the public corpora")


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The folder with inputs and what the official scripts print for them."""
    return _folder("SINOBENCH_VECTORS", "vectors of the official scripts")


@pytest.fixture
def write(tmp_path):
    """write(content, name="file.txt"): a file of text or bytes, written as given; its path."""

    def write(content, name="file.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture(scope="session")
def database_of(tmp_path_factory):
    """database_of(rows, path): what ``database.build`` makes of small rows by table, in a seventh of its time; path."""
    return databases.Small(tmp_path_factory.mktemp("empty") / "sinobench.duckdb").write


@pytest.fixture(scope="session")
def source(tmp_path_factory) -> Path:
    """The working tree as it is now, without what git ignores; the same for all runs of the session.

    Compiled modules come along: each copy would compile them anew.
    """
    copy = tmp_path_factory.mktemp("source") / "sinobench"
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, text=True, check=True
    )
    compiled = [str(path.relative_to(ROOT)) for path in (ROOT / "scripts").rglob("*.pyc")]
    for name in [*filter(None, listed.stdout.split("\0")), *compiled]:
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    return copy


@pytest.fixture
def workflow(source, tmp_path) -> Path:
    """A copy of the workflow without results."""
    return Path(shutil.copytree(source, tmp_path / "workflow"))


@pytest.fixture(scope="session")
def finished_run(source, tmp_path_factory) -> Path:
    """One finished default run for all workers; read only, tests that change something take ``finished``."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder, failed = shared / "finished" / "workflow", shared / "finished.failed"
    with FileLock(shared / "finished.lock"):
        assert not failed.exists(), failed.read_text(encoding="utf-8")
        if not folder.exists():
            shutil.copytree(source, folder)
            result = snakemake(folder, "all", SINOBENCH_MIRROR=None)
            if result.returncode:
                failed.write_text(result.stderr, encoding="utf-8")
            assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture
def finished(finished_run, tmp_path) -> Path:
    """A copy of the finished default run; its audio is the run's own, so replace a file rather than change it."""

    def copy(path, to):
        return os.link(path, to) if path.endswith((".wav", ".mp3")) else shutil.copy2(path, to)

    return Path(shutil.copytree(finished_run, tmp_path / "finished", symlinks=True, copy_function=copy))


def _folder(variable: str, what: str) -> Path:
    if not os.environ.get(variable):
        pytest.skip(f"{variable} is not set: no {what}")
    folder = Path(os.environ[variable])
    assert folder.is_dir(), f"{variable} names no folder"
    return folder
