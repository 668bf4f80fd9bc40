"""The report: pages that open from disk, made of the database, and of recordings that may be heard.

Each family of pages is a module with a function ``pages`` from the material to a list of pages; ``FAMILIES`` is their
order in the menu.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.report import assets, cells, corpora_models, downloads, making, methods, overview, task_pages
from sinobench.report.browser import page as browser
from sinobench.report.material import Material, Page

if TYPE_CHECKING:
    import duckdb
    import jinja2

TEMPLATES = Path(__file__).parent / "templates/"
FAMILIES: tuple[Callable[[Material], Sequence[Page]], ...] = (
    overview.pages,
    task_pages.pages,
    browser.pages,
    corpora_models.pages,
    methods.pages,
    making.pages,
    downloads.pages,  # of all that the others asked
)


def build(
    connection: duckdb.DuckDBPyConnection,
    folder: str | Path,
    run: str,
    measured: Sequence[str] = (),
    citation: str | Path = "CITATION.cff",
    rendered: str | Path | None = None,
) -> list[Page]:
    """Write all pages and what they load into the folder.

    run: its name, which each page shows; measured: patterns of the files in which Snakemake wrote what jobs took;
    rendered: the folder of what readers may hear.
    """
    folder = Path(folder)
    material = Material(connection, folder, measured, citation, rendered)
    pages = [page for family in FAMILIES for page in family(material)]
    assets.write(folder)
    environment = _environment(material)
    for page in pages:
        template = environment.get_template("page.html")
        material.write(page.path, template.render(page=page, pages=pages, run=run, made=material.ask("run_info").rows))
    return pages


def _environment(material: Material) -> jinja2.Environment:
    """Templates in which every value is escaped."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "shown": lambda row, column: cells.shown(row, column, material.names),
        "order": cells.order,
        "is_number": cells.is_number,
        "badges": cells.badges,
        "corpus_badge": lambda corpus: cells.corpus_badge(material.origins.get(corpus)),
        "percent": cells.percent,
        "interval": cells.interval,
        "model_title": material.names.model,
        "corpus_title": material.names.corpus,
    }
    environment.filters["model_title"] = material.names.model
    return environment
