"""What readers take along: the rows of every table and picture as CSV, signatures, and what to cite."""

from __future__ import annotations

from pathlib import Path

from sinobench.report.material import Column, Material, Page, Section, Table

_SIGNATURES = (
    "A signature says in one line what a figure is of and how it was computed. It goes into a paper beside the figure; "
    "sinobench verify computes the figure again and says which part differs."
)


def pages(material: Material) -> list[Page]:
    """One page, the last, of all that the others asked."""
    signatures = Table(
        "Signatures of the headlines",
        material.ask("signatures"),
        [
            Column("task", "Task", "task", chosen=True),
            Column("corpus", "Corpus", "corpus", chosen=True),
            Column("model", "Model", "model"),
            Column("value", "Strict, %", "percent"),
            Column("signature", "Signature", "copied"),
        ],
        "No figure of this run has a signature.",
    )
    answers = sorted(material.answers(), key=lambda result: result.csv)
    sections = [
        Section("tables", "Rows of every table and picture", template="downloads.html", values={"answers": answers}),
        Section("pictures", "Pictures", ("Each picture is saved as SVG or PNG with the buttons below it.",)),
        Section("signatures", "Signatures", (_SIGNATURES,), [signatures]),
        Section("cite", "Cite", template="cite.html", values={"entries": entries(material.citation)}),
    ]
    lead = "For your own tables, pictures and papers."
    return [Page("downloads.html", "Downloads", lead, sections, menu="Downloads")]


def entries(path: str | Path) -> list[str]:
    """The BibTeX entries of a CITATION.cff: of the work itself, then of its references."""
    import yaml

    work = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    return [bibtex(entry) for entry in (work, *work.get("references", []))]


def bibtex(entry: dict) -> str:
    """One entry of a CITATION.cff as BibTeX."""
    authors = " and ".join(_author(author) for author in entry["authors"])
    year = str(entry.get("year") or str(entry.get("date-released", ""))[:4])
    fields = {
        "title": f"{{{entry['title']}}}",
        "author": authors,
        "year": year,
        "booktitle": entry.get("collection-title", ""),
        "journal": entry.get("journal", ""),
        "volume": entry.get("volume", ""),
        "number": entry.get("issue", ""),
        "pages": f"{entry['start']}--{entry['end']}" if "start" in entry else "",
        "publisher": entry.get("publisher", {}).get("name", ""),
        "version": str(entry.get("version", "")),
        "doi": entry.get("doi", ""),
        "url": entry.get("url") or entry.get("repository-code", ""),
        "note": f"commit {entry['commit']}" if entry.get("commit") else "",
    }
    kinds = {"article": "article", "conference-paper": "inproceedings", "software": "software"}
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kinds.get(entry.get('type'), 'misc')}{{{_key(entry)},", *lines, "}"])


def _author(author: dict) -> str:
    if "name" in author:
        return f"{{{author['name']}}}"
    return f"{author['family-names']}, {author['given-names']}"


def _key(entry: dict) -> str:
    words = [word for word in "".join(c if c.isalnum() else " " for c in entry["title"].lower()).split()]
    return "-".join(words[:4])
