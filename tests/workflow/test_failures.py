"""A model that fails costs only itself."""

import re
import zipfile

from tests.project import snakemake
from tests.workflow.test_default_run import query
from tests.workflow.test_own_models import add_model

BROKEN = """
import os
import time
from sinobench.csc.models.do_nothing import DoNothing

class Killed:
    def predict(self, texts):
        os.kill(os.getpid(), 9)

class Eats:
    def predict(self, texts):
        held = []
        while True:
            held.append(b"1" * 10**7)
            time.sleep(0.01)

class Twin(DoNothing):
    pass

class Unfit:
    def fit(self, pairs, seed):
        raise MemoryError("no room")

    def predict(self, texts):
        return texts
"""
COMPARED = "SELECT DISTINCT model FROM ranks WHERE corpus = 'sample-csc' AND metric = 'detection_recall' ORDER BY ALL"
MENDED = BROKEN.replace("os.kill(os.getpid(), 9)", "return texts")


def test_all_else_is_made_and_the_same_command_tries_the_failed_again(finished):
    (finished / "broken.py").write_text(BROKEN, encoding="utf-8")
    entry = {"task": "csc", "title": "Killed", "kind": "python", "class": "broken.py:Killed"}
    add_model(finished, "killed", entry)
    add_model(finished, "unfit", entry | {"title": "Unfit", "class": "broken.py:Unfit", "fit": True})
    add_model(finished, "eats", entry | {"title": "Eats", "class": "broken.py:Eats", "limits": {"memory_mb": 600}})
    add_model(finished, "twin", entry | {"title": "Twin", "class": "broken.py:Twin"})
    result = snakemake(finished, "csc")
    assert result.returncode == 1
    killed = "was killed by SIGKILL, as happens when memory runs out"
    unfit = "model 'unfit' failed while being fitted: MemoryError: no room"
    log = "results/logs/predict_csc/sample-csc/killed.log"
    assert f"predict_csc, corpus sample-csc, model killed: {killed} (log: {log})" in result.stderr
    assert f"fit_csc, model unfit: {unfit} (log: results/shared/logs/fit_csc/" in result.stderr
    board = "SELECT model, rank, correction_f1, failure FROM leaderboard_csc WHERE failure IS NOT NULL ORDER BY model"
    [(*of_eats, eats), *others] = query(finished, board)
    assert of_eats == ["eats", None, None]
    assert re.fullmatch(r"took \d+ MB of memory, more than its limit of 600 MB \(`limits.memory_mb` of its .*", eats)
    assert others == [("killed", None, None, killed), ("unfit", None, None, unfit)]
    runs = "SELECT model, corpus, reason FROM runs WHERE status = 'failed' AND corpus = 'sample-csc' ORDER BY model"
    assert query(finished, runs) == [
        ("eats", "sample-csc", eats),
        ("killed", "sample-csc", killed),
        ("unfit", "sample-csc", unfit),
    ]
    assert query(finished, "SELECT rank FROM leaderboard_csc WHERE model = 'dictionary'") == [(1,)]
    assert query(finished, COMPARED) == [("dictionary",), ("do-nothing",), ("twin",)]
    twins = "SELECT count(*), count(DISTINCT prediction) FROM csc_predictions WHERE model IN ('do-nothing', 'twin')"
    [(n, same)] = query(finished, f"{twins} GROUP BY corpus, item_id ORDER BY ALL DESC LIMIT 1")
    assert (n, same) == (2, 1)
    picture = (finished / "results/figures/csc_leaderboard.svg").read_text(encoding="utf-8")
    assert "Killed, failed" in picture and "Unfit, failed" in picture
    assert (finished / log).read_text(encoding="utf-8").startswith("The model runs ")
    assert zipfile.is_zipfile(finished / "results/submissions/csc/dictionary/results.zip")
    assert not (finished / "results/submissions/csc/killed/results.zip").exists()

    (finished / "broken.py").write_text(MENDED, encoding="utf-8")
    result = snakemake(finished, "database")
    assert result.returncode == 1 and "model unfit" in result.stderr and "model killed" not in result.stderr
    failed = query(finished, "SELECT DISTINCT model FROM leaderboard_csc WHERE failure IS NOT NULL ORDER BY model")
    assert failed == [("eats",), ("unfit",)]
    assert query(finished, COMPARED) == [("dictionary",), ("do-nothing",), ("killed",), ("twin",)]


def test_jobs_that_until_leaves_out_end_the_run_with_their_rules(workflow):
    add_model(workflow, "twin", {"task": "csc", "title": "Twin", "kind": "python", "class": "broken.py:Twin"})
    (workflow / "broken.py").write_text(BROKEN, encoding="utf-8")
    until = ("--until", "ingest_csc", "predict_csc", "--config", "csc={corpora: [sample-csc], models: [twin]}")
    result = snakemake(workflow, "csc", *until)
    assert result.returncode == 1
    assert "Error: planned, and not run: predict_csc (1). `--until` ends at the first of the rules" in result.stderr
