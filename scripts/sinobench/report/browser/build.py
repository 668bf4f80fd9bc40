"""The files of the error browser: an index, items and recordings of each corpus, and the page's own scripts and style."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.report.browser import pages, recordings
from sinobench.report.browser.items import BY_TASK, Items, evaluated
from sinobench.report.browser.stretches import ld

if TYPE_CHECKING:
    import duckdb

ASSETS = Path(__file__).with_name("assets")
SCRIPTS = ("data.js", "differences.js", "timeline.js", "views.js", "browser.js")
_READERS = BY_TASK | {"ld": ld}


def build(connection: duckdb.DuckDBPyConnection, folder: Path, media: Mapping[str, Mapping] | None = None) -> list[dict]:
    """Write the browser's files into a new folder, and its index, which is returned.

    media: by corpus and recording, the files of a recording and notes on them.
    """
    folder.mkdir(parents=True)
    for asset in ASSETS.iterdir():
        shutil.copy(asset, folder)
    titles = dict(connection.execute("SELECT corpus, title FROM corpora").fetchall())
    index, listed = [], {}
    models = evaluated(connection)
    for (task, corpus), names in models.items():
        items = _READERS[task](connection, corpus, names)
        entry = {}
        if "recording" in items.columns:
            if corpus not in listed:
                of_corpus = {each: models.get((each, corpus), []) for each in ("lid", "ld")}
                own = (media or {}).get(corpus, {})
                listed[corpus] = recordings.write(connection, corpus, of_corpus, own, folder / "recordings" / corpus)
            entry["recordings"] = _placed(listed[corpus], items)
        index.append(pages.write(items, folder / "items" / f"{task}-{corpus}") | {"title": titles[corpus]} | entry)
    pages.write_call(folder / "index.js", "sinobench.index", index)
    return index


def _placed(listed: list[list], items: Items) -> list[list]:
    """Name, duration, first item and number of items of each recording; takes the recordings out of the items."""
    counts: dict[str, int] = {}
    for recording in items.columns.pop("recording"):
        counts[recording] = counts.get(recording, 0) + 1
    first, placed = 0, []
    for name, duration_ms in listed:
        placed.append([name, duration_ms, first, counts.get(name, 0)])
        first += counts.get(name, 0)
    return placed
