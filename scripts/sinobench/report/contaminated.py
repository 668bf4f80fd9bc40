"""What models learnt of the items that they are scored on, and their figures without these."""

from __future__ import annotations

from sinobench.report.material import Column, Material, Section, Table

_KEY = [
    Column("task", "Task", "task", chosen=True),
    Column("corpus", "Corpus", "corpus", chosen=True),
    Column("model", "Model", "model"),
]
_ABOUT = (
    "A model that learnt of the items that it is scored on is better there than elsewhere, and is marked contaminated. "
    "Declared is that it learnt from the corpus or from what that was taken from; measured is what training corpora "
    "and scored corpora share. A model without a row here is not proven clean.",
)


def section(material: Material) -> Section:
    """Overlaps, and the headline without them where some items are left."""
    overlaps = Table(
        "What models learnt of these items",
        material.ask("contamination"),
        [
            *_KEY,
            Column("kind", "Kind", chosen=True),
            Column("source", "Source", "code"),
            Column("n_items", "Items touched", "count"),
            Column("share", "Of all, %", "percent"),
            Column("n_left_out", "Left out of the fit", "count"),
        ],
        "No model declares that it learnt from a corpus, and training corpora share nothing with scored ones.",
    )
    without = Table(
        "The headline without the overlap",
        material.ask("without_overlap"),
        [
            *_KEY,
            Column("protocol", "Protocol", chosen=True),
            Column("value_all", "All items, %", "percent"),
            Column("value", "Without, %", "percent"),
            Column("ci", "Interval, %", "interval"),
            Column("n_items_all", "Items", "count"),
            Column("n_items", "Left", "count"),
        ],
        "No corpus has items that are touched beside others that are not.",
    )
    return Section("contamination", "Contamination", _ABOUT, [overlaps, without])
