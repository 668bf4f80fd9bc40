"""Code is an input: an edit makes run again what uses it, and nothing else."""

import os
import re

from sinobench import digest
from tests.project import snakemake


def planned(folder, *options):
    """The jobs of a dry run: rule, wildcards, and whether their own params are what makes them run."""
    result = snakemake(folder, "-n", "all", "--quiet", "progress", *options)
    assert result.returncode == 0, result.stderr
    jobs = re.findall(r"^ *(?:local)?rule (\w+):\n((?: +\w+: .*\n)+)", result.stdout, re.MULTILINE)
    return [(rule, "".join(re.findall("wildcards: (.*)", text)), "Params have changed" in text) for rule, text in jobs]


def users_of(module):
    return {
        s.stem for s in digest.SCRIPTS.glob("*.py") if digest.SCRIPTS / "sinobench" / module in digest.files(s.stem)
    }


def test_an_edit_runs_again_what_uses_the_code(finished):
    package = finished / "scripts/sinobench"
    for file in (finished / "scripts").rglob("*.py"):
        os.utime(file)
    for module in ("results/tables.py", "merlion/annotation/recode.py", "lid/models/gmm.py"):
        text = (package / module).read_text(encoding="utf-8")
        (package / module).write_text(f"# A remark.\n{text}", encoding="utf-8")
    assert "Nothing to be done" in snakemake(finished, "-n", "all").stdout

    rules = {rule for rule, *_ in planned(finished, "--forceall")}
    for module in ("merlion/annotation/labels.py", "csc/metrics.py"):
        text = (package / module).read_text(encoding="utf-8")
        (package / module).write_text(f"{text}\nADDED = 1\n", encoding="utf-8")
        jobs = planned(finished)
        (package / module).write_text(text, encoding="utf-8")
        # Of several reasons Snakemake names one: a user of the code may also wait for another's output.
        users = users_of(module) & rules
        assert {rule for rule, _, by_params in jobs if by_params} <= users <= {rule for rule, *_ in jobs}
        assert users

    with (package / "lid/models/majority.py").open("a", encoding="utf-8") as majority:
        majority.write("\nADDED = 1\n")
    jobs = [(rule, "model=majority" in wildcards) for rule, wildcards, by_params in planned(finished) if by_params]
    assert set(jobs) == {("predict_lid", True)}
