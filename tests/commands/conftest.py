"""The command as a user runs it, in the process of the tests."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

from sinobench import cli


@pytest.fixture
def run(capsys, monkeypatch):
    """run(*arguments, given=""): exit status, output and errors of the command, ``given`` on its standard input."""

    def run(*arguments, given=""):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(given.encode())))
        status = cli.main([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return run


def answer(run, *arguments, **given):
    status, out, errors = run(*arguments, "--format", "json", **given)
    assert status == 0, errors
    return json.loads(out)


def refusal(run, *arguments, **given):
    status, out, errors = run(*arguments, **given)
    assert status == 2 and out == ""
    return errors.splitlines()[-1]
