"""What stops a run before its rules are read is one line, in this project's words."""

import re
from pathlib import Path

import pytest

from sinobench import isolation
from sinobench.beginning import check_cores, check_rules
from sinobench.errors import InputError
from tests.project import snakemake


@pytest.fixture
def project(tmp_path) -> Path:
    for name in ("profiles", "scripts"):
        (tmp_path / name).symlink_to(Path(__file__).parents[1] / name)
    (tmp_path / "Snakefile").write_text("rule all:\n    output: touch('all')\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"csc: [1\ng2p: 2\n", "own.yaml, line 2: expected ',' or ']', but got ':'"),
        (b"- seed\n", "own.yaml: expected a mapping of keys to values"),
        (b"", "own.yaml: expected a mapping of keys to values"),
        ("# 设置\nseed: 1\n".encode("gbk"), "own.yaml: can't be read ('utf-8' codec"),
        (None, "own.yaml: can't be read ([Errno 2] No such file or directory"),
    ],
)
def test_a_config_file_that_can_not_be_read(project, content, said):
    if content is not None:
        (project / "own.yaml").write_bytes(content)
    result = snakemake(project, "--configfile", "own.yaml")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(f"Error: {said}") and "Traceback" not in result.stderr


def test_a_setting_without_a_value(project):
    last = snakemake(project, "all", "--config", "seed").stderr.splitlines()[-1]
    assert last.startswith("Error: ") and "name=value" in last


@pytest.mark.parametrize("of", ["a package", "a rule"])
def test_errors_in_rules(project, of):
    wrong = "import absent_package" if of == "a package" else "raise ValueError('of a rule')"
    (project / "Snakefile").write_text(f"{wrong}\n", encoding="utf-8")
    said = snakemake(project, "all").stderr
    if of == "a package":
        assert "Error: the package 'absent_package' is not installed. `make all`" in said.splitlines()[-1]
    else:  # Snakemake names the line
        assert "ValueError in file" in said and "line 1" in said


def test_cores():
    check_cores(None), check_cores(1)
    for n in (0, -1):
        with pytest.raises(InputError, match=f"--cores is {n}; expected 1 or more"):
            check_cores(n)


def test_rules_that_options_name():
    known = ["predict_csc", "predict_g2p"]
    check_rules({"--set-threads": ["predict_csc"], "--set-resources": {}}, known)
    message = "--set-threads names 'predict_cs', which is no rule; did you mean 'predict_csc'?"
    with pytest.raises(InputError, match=re.escape(message)):
        check_rules({"--set-threads": {"predict_g2p": 1, "predict_cs": 1}}, known)


@pytest.mark.skipif(bool(isolation.unavailable()), reason=f"needs bubblewrap: {isolation.unavailable()}")
def test_a_user_without_a_name(project):
    nameless = ("bwrap", "--dev-bind", "/", "/", "--unshare-user", "--uid", "54321")
    unnamed = dict.fromkeys(("LOGNAME", "USER", "LNAME", "USERNAME"))
    result = snakemake(project, "all", prefix=nameless, **unnamed)
    assert result.returncode == 0 and (project / "all").exists(), result.stderr
