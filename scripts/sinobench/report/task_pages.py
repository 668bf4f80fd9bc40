"""A page a task: who leads, all measures under both protocols, and pictures of where the models differ."""

from __future__ import annotations

from collections.abc import Sequence

from sinobench.report import charts
from sinobench.report.browser.page import links
from sinobench.report.details import BY_TASK, MODEL
from sinobench.report.material import Chart, Column, Material, Page, Section, Table
from sinobench.report.overview import leads
from sinobench.report.tasks import TASKS, Task, measure_title
from sinobench.results.boards import OFFICIAL, STRICT


def pages(material: Material) -> list[Page]:
    """One a task."""
    return [_page(material, task) for task in TASKS.values()]


def _page(material: Material, task: Task) -> Page:
    answer = Section(
        "leaders",
        "Who leads",
        template="leaders.html",
        values={"groups": [(task, leads(material, task))]},
        queries=[material.ask("leads")],
    )
    sections = [
        answer,
        Section("quality", "Quality", blocks=[_quality(material, task)]),
        Section("leaderboard", "Leaderboard", blocks=[_board(material, task)]),
        Section("differences", "Differences", blocks=_differences(material, task)),
        *BY_TASK[task.id](material),
        links(material, task.id),
        Section("cost", "Run time and training", blocks=_cost(material, task)),
    ]
    return Page(task.path, task.title, task.question, sections, menu=task.menu)


def _quality(material: Material, task: Task) -> Chart:
    result = material.ask("headline", task=task.id)
    values = material.titled(result)
    return Chart(
        f"{task.headline} with its interval",
        result,
        values,
        charts.finished(
            charts.quality(values, task.headline, task.board.by.better == "higher"), values, material.models(task.id)
        ),
        "A dot is a model's figure in the strict protocol, the line its interval, a ring the official figure; "
        "published figures are official ones.",
        absent=_no_scores(task),
    )


def _board(material: Material, task: Task) -> Table:
    board = task.board
    by = board.headline
    others = [metric for metric in board.of(STRICT) if metric != by]
    columns = [
        *MODEL,
        Column("rank", "Rank", "count"),
        Column("tied_with", "Tied with", "models"),
        Column(by, f"{measure_title(by)}, %", "percent"),
        Column("ci", "Interval, %", "interval"),
        Column(f"official_{by}", f"Official {measure_title(by)}, %", "percent"),
        *(Column(metric, f"{measure_title(metric)}{_unit(metric)}", _kind(metric)) for metric in others),
        *(
            Column(f"official_{metric}", f"Official {measure_title(metric)}, %", "percent")
            for metric in board.of(OFFICIAL)
            if metric != by
        ),
        Column("n_items", board.counted.capitalize(), "count"),
        *(Column(name, measure_title(name), "count") for name in board.counts),
        Column("coverage", "Coverage, %", "coverage"),
        Column("", "Remarks", "remarks"),
    ]
    return Table("All measures, both protocols", material.ask(f"leaderboard_{task.id}"), columns, _no_scores(task))


def _differences(material: Material, task: Task) -> list[Table]:
    key = [
        Column("corpus", "Corpus", "corpus", chosen=True),
        Column("metric", "Metric", "metric", chosen=True),
        Column("protocol", "Protocol", chosen=True),
    ]
    pairs = [
        *key,
        Column("model", "Model", "model"),
        Column("other", "Less", "model"),
        Column("difference", "Difference, points", "percent"),
        Column("ci", "Interval, points", "interval"),
        Column("p", "p", "number"),
        Column("p_holm", "p after Holm", "number"),
        Column("detectable", "Detectable, points", "percent"),
        Column("n_units", "Units", "count"),
    ]
    shown = [
        *key,
        Column("n_units", "Units", "count"),
        Column("paired", "On the same items, points", "percent"),
        Column("unpaired", "Of a published figure, points", "percent"),
    ]
    absent = "Fewer than two models of this run have figures on one corpus."
    return [
        Table("Pairs of models", material.ask("comparisons", task=task.id), pairs, absent),
        Table("What each corpus could show", material.ask("detectable", task=task.id), shown, _no_scores(task)),
    ]


