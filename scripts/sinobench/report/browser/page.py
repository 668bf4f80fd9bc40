"""The page of the error browser."""

from sinobench.report.browser.build import SCRIPTS, build
from sinobench.report.browser.items import QUERIES, evaluated
from sinobench.report.material import Material, Page, Section

FOLDER = "browser"
# The kinds of error that a task's page links to.
KINDS = {
    "g2p": ("onset", "nucleus", "coda", "tone"),
    "csc": ("under-correction", "mis-correction", "over-correction"),
    "lid": ("English taken for Mandarin", "Mandarin taken for English"),
    "ld": ("miss", "false alarm", "confusion"),
}


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


def links(material: Material, task: str) -> Section:
    """Where the browser shows each model's errors of a task by their kind."""
    found = [(corpus, models) for (of, corpus), models in evaluated(material.connection).items() if of == task]
    rows = [(corpus, model) for corpus, models in found for model in models]
    return Section(
        "items", "Item by item", template="items.html", values={"task": task, "rows": rows, "kinds": KINDS[task]}
    )
