"""What Snakemake is spared: pandas without a param, a second look at functions, a rate where cores limit, a lock."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.project import snakemake, start

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
ABSENT = """
from sinobench import planning

planning.spare_lock()

rule one:
    output: "one"
    shell: "touch begun"
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


def test_a_run_that_is_told_to_end_while_it_looks_for_an_output_ends(tmp_path):
    (tmp_path / "Snakefile").write_text(ABSENT, encoding="utf-8")
    (tmp_path / "scripts").symlink_to(Path(__file__).parents[1] / "scripts")
    run = start(tmp_path, "--latency-wait", "4")
    try:
        end = time.monotonic() + 60
        while not (tmp_path / "begun").exists():
            assert time.monotonic() < end
            time.sleep(0.02)
        time.sleep(1)  # the job is over
        run.send_signal(signal.SIGTERM)
        assert run.wait(30) == 1
    finally:
        run.kill()
