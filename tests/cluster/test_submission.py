"""What the jobs of the profile cluster-generic ask of the queue: a stand-in for sbatch notes it and runs them."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.project import snakemake

pytest.importorskip("snakemake_executor_plugin_cluster_generic")
SUBMIT = Path(__file__).parents[2] / "profiles/cluster-generic/submit.sh"
SBATCH = """#!/bin/sh
echo "$@" >> "$0.asked"
n=$(wc -l < "$0.asked")
for script; do :; done
(sh "$script" > "$0.$n.log" 2>&1; [ $? = 0 ] && echo COMPLETED > "$0.$n" || echo FAILED > "$0.$n") &
echo "$n"
"""
SQUEUE = """#!/bin/sh
for word; do
  case $word in --jobs=*) cat "$(dirname "$0")/sbatch.${word#--jobs=}" 2>/dev/null || echo RUNNING ;; esac
done
"""
EATS = """
import time

class Eats:
    def predict(self, texts):
        held = bytearray(900 * 10**6)
        held[::4096] = b"x" * len(held[::4096])
        time.sleep(5)  # it is looked at now and then
        return texts
"""
ENTRY = """
eats:
  task: csc
  title: Eats
  kind: python
  class: eats.py:Eats
  gpus: 2
  threads: 2
  limits: {memory_mb: 600, time_min: 7}
"""


def test_a_group_asks_for_its_model_and_for_as_much_again_in_its_next_try(workflow, tmp_path):
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in (("sbatch", SBATCH), ("squeue", SQUEUE)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    (workflow / "eats.py").write_text(EATS)
    with (workflow / "config/models.yaml").open("a", encoding="utf-8") as models:
        models.write(ENTRY)
    (workflow / "eats.yaml").write_text("csc: {corpora: [sample-csc], models: [eats]}\n")
    done = snakemake(
        workflow,
        *("--profile", "profiles/cluster-generic", "results/eats/csc/metrics/sample-csc/eats.parquet"),
        *("--configfile", "eats.yaml", "--seconds-between-status-checks", "1", "--latency-wait", "5"),
        PATH=f"{programs}:{os.environ['PATH']}",
    )
    assert done.returncode == 0, done.stderr
    ingested, *tries = (programs / "sbatch.asked").read_text().splitlines()
    assert re.search(r"--job-name=ingest_csc .* --cpus-per-task=1 --mem=10\d\d --time=3\d /", ingested), ingested
    # One job of the queue for predictions and scores: the memory of the larger, the time of both.
    for line, memory_mb, time_min in zip(tries, (1100, 2200), (12 + 31, 2 * (12 + 31)), strict=True):
        wanted = f"--cpus-per-task=2 --mem={memory_mb} --time={time_min} --gres=gpu:2 "
        assert wanted in line and "predict_csc_score_csc" in line, (wanted, line)
    log = (workflow / "results/eats/logs/predict_csc/sample-csc/eats.log").read_text(encoding="utf-8")
    assert "more than its limit" not in log


@pytest.mark.parametrize(
    ("n_away", "error", "told"),
    [
        (0, "", "7"),
        (3, "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)", "7"),
        (99, "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)", ""),
        (3, "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation", ""),
        (3, "sbatch: error: invalid partition specified: debug", ""),
    ],
)
def test_a_controller_that_is_away_is_waited_for(n_away, error, told, tmp_path):
    away = f'echo "$@" >> asked; [ $(wc -l < asked) -gt {n_away} ] || {{ echo "{error}" >&2; exit 1; }}'
    for name, body in (("sbatch", f"{away}; echo 7; echo late >&2"), ("sleep", "")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", SUBMIT, "--mem=1", "job.sh"],
        cwd=tmp_path,
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout.strip(), done.returncode) == (told, 0 if told else 1)
    assert "late" in done.stderr if told else error in done.stderr
    asked = (tmp_path / "asked").read_text().splitlines()
    assert set(asked) == {"--parsable --mem=1 job.sh"}
    assert len(asked) == (n_away + 1 if told else 40 if n_away == 99 else 1)
