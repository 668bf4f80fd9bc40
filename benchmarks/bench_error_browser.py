"""The error browser of 200,000 sentences and three models: time to write it, and for Chromium to filter and search it.

Needs Debian's chromium and chromium-driver.
"""

import shutil
import tempfile
import time
from pathlib import Path

import duckdb
from selenium import webdriver

from sinobench.report.browser.build import SCRIPTS, build
from sinobench.results import database

N = 200_000
PAGE = '<!doctype html><meta charset="utf-8"><div class="browser"><div id="browser"></div></div>'
ITEMS = """INSERT INTO csc_items BY NAME SELECT 'big' AS corpus, lpad(i::VARCHAR, 6, '0') AS item_id, i AS line,
    '这是第' || i || '句话，他的行李大重了，一个人根本提不动，请你帮我一下好吗' AS input,
    ['这是第' || i || '句话，他的行李太重了，一个人根本提不动，请你帮我一下好吗'] AS golds FROM range(?) AS t(i)"""
OUTCOMES = """INSERT INTO csc_outcomes BY NAME SELECT corpus, $model AS model, item_id, input, golds[1] AS gold,
    if(line % $every = 0, input, golds[1]) AS prediction, true AS covered FROM csc_items"""
EDITS = """INSERT INTO csc_edits BY NAME SELECT corpus, $model AS model, item_id, 'under-correction' AS outcome,
    ['near-pinyin', 'similar-shape'][1 + line % 2] AS error_type FROM csc_items WHERE line % $every = 0"""
# Choose by the address, and wait for the line that counts what is found.
CHOOSE = """const [address, count, done] = arguments, started = performance.now();
location.hash = address;
const look = () => {
  if (document.querySelector(".status")?.textContent.startsWith(count)) done(performance.now() - started);
  else setTimeout(look, 2);
};
look();"""
CHOICES = {
    "another model": ("model=b", "40,000 of"),
    "a kind of error": ("model=a&kind=under-correction: near-pinyin", "33,334 of"),
    "two models that differ": ("model=a&other=b&show=differ", "79,999 of"),
    "a text, first, which reads all": ("model=a&show=all&text=第199999句", "1 of"),
    "another text": ("model=a&show=all&text=第1999", "111 of"),
}


def main() -> None:
    """Print seconds to write, milliseconds to choose, and the memory of the page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database.build({}, {"corpora": [{"task": "csc", "corpus": "big", "title": "Big"}]}, folder / "a.duckdb")
        with duckdb.connect(folder / "a.duckdb") as connection:
            connection.execute(ITEMS, [N])
            for model, every in (("a", 3), ("b", 5), ("c", 7)):
                for query in (OUTCOMES, EDITS):
                    connection.execute(query, {"model": model, "every": every})
            started = time.process_time()
            build(connection, folder / "browser")
            size_mb = sum(path.stat().st_size for path in (folder / "browser").rglob("*.js")) / 1e6
            print(f"written in {time.process_time() - started:.1f} s of a core's time, {size_mb:.0f} MB")
        scripts = "".join(f'<script src="browser/{script}"></script>' for script in SCRIPTS)
        (folder / "errors.html").write_text(PAGE + scripts, encoding="utf-8")
        measure((folder / "errors.html").as_uri())


def measure(page: str) -> None:
    """Print what the page takes."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--enable-precise-memory-info"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        driver.set_script_timeout(60)
        driver.get(page)
        driver.execute_async_script(CHOOSE, "model=c", "28,572 of")
        for what, choice in CHOICES.items():
            print(f"{what}: {driver.execute_async_script(CHOOSE, *choice):.0f} ms")
        driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        print(f"{driver.execute_script('return performance.memory.usedJSHeapSize') / 1e6:.0f} MB of JavaScript memory")
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
