"""The report in browsers, opened from disk with the network off."""

import shutil
import subprocess

import pytest

from tests.report.material import HOSTILE, KINDS

FIREFOX = shutil.which("firefox-esr")
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}


@pytest.fixture
def opened(driver):
    """opened(report, page): the page with its charts drawn; its console stays empty."""

    def opened(report, page="index.html"):
        from selenium.webdriver.support.ui import WebDriverWait

        driver.get((report / page).resolve().as_uri())
        drawn = "return document.documentElement.dataset.drawn === 'true'"
        WebDriverWait(driver, 60, 0.1).until(lambda browser: browser.execute_script(drawn))
        return driver

    yield opened
    assert not driver.get_log("browser")


def found(driver, selector):
    return driver.find_elements("css selector", selector)


def texts(driver, selector):
    return [element.text for element in found(driver, selector)]


def test_every_page_opens_draws_its_charts_and_has_no_serious_barrier(opened, whole):
    from axe_core_python.selenium import Axe

    pages = ["index.html"]
    for page in pages:  # grows by what is linked
        driver = opened(whole, page)
        links = [link.get_attribute("href") for link in found(driver, "header a")]
        pages += [name for link in links if (name := link.rpartition("/")[2]) not in pages]
        charts = found(driver, "figure.chart")
        assert len(found(driver, "figure.chart svg.marks")) == len(charts), page
        violations = Axe().run(driver, options={"resultTypes": ["violations"]})["violations"]
        serious = [v for v in violations if v["impact"] in ("serious", "critical")]
        assert not serious, (page, [(v["id"], [node["html"] for node in v["nodes"]][:3]) for v in serious])
    assert {path.name for path in whole.glob("*.html")} >= set(pages) >= {"g2p.html", "run.html", "downloads.html"}


def test_a_table_is_filtered_searched_sorted_and_paged(opened, whole):
    driver = opened(whole)
    [table] = [each for each in found(driver, "#headlines .dt-container")]
    rows = "#headlines tbody tr"
    everything = len(found(driver, rows))
    choice = table.find_element("css selector", ".choosers select")
    choice.send_keys("Language diarization")
    tasks = {row.split("\n")[0] for row in texts(driver, f"{rows} td:first-child")}
    assert tasks == {"Language diarization"}
    choice.send_keys("all")
    search = table.find_element("css selector", "input[type=search]")
    search.send_keys("tojyutping")
    assert 0 < len(found(driver, rows)) < everything
    search.clear()
    search.send_keys(" \b")
    heading = next(each for each in found(driver, "#headlines th") if "Items" in each.text)
    heading.click()
    place = texts(driver, "#headlines th").index(heading.text) + 1
    items = [int(text.replace(",", "")) for text in texts(driver, f"{rows} td:nth-child({place})") if text != "–"]
    assert len(items) > 3 and items == sorted(items)
    driver = opened(whole, "run.html")
    first = texts(driver, "#packages tbody tr")
    assert len(first) == 25
    next(each for each in found(driver, "#packages .dt-paging-button") if each.text == "2").click()
    assert not set(first) & set(texts(driver, "#packages tbody tr"))
    labels = [nav.get_attribute("aria-label") for nav in found(driver, "nav")]
    assert len(set(labels)) == len(labels)


def test_the_theme_follows_the_system_and_the_button_and_stays(opened, whole):
    paper = "return getComputedStyle(document.body).backgroundColor"
    driver = opened(whole)
    light = driver.execute_script(paper)
    driver.find_element("id", "theme").send_keys(" ")  # by keyboard
    dark = driver.execute_script(paper)
    assert light == "rgb(255, 255, 255)" != dark
    assert opened(whole, "methods.html").execute_script(paper) == dark
    driver.execute_script("localStorage.clear()")
    scheme = [{"name": "prefers-color-scheme", "value": "dark"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
    assert opened(whole, "methods.html").execute_script(paper) == dark
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_choice_of_a_chart_changes_it(opened, whole):
    driver = opened(whole, "g2p.html")
    [figure] = found(driver, "#confusions figure.chart")
    before = figure.find_element("css selector", "svg.marks").get_attribute("innerHTML")
    figure.find_elements("css selector", "select")[-1].send_keys("onset")
    assert figure.find_element("css selector", "svg.marks").get_attribute("innerHTML") != before


def test_a_chart_is_saved_and_a_signature_copied(opened, whole, tmp_path):
    from selenium.webdriver.support.ui import WebDriverWait

    driver = opened(whole, "g2p.html")
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    starts = {"svg": b"<svg", "png": b"\x89PNG"}
    for kind in starts:
        found(driver, f"figure.chart button[data-as={kind}]")[0].click()
    wait = WebDriverWait(driver, 20, 0.1)
    saved = {
        kind: wait.until(lambda _, kind=kind: next(tmp_path.glob(f"*.{kind}"), None)).read_bytes() for kind in starts
    }
    assert all(saved[kind].startswith(start) for kind, start in starts.items())
    driver = opened(whole, "downloads.html")
    # A page from disk may ask for nothing: what it hands to the clipboard is caught.
    driver.execute_script("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    button = found(driver, "td.copied button.copy")[0]
    signature = button.find_element("xpath", "..").find_element("tag name", "span").text
    driver.execute_script("arguments[0].click()", button)
    wait.until(lambda _: button.text == "Copied" or driver.execute_script("return window.copied"))
    assert driver.execute_script("return window.copied") == signature != ""


def test_a_phone_scrolls_no_page_sideways(opened, whole):
    driver = opened(whole)
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    for page in sorted(path.name for path in whole.glob("*.html")):
        wide = opened(whole, page).execute_script("return document.documentElement.scrollWidth")
        assert wide <= PHONE["width"], page
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("kind", KINDS)
def test_reports_of_other_runs_open(opened, small, kind):
    for page in ("index.html", "csc.html", "corpora.html"):
        driver = opened(small(kind), page)
        assert driver.execute_script("return window.taken === undefined")
    if kind == "hostile names":
        assert HOSTILE in " ".join(texts(driver, "td"))


def test_firefox_opens_it(whole, tmp_path):
    if not FIREFOX:
        pytest.skip("no firefox-esr: install Debian's package of that name")
    picture = tmp_path / "picture.png"
    page = (whole / "index.html").resolve().as_uri()
    command = [
        FIREFOX,
        "--headless",
        "--profile",
        str(tmp_path),
        f"--screenshot={picture}",
        "--window-size=1280,900",
        page,
    ]
    subprocess.run(
        command, capture_output=True, timeout=120, check=True, env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    )
    assert picture.stat().st_size > 20_000  # more than an empty page
