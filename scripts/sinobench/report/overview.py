"""The first page: who leads where, by how much, and what can't be told apart."""

from __future__ import annotations

from sinobench.report.material import Column, Material, Page, Section, Table
from sinobench.report.tasks import TASKS, Task


def pages(material: Material) -> list[Page]:
    """The overview."""
    lead = "The best model of each corpus by the headline of its task, in the strict protocol, with its interval."
    sections = [
        Section(
            "leaders",
            "Who leads where",
            template="leaders.html",
            values={"groups": [(task, leads(material, task)) for task in TASKS.values()]},
            queries=[material.ask("leads")],
        ),
        Section("headlines", "All models", blocks=[_headlines(material)]),
    ]
    failures = material.ask("failures")
    if failures:
        columns = [*_KEY, Column("failure", "Why")]
        sections.insert(1, Section("failures", "What failed", blocks=[Table("Without results", failures, columns, "")]))
    return [Page("index.html", "Which model is better, and by how much?", lead, sections, menu="Overview")]


_KEY = [
    Column("task", "Task", "task", chosen=True),
    Column("corpus", "Corpus", "corpus", chosen=True),
    Column("model", "Model", "model"),
]


def leads(material: Material, task: Task) -> list[dict]:
    """What is said of the task's corpora: a row of ``leads`` each."""
    return [row for row in material.ask("leads").rows if row["task"] == task.id]


def _headlines(material: Material) -> Table:
    return Table(
        "The headline of every model",
        material.ask("headlines"),
        [
            *_KEY,
            Column("rank", "Rank", "count"),
            Column("value", "Strict, %", "percent"),
            Column("ci", "Interval, %", "interval"),
            Column("official_value", "Official, %", "percent"),
            Column("n_items", "Items", "count"),
            Column("coverage", "Coverage, %", "coverage"),
            Column("", "Remarks", "remarks"),
        ],
        absent="No model has been scored on a corpus of this run, and nothing is published on one.",
    )