def _unit(metric: str) -> str:
    return "" if _kind(metric) == "number" else ", %"


def _kind(metric: str) -> str:
    """Cllr is in bits, all other measures are fractions."""
    return "number" if metric.endswith("cllr") else "percent"


def _cost(material: Material, task: Task) -> list[Table | Chart]:
    took = material.ask("speed", task=task.id)
    values = material.titled(took)
    of_speech = task.id in ("lid", "ld")
    measure = "times_real_time" if of_speech else "items_per_s"
    title = "times real time" if of_speech else "texts a second"
    items = "Segments" if task.id == "lid" else "Recordings" if of_speech else "Texts"
    columns = [
        *MODEL,
        Column("measured", "Measured", chosen=True),
        Column("items_per_s", f"{items} a second", "number"),
        *([Column("times_real_time", "Times real time", "number")] if of_speech else []),
        Column(f"{measure}_min", "Slowest", "number"),
        Column(f"{measure}_max", "Fastest", "number"),
        Column("n_items", items, "count"),
        Column("load_s", "Load in the run, s", "number"),
        Column("predict_s", "Predict in the run, s", "number"),
        Column("peak_memory_mb", "Memory, MB", "count"),
        Column("threads", "Threads", "count"),
        Column("host", "Machine"),
    ]
    shown = [row for row in values if row["value"] is not None and row[measure]]
    quality = (task.headline, task.board.by.better == "higher")
    return [
        Chart(
            "Speed against quality",
            took,
            shown,
            charts.finished(charts.speed(shown, measure, title, *quality), shown, material.models(task.id)),
            f"A point is a model on a corpus: to the right is faster. {_how_measured(shown)}",
            absent=_no_scores(task),
        ),
        Table("Run time", took, columns, _no_scores(task)),
        Table(
            "Fitted on",
            material.ask("fitted_on", task=task.id),
            [
                Column("model", "Model", "model"),
                Column("corpus", "Training corpus", "corpus"),
                Column("n_pairs", "Rows", "count"),
                Column("n_removed_scored", "Left out: in a scored corpus", "count"),
                Column("n_set_aside", "Set aside", "count"),
            ],
            "No model of this task was fitted in this run.",
        ),
        Table(
            "Cost of training",
            material.ask("fits", task=task.id),
            [
                Column("model", "Model", "model"),
                Column("corpora", "Training corpora", "list"),
                Column("hours", "Hours of speech", "number"),
                Column("fit_s", "Fitting, s", "number"),
                Column("peak_memory_mb", "Memory, MB", "count"),
                Column("host", "Machine"),
            ],
            "No model of this task was fitted in this run.",
        ),
        *([_asked(material)] if task.id == "csc" else []),
    ]


def _asked(material: Material) -> Table:
    columns = [
        *MODEL,
        Column("n_asked", "Texts asked", "count"),
        Column("n_cached", "Answers kept before", "count"),
        Column("n_aligned", "Of another length, aligned", "count"),
        Column("n_unchanged", "Of another length, left", "count"),
        Column("n_refused", "Refused or empty", "count"),
        Column("prompt_tokens", "Tokens asked", "count"),
        Column("completion_tokens", "Tokens answered", "count"),
        Column("cost", "Cost", "number"),
        Column("currency", "Currency"),
    ]
    return Table("What served models were asked", material.ask("asked"), columns, "This run asked no served model.")


def _how_measured(rows: Sequence[dict]) -> str:
    alone = (
        "The model predicted a sample of the corpus again and again, with no other job beside it: the point is the "
        "median, the line goes from the slowest to the fastest time."
    )
    once = (
        "It was measured once, on the whole corpus; jobs of a run share the machine, so times differ from run to run. "
        "The target speed measures models alone, and repeatedly."
    )
    ways = {row["n_repeats"] is not None for row in rows}
    if ways == {True, False}:
        return f"With a line: {alone[0].lower()}{alone[1:]} Without one: {once[0].lower()}{once[1:]}"
    return alone if True in ways else once


def _no_scores(task: Task) -> str:
    return f"No model of this run has been scored in {task.title}: none is configured with a corpus, or all failed."
