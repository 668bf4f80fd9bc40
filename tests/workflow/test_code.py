"""Code is an input: an edit makes run again what uses it, and nothing else."""

import os
import re

from sinobench import digest
from tests.project import snakemake


def rerun_for_their_params(folder):
    """The wildcards of the jobs whose params changed, by rule; None for a job without."""
    result = snakemake(folder, "-n", "all", "--quiet", "none")
    assert result.returncode == 0, result.stderr
    found = {}
    for block in re.split(r"\n\n(?=\[)|\n\n(?=(?:local)?rule )", result.stdout):
        rule = re.search(r"^(?:local)?rule (\w+):", block, re.MULTILINE)
        if rule and "Params have changed" in block:
            wildcards = re.search(r"wildcards: (.*)", block)
            found.setdefault(rule[1], set()).add(wildcards and wildcards[1])
    return found


def users_of(module):
    return {
        s.stem for s in digest.SCRIPTS.glob("*.py") if digest.SCRIPTS / "sinobench" / module in digest.files(s.stem)
    }


def test_an_edit_runs_again_what_uses_the_code(finished):
    package = finished / "scripts/sinobench"
    for file in (finished / "scripts").rglob("*.py"):
        os.utime(file)
    for module in ("results/tables.py", "merlion/recode.py", "lid/models/gmm.py"):
        text = (package / module).read_text(encoding="utf-8")
        (package / module).write_text(f"# A remark.\n{text}", encoding="utf-8")
    assert "Nothing to be done" in snakemake(finished, "-n", "all").stderr

    for module in ("merlion/regions.py", "csc/metrics.py"):
        text = (package / module).read_text(encoding="utf-8")
        (package / module).write_text(f"{text}\nADDED = 1\n", encoding="utf-8")
        planned = rerun_for_their_params(finished)
        (package / module).write_text(text, encoding="utf-8")
        assert planned.keys() == users_of(module)

    with (package / "lid/models/majority.py").open("a", encoding="utf-8") as majority:
        majority.write("\nADDED = 1\n")
    planned = rerun_for_their_params(finished)
    assert planned.keys() == {"predict_lid"}
    assert all("model=majority" in wildcards for wildcards in planned["predict_lid"])
