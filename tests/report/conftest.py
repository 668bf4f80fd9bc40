"""Reports to open: of the default run, and of small databases."""

import pytest

from tests.conftest import ROOT
from tests.report import material


@pytest.fixture(scope="session")
def whole(finished_run):
    """The report of the default run."""
    return finished_run / "results/report"


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """small(kind): the report of a small database, made once."""
    made = {}

    def small(kind):
        if kind not in made:
            made[kind] = material.report(tmp_path_factory.mktemp("report"), kind, ROOT / "CITATION.cff")
        return made[kind]

    return small
