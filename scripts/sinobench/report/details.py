"""What a task's page shows beside its leaderboard: pictures and tables of where the models differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sinobench.report import charts
from sinobench.report.material import Chart, Column, Material, Section, Table

MODEL = [Column("corpus", "Corpus", "corpus", chosen=True), Column("model", "Model", "model", chosen=True)]


def _chart(
    material: Material,
    task: str,
    query: str,
    title: str,
    spec: Callable[[Sequence[dict]], dict],
    description: str,
    **others: object,
) -> Chart:
    result = material.ask(query)
    values = [row | {name: of(row) for name, of in others.items()} for row in material.titled(result)]
    absent = "No model of this run has results for it."
    drawn = charts.finished(spec(values), values, material.models(task)) if values else {}
    return Chart(title, result, values, drawn, description, absent)


def _g2p(material: Material) -> list[Section]:
    confused = _chart(
        material,
        "g2p",
        "confusions",
        "Confusions by part of the syllable",
        charts.confusions,
        "What a model gave in the place of what was expected, and how often; what is right is left blank.",
        Part=lambda row: row["component"],
    )
    columns = [
        *MODEL,
        Column("component", "Part", chosen=True),
        Column("expected", "Expected"),
        Column("predicted", "Given"),
        Column("n", "Times", "count"),
        Column("share", "Of the expected, %", "percent"),
    ]
    table = Table("The most frequent confusions", material.ask("frequent_confusions"), columns, "No model was wrong.")
    return [Section("confusions", "Tone, onset, nucleus, coda", blocks=[confused, table])]


def _csc(material: Material) -> list[Section]:
    return [
        Section(
            "errors",
            "Recall and false alarms by type of error",
            blocks=[
                _chart(
                    material,
                    "csc",
                    "recall_by_error_type",
                    "Errors corrected, by how input and gold differ",
                    charts.recall_by_error_type,
                    "The share of errors of a type that a model corrected, with its interval.",
                ),
                _chart(
                    material,
                    "csc",
                    "edits_by_outcome",
                    "What became of errors, and false alarms",
                    charts.edits_by_outcome,
                    "Corrected, given another wrong character (mis-correction), left as they are (under-correction); "
                    "and right characters that were changed (over-correction), which are the false alarms.",
                ),
            ],
        )
    ]


def _lid(material: Material) -> list[Section]:
    return [
        Section(
            "detection",
            "Detection and calibration",
            blocks=[
                _chart(
                    material,
                    "lid",
                    "det",
                    "Detection error trade-off",
                    charts.det,
                    "Misses against false alarms at every threshold; the EER is where a curve crosses the diagonal.",
                ),
                _chart(
                    material,
                    "lid",
                    "reliability",
                    "Reliability",
                    charts.reliability,
                    "How often English is spoken where a model gives it a probability, both languages counted as "
                    "equally frequent; a model that says what is so stays on the diagonal.",
                ),
            ],
        ),
        Section(
            "duration",
            "By duration",
            blocks=[
                _chart(
                    material,
                    "lid",
                    "by_duration",
                    "Accuracy by the duration of a segment",
                    charts.by_duration,
                    "A dot is a model's accuracy on segments of a duration, the line its interval.",
                )
            ],
        ),
    ]


def _ld(material: Material) -> list[Section]:
    columns = [
        *MODEL,
        Column("tolerance_s", "Within, s", "number"),
        Column("n_reference", "Switches", "count"),
        Column("n_predicted", "Predicted", "count"),
        Column("n_matched", "Matched", "count"),
        Column("recall", "Recall, %", "percent"),
        Column("precision", "Precision, %", "percent"),
    ]
    near = _chart(
        material,
        "ld",
        "near_switches",
        "LDER near a language switch, and elsewhere",
        charts.near_switches,
        "A dot is the LDER within a distance of a switch of the reference, a ring that of all else.",
    )
    return [
        Section(
            "parts",
            "Miss, false alarm and confusion",
            blocks=[
                _chart(
                    material,
                    "ld",
                    "lder_parts",
                    "The parts of the LDER",
                    charts.lder_parts,
                    "Speech missed, speech where there is none, and the wrong language, as shares of the spoken time.",
                    Collar=lambda row: f"{row['collar_ms']} ms",
                ),
                _chart(
                    material,
                    "ld",
                    "lder_by_collar",
                    "LDER by collar",
                    charts.lder_by_collar,
                    "How much of the error lies near the bounds of the reference, which the collar leaves out.",
                ),
            ],
        ),
        Section(
            "switches",
            "Language switches",
            blocks=[
                near,
                Table("Switches found", material.ask("switches"), columns, "No model of this run has results for it."),
            ],
        ),
    ]


BY_TASK: dict[str, Callable[[Material], list[Section]]] = {"g2p": _g2p, "csc": _csc, "lid": _lid, "ld": _ld}
