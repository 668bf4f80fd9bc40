"""How each figure is computed, and where the official protocol and the strict one part."""

from __future__ import annotations

from sinobench.report.material import Column, Material, Page, Section, Table
from sinobench.report.tasks import TASKS, Task

_QUIRKS = {
    "g2p": """The official script drops an item whose output ends before it; strict counts it as wrong, as it does every
        output that is absent or no Jyutping. An item has four components, onset, nucleus, coda and tone; of several
        labels the one counts that the output meets best.""",
    "csc": """The official script rounds precision and recall before it takes their F1, scores a repeated sentence once,
        and has no figures for a model one of whose outputs is not as long as its text. Strict computes with what it
        counted, scores every row, and lays an output of another length on its text.""",
    "lid": """The official script makes two trials of each segment, one a language, and pools them under one threshold.
        Strict has one trial a segment, with the English score less the Mandarin one.""",
    "ld": """The official script scores redacted stretches too, and gives an overlap of the languages to Mandarin.
        Strict scores the evaluated regions less redactions and overlaps.""",
}


def pages(material: Material) -> list[Page]:
    """One page."""
    settings = Table(
        "Settings",
        material.ask("settings"),
        [
            Column("level", "Level", "number"),
            Column("resamples", "Resamples", "count"),
            Column("seed", "Seed", "text"),
            Column("interval", "Kind", chosen=True),
            Column("n", "Figures", "count"),
        ],
        "No figure of this run has an interval.",
    )
    sections = [
        Section("protocols", "Two protocols", template="protocols.html"),
        Section("intervals", "Intervals", template="intervals.html", blocks=[settings]),
        *(
            Section(task.id, task.title, [_QUIRKS[task.id]], [_metrics(material, task), _apart(material, task)])
            for task in TASKS.values()
        ),
    ]
    lead = "What each figure means, how it is computed, and how sure it is."
    return [Page("methods.html", "Methods", lead, sections, menu="Methods")]


def _metrics(material: Material, task: Task) -> Table:
    columns = [
        Column("metric", "Metric", "metric"),
        Column("definition", "Definition", "long"),
        Column("strict", "Strict", "long"),
        Column("official", "Official", "long"),
        Column("unit", "Unit"),
        Column("direction", "Better"),
        Column("range", "Range"),
        Column("source", "Source", "long"),
    ]
    return Table(
        f"{task.title}: how each figure is computed",
        material.ask("metric_info", task=task.id),
        columns,
        "No metric is described.",
    )


def _apart(material: Material, task: Task) -> Table:
    columns = [
        Column("corpus", "Corpus", "corpus", chosen=True),
        Column("model", "Model", "model"),
        Column("metric", "Metric", "metric"),
        Column("strict", "Strict, %", "percent"),
        Column("official", "Official, %", "percent"),
        Column("difference", "Official less strict, points", "percent"),
    ]
    absent = "Where a figure has both protocols in this run, they agree to a hundredth of a point."
    return Table(
        f"{task.title}: where the protocols part in this run", material.ask("protocols", task=task.id), columns, absent
    )
