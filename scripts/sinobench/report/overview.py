"""The first page: who leads where, by how much, and what can't be told apart."""

from sinobench.report.material import Column, Material, Page, Section, Table

TASKS = {
    "g2p": "Cantonese G2P",
    "csc": "Chinese spelling check",
    "lid": "Language identification",
    "ld": "Language diarization",
}


def pages(material: Material) -> list[Page]:
    """The overview."""
    leaders = Table(
        "Leaderboards",
        material.ask("leaders"),
        [
            Column("task", "Task", "task", chosen=True),
            Column("corpus", "Corpus", "corpus", chosen=True),
            Column("rank", "Rank", "count"),
            Column("model", "Model", "model"),
            Column("metric", "Metric"),
            Column("value", "Value, %", "percent"),
            Column("ci", "Interval, %", "interval"),
            Column("official_value", "Official, %", "percent"),
            Column("n_items", "Items", "count"),
        ],
        absent="No model has been scored on a corpus of this run.",
    )
    section = Section("leaders", "Who leads where", blocks=[leaders])
    return [Page("index.html", "Results", "", [section], menu="Overview")]
