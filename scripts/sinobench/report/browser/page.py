"""The page of the error browser."""

from sinobench.report.browser.build import SCRIPTS, build
from sinobench.report.browser.items import QUERIES
from sinobench.report.material import Material, Page, Section

FOLDER = "browser"


def pages(material: Material) -> list[Page]:
    """One page, beside a folder with what it loads."""
    index = build(material.connection, material.folder / FOLDER, material.rendered)
    queries = {file.stem: file.read_text(encoding="utf-8").strip() for file in sorted(QUERIES.iterdir())}
    section = Section(
        "items", "Items", template="browser.html", blocks=[], values={"any": bool(index), "queries": queries}
    )
    lead = "Every item of every corpus, what each model made of it, and where models differ."
    scripts = [f"{FOLDER}/{script}" for script in SCRIPTS] if index else []
    return [Page("errors.html", "Errors, item by item", lead, [section], menu="Errors", scripts=scripts)]
