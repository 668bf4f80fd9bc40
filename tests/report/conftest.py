"""Reports to open: of the default run, and of small databases."""

import os
import shutil

import pytest
from filelock import FileLock

from tests.conftest import ROOT
from tests.report import material

CHROMIUM, DRIVER = (shutil.which(name) for name in ("chromium", "chromedriver"))
# Nothing listens on the port of the proxy, through which all requests but those of files go.
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--proxy-server=127.0.0.1:9")


@pytest.fixture(scope="session")
def driver():
    if not (CHROMIUM and DRIVER):
        pytest.skip("no chromium with chromedriver: install Debian's packages chromium and chromium-driver")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, "--window-size=1280,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    browser.set_script_timeout(60)
    yield browser
    browser.quit()


@pytest.fixture(scope="session")
def whole(finished_run):
    """The report of the default run."""
    return finished_run / "results/report"


@pytest.fixture(scope="session")
def small(database_of, tmp_path_factory):
    """small(kind): the report of a small database, made once for all workers."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base

    def small(kind):
        folder = shared / "small reports" / kind
        folder.parent.mkdir(exist_ok=True)
        with FileLock(f"{folder}.lock"):
            if not folder.exists():
                begun = tmp_path_factory.mktemp("report")
                path = database_of(material.KINDS[kind], begun / "sinobench.duckdb")
                material.report(begun, kind, path, ROOT / "CITATION.cff")
                begun.rename(folder)
        return folder / "report"

    return small
