"""The corpora and models of the run: where they are from, what was learnt from what, what was set aside and why."""

from __future__ import annotations

from sinobench.report import contaminated
from sinobench.report.material import Column, Material, Page, Section, Table

_TASK = Column("task", "Task", "task", chosen=True)
_CORPUS = Column("corpus", "Corpus", "corpus")
_MODEL = Column("model", "Model", "model")


def pages(material: Material) -> list[Page]:
    """One page."""
    corpora = Table(
        "Corpora",
        material.ask("corpora"),
        [
            _TASK,
            _CORPUS,
            Column("corpus", "Id", "code"),
            Column("role", "Role", chosen=True),
            Column("n_items", "Items", "count"),
            Column("n_set_aside", "Set aside", "count"),
            Column("source", "Source", "long"),
            Column("sources", "Taken from", "long"),
            Column("revision", "Revision", "code"),
            Column("licence", "Licence", "long"),
            Column("warning", "Warning", "long"),
        ],
        "The run has no corpus.",
    )
    models = Table(
        "Models",
        material.ask("models"),
        [
            _TASK,
            _MODEL,
            Column("model", "Id", "code"),
            Column("kind", "Kind"),
            Column("target", "Class, files or repository", "code"),
            Column("licence", "Licence"),
            Column("trust", "Trust", chosen=True),
            Column("trust_reason", "Why", "long"),
            Column("trust_source", "Who says so", "long"),
            Column("training_data", "Learnt from", "long"),
        ],
        "The run has no model.",
    )
    training = Table(
        "Training data",
        material.ask("training_sets"),
        [
            _TASK,
            _MODEL,
            Column("corpus", "Training corpus", "corpus"),
            Column("n_pairs", "Rows taken", "count"),
            Column("n_removed_scored", "Left out: in a scored corpus", "count"),
            Column("n_set_aside", "Set aside", "count"),
        ],
        "No model was fitted in this run.",
    )
    inspections = Table(
        "Files of hub models",
        material.ask("inspections"),
        [
            _TASK,
            _MODEL,
            Column("file", "File", "code"),
            Column("kind", "Kind"),
            Column("size_bytes", "Bytes", "count"),
            Column("verdict", "Verdict", chosen=True),
            Column("reason", "Refused because it", "long"),
            Column("note", "Worth knowing", "long"),
            Column("sha256", "SHA-256", "code"),
        ],
        "No model of this run comes from a hub.",
    )
    set_aside = Table(
        "Rows set aside",
        material.ask("set_aside"),
        [
            _TASK,
            _CORPUS,
            Column("n_set_aside", "Rows", "count"),
            Column("reason", "Reason", "code"),
            Column("meaning", "Which is", "long"),
        ],
        "Nothing was set aside.",
    )
    published = Table(
        "Published figures",
        material.ask("published"),
        [
            _TASK,
            _CORPUS,
            Column("model", "System", "model"),
            Column("metric", "Metric", "metric"),
            Column("value", "Official, %", "percent"),
            Column("n_items", "Items", "count"),
            Column("source", "Source", "long"),
            Column("note", "Note", "long"),
        ],
        "No figures are published on the corpora of this run.",
    )
    aside = (
        "What a reader could not use and may leave is set aside with a reason, counted, and no part of any score.",
    )
    sections = [
        Section("corpora", "Corpora", blocks=[corpora]),
        Section("models", "Models", blocks=[models, inspections, training]),
        contaminated.section(material),
        Section("set-aside", "Set aside", aside, [set_aside]),
        Section(
            "published", "Published", ("They are official figures of others, marked and never ranked.",), [published]
        ),
    ]
    lead = "What was evaluated on what, under which licence, and what models learnt from."
    return [Page("corpora.html", "Corpora and models", lead, sections, menu="Corpora, models")]
