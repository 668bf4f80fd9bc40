"""Public files that can't be had cost their corpora only: all else is made, and the same command tries again."""

from functools import partial

import pytest

from tests.conftest import ROOT
from tests.loopback import public
from tests.project import snakemake
from tests.workflow import test_default_run

query = partial(test_default_run.query, run="mine")

CONFIG = """
g2p:
  corpora: [sample-words, wordshk]
  pools: [{name: both, corpora: [sample-words, wordshk]}]
  models: [tojyutping]
csc: {corpora: [sample-csc], models: [do-nothing]}
merlion:
  corpora: [speech-joined]
  training: [speech-train]
  shards: 1
  partitions: [{name: speech, track: open, parts: [{corpus: speech-train}]}]
lid: {models: [majority, gmm], training: speech}
ld: {models: [vad+gmm]}
statistics: {resamples: 200}
"""


@pytest.fixture
def run(workflow, mirror):
    """run(target, *absent): with a server for all public addresses but those of these repositories."""
    (workflow / "mine.yaml").write_text(CONFIG, encoding="utf-8")

    def run(target, *absent):
        with public(ROOT, mirror, absent) as server:
            server.write_sources(workflow / "config/sources.yaml")
            return snakemake(
                *(workflow, target, "--configfile", "mine.yaml"), SINOBENCH_MIRROR=None, no_proxy="127.0.0.1"
            )

    return run


def test_all_else_is_made_and_the_same_command_tries_again(workflow, run):
    result = run("database", "yue-g2p-benchmark", "wenet-e2e/wenet")
    assert result.returncode == 1
    listed = result.stderr[result.stderr.index("failed, with all that depends on it:") :]
    assert "cannot retrieve wordshk.sent of yue-g2p-benchmark, without which there is no wordshk" in listed
    assert "speech-originals, without which there is no speech-joined, speech-train" in listed
    for way in (
        "$SINOBENCH_MIRROR/yue-g2p-benchmark/wordshk.sent",
        "$SINOBENCH_MIRROR/speech-originals/wenet-e2e+wenet/",
        "let this machine reach 127.0.0.1",
        "Missing of speech-originals are",
    ):
        assert way in result.stderr
    corpora = "SELECT corpus FROM corpora ORDER BY 1"
    assert query(workflow, corpora) == [("sample-csc",), ("sample-words",)]
    board = "SELECT DISTINCT corpus FROM leaderboard WHERE NOT published ORDER BY 1"
    assert query(workflow, board) == [("sample-csc",), ("sample-words",)]
    assert query(workflow, "SELECT count(*) FROM runs WHERE status = 'failed'") == [(0,)]
    retrieved = workflow / "results/shared/retrieved"
    assert not (retrieved / "yue-g2p-benchmark/wordshk.sent").exists()

    kept = {path: path.stat().st_mtime_ns for path in retrieved.rglob("*.wav")}
    result = run("database", "wenet-e2e/wenet")
    assert result.returncode == 1 and "wordshk" not in result.stderr[result.stderr.index("failed, with") :]
    assert query(workflow, corpora) == [("sample-csc",), ("sample-words",), ("wordshk",)]
    assert ("pooled-both",) in query(workflow, board)
    assert kept and kept == {path: path.stat().st_mtime_ns for path in kept}
