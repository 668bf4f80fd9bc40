"""A checkout may lie anywhere, and results do not depend on the surroundings, on cores or on shards."""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections import defaultdict

import pyarrow as pa
import pytest

from sinobench.results import tables

CONFIG = """
run: elsewhere
g2p: {corpora: [sample-classical], models: [tojyutping]}
csc: {corpora: [sample-csc], models: [do-nothing]}
merlion: {corpora: [sample-merlion], shards: 2}
lid: {models: [majority]}
"""
TARGETS = [
    "g2p/metrics/sample-classical/tojyutping.parquet",
    "csc/metrics/sample-csc/do-nothing.parquet",
    "lid/metrics/sample-merlion/majority.parquet",
    *(f"merlion/feature_proofs/sample-merlion/{shard}.parquet" for shard in range(2)),
]
SURROUNDINGS = {"LC_ALL": "C", "TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "7", "TMPDIR": "/absent"}  # and no HOME
# Tables with a row a shard, or with times.
APART = {"feature_proofs", "identities", "runs"}


@pytest.fixture(scope="module")
def elsewhere(source, tmp_path_factory):
    """A checkout whose path has blanks, brackets and Chinese, after a run with nothing as usual."""
    folder = shutil.copytree(source, tmp_path_factory.mktemp("elsewhere") / "a b 中文 (1)'s")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True)
    own = sysconfig.get_path("purelib", vars={"base": str(folder / ".venv")})
    paths = [path for path in sys.path if path.endswith("site-packages")]
    with open(f"{own}/packages.pth", "w", encoding="utf-8") as file:
        file.write("\n".join(paths))
    (folder / "own.yaml").write_text(CONFIG, encoding="utf-8")
    command = [folder / ".venv/bin/python", "-m", "snakemake", "--cores", "8", "--configfile", "own.yaml", "--"]
    result = subprocess.run(
        [*command, *(f"results/elsewhere/{target}" for target in TARGETS)],
        cwd=folder,
        env=SURROUNDINGS | {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder / "scripts")},
        umask=0o077,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return folder / "results/elsewhere"


def test_the_same_bytes_as_on_two_cores_in_other_surroundings(elsewhere, finished_run):
    sharded, n_same = defaultdict(list), 0
    for path in sorted(elsewhere.rglob("*.parquet")):
        name = path.relative_to(elsewhere)
        if set(name.parts) & APART:
            continue
        if path.stem.isdigit():
            sharded[name.parent].append(path)
        else:
            assert path.read_bytes() == (finished_run / "results" / name).read_bytes(), name
            n_same += 1
    assert n_same > 15 and len(sharded) > 4
    for folder, paths in sharded.items():
        assert len(paths) == 2, folder
        assert _joined(paths).equals(_joined([finished_run / "results" / folder / "0.parquet"])), folder


def _joined(paths):
    table = pa.concat_tables(map(tables.read, paths))
    keys = [field.name for field in table.schema if pa.types.is_string(field.type) or pa.types.is_integer(field.type)]
    return table.sort_by([(name, "ascending") for name in keys]).combine_chunks()
