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
        Section("ties", "What can't be told apart", _TIES, [_ties(material)]),
        Section("headlines", "All models", blocks=[_headlines(material)]),
        Section("failures", "What failed", blocks=[_failures(material)]),
    ]
    return [Page("index.html", "Which model is better, and by how much?", lead, sections, menu="Overview")]


_TIES = (
    "Two models on the same items differ by no more than chance explains where p, corrected after Holm for all pairs "
    "of a corpus, is above the level. How large a difference of this pair the corpus would show stands beside it.",
)
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
            Column("tied_with", "Tied with", "models"),
            Column("value", "Strict, %", "percent"),
            Column("ci", "Interval, %", "interval"),
            Column("official_value", "Official, %", "percent"),
            Column("n_items", "Items", "count"),
            Column("coverage", "Coverage, %", "coverage"),
            Column("", "Remarks", "remarks"),
        ],
        absent="No model has been scored on a corpus of this run, and nothing is published on one.",
    )


def _ties(material: Material) -> Table:
    columns = [
        *_KEY,
        Column("other", "Other model", "model"),
        Column("difference", "Difference, points", "percent"),
        Column("ci", "Interval, points", "interval"),
        Column("p_holm", "p after Holm", "number"),
        Column("detectable", "Detectable, points", "percent"),
        Column("n_units", "Units", "count"),
    ]
    absent = "Every pair of models that could be compared differs by more than chance, or there is no pair."
    return Table("Pairs that are tied in their headline", material.ask("not_told_apart"), columns, absent)


def _failures(material: Material) -> Table:
    columns = [*_KEY, Column("failure", "Why", "long")]
    return Table("Models without results", material.ask("failures"), columns, "No model failed.")
