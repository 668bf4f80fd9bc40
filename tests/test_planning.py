"""What Snakemake is spared: pandas without a param of it, a second look at functions, a rate where cores limit jobs."""

import subprocess
import sys

from tests.project import snakemake

WORKFLOW = """
import threading
from sinobench import planning

planning.spare_rate()

rule all:
    input: "a", "b", "c"
    localrule: True

rule one:
    output: "{name}"
    shell: "touch {output}"

onsuccess:
    print(sum(isinstance(each, threading.Timer) for each in threading.enumerate()), "timers to wait for")
"""
PARAMS = """
import sys
from snakemake.persistence import PersistenceBase
from sinobench import planning

planning.spare_pandas()
own = type("Own", (), dict(_serialize_param_builtin=PersistenceBase._serialize_param_builtin))()
assert PersistenceBase._serialize_param_pandas(own, {"a": [1]}) == "{'a': [1]}"
assert "pandas" not in sys.modules
import pandas
one, other = (PersistenceBase._serialize_param_pandas(own, pandas.Series([each])) for each in (1, 2))
assert one != other and isinstance(one, str)
"""

SIGNATURES = """
from functools import partial
from snakemake import common, rules
from sinobench import planning

asked, usual = [], common.get_function_params
common.get_function_params = lambda function: asked.append(function) or usual(function)
planning.spare_signatures()

def of(wildcards, input):
    pass

for _ in range(3):
    assert list(rules.get_function_params(of)) == ["wildcards", "input"]
    assert list(common.get_function_params(partial(of, 1))) == ["input"]
assert asked.count(of) == 1 and len(asked) == 4
"""


def test_a_run_on_this_machine_waits_for_no_timer_at_its_end(tmp_path):
    (tmp_path / "Snakefile").write_text(WORKFLOW, encoding="utf-8")
    done = snakemake(tmp_path, "--cores", "1", "all")
    assert done.returncode == 0, done.stderr
    assert "\n0 timers to wait for\n" in "\n" + done.stdout


def test_params_of_pandas_count_where_it_is_loaded_and_it_is_loaded_for_no_others():
    done = subprocess.run([sys.executable, "-c", PARAMS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_parameters_of_a_function_are_looked_at_once():
    done = subprocess.run([sys.executable, "-c", SIGNATURES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
