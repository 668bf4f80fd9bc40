"""Reports to open: of the default run, and of small databases."""

import shutil

import pytest

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
def small(tmp_path_factory):
    """small(kind): the report of a small database, made once."""
    made = {}

    def small(kind):
        if kind not in made:
            made[kind] = material.report(tmp_path_factory.mktemp("report"), kind, ROOT / "CITATION.cff")
        return made[kind]

    return small
