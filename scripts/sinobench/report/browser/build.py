"""The files of the error browser: index, items and recordings of each corpus, scripts and style of the page."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.report.browser import media, pages, recordings
from sinobench.report.browser.items import BY_TASK, Items, columns, evaluated, pairs, withheld
from sinobench.report.browser.stretches import ld

if TYPE_CHECKING:
    import duckdb

ASSETS = Path(__file__).parent / "assets/"
SCRIPTS = ("data.js", "differences.js", "timeline.js", "views.js", "browser.js")
_READERS = BY_TASK | {"ld": ld}
_SPEECH = "without sound: the corpus's entry says that its speech is confidential"


def build(connection: duckdb.DuckDBPyConnection, folder: Path, rendered: str | Path | None = None) -> list[dict]:
    """Write the browser's files into a new folder, and its index, which is returned.

    rendered: the folder that ``media.render`` made.
    """
    folder.mkdir(parents=True)
    for asset in ASSETS.iterdir():
        shutil.copy(asset, folder)
    corpora = columns(connection, "corpora")
    titles = dict(zip(corpora["corpus"], corpora["title"], strict=True))
    private = dict(zip(corpora["corpus"], corpora["confidential"], strict=True))
    shown = media.listed(rendered) if rendered else {}
    index, listed = [], {}
    models, predicted = evaluated(connection), pairs(connection, "predicted")

    def timelines(corpus: str) -> list[list]:
        if corpus not in listed:
            own = folder / "recordings" / corpus
            if corpus in shown and Path(rendered, corpus).is_dir():
                shutil.copytree(Path(rendered, corpus), own)
            of_corpus = {each: (models | predicted).get((each, corpus), []) for each in ("lid", "ld")}
            note = {"note": _SPEECH} if private[corpus] == "speech" else {}
            listed[corpus] = recordings.write(connection, corpus, of_corpus, shown.get(corpus, {}), note, own)
        return listed[corpus]

    for (task, corpus), names in models.items():
        about = {"title": titles[corpus]}
        if private[corpus] == "everything":
            index.append(about | withheld(connection, task, corpus, names))
            continue
        counts: Counter[str] = Counter()
        items = _counted(_READERS[task](connection, corpus, names), counts)
        written = pages.write(items, folder / "items" / f"{task}-{corpus}")
        if task in ("lid", "ld"):
            about["recordings"] = _placed(timelines(corpus), counts)
        index.append(about | written)
    for (task, corpus), names in predicted.items():
        about = {"task": task, "corpus": corpus, "title": titles[corpus], "models": names, "n": 0}
        index.append(about | {"recordings": timelines(corpus)})
    pages.write_call(folder / "index.js", "sinobench.index", index)
    return index


def _counted(parts: Iterable[Items], counts: Counter[str]) -> Iterator[Items]:
    """The items without their recordings, which are counted."""
    for items in parts:
        counts.update(items.columns.pop("recording", ()))
        yield items


def _placed(listed: list[list], counts: Mapping[str, int]) -> list[list]:
    """Name, duration, first item and number of items of each recording."""
    first, placed = 0, []
    for name, duration_ms in listed:
        placed.append([name, duration_ms, first, counts[name]])
        first += counts[name]
    return placed
