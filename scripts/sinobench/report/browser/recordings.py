"""The timeline of each recording: what is evaluated, redacted, said and predicted, and when."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.report.browser.items import columns
from sinobench.report.browser.pages import write_call
from sinobench.report.browser.stretches import Lane

if TYPE_CHECKING:
    import duckdb


def write(
    connection: duckdb.DuckDBPyConnection,
    corpus: str,
    models: Mapping[str, list[str]],
    media: Mapping[str, Mapping],
    otherwise: Mapping,
    folder: Path,
) -> list[list]:
    """Write a file a recording into the folder, and name and duration in ms of each.

    models: those with outcomes, by task; media: files and notes of a recording, by its name, otherwise of others.
    """
    lanes = [
        ("evaluated", "regions", Lane(connection, "regions", "protocol", corpus=corpus)),
        ("redacted", "regions", Lane(connection, "redactions", "label", corpus=corpus)),
    ]
    if turns := Lane(connection, "ld_turns", corpus=corpus):
        lanes.append(("reference", "reference", turns))
    for task, query, key in (("ld", "ld_predictions", "language"), ("lid", "lid_outcomes", "predicted")):
        for model in models.get(task, ()):
            lanes.append((model, task, Lane(connection, query, key, corpus=corpus, model=model)))
    recordings = columns(connection, "recordings", corpus=corpus)
    listed = list(zip(recordings["recording"], recordings["duration_ms"], strict=True))
    for number, (recording, duration_ms) in enumerate(listed):
        tracks = [
            {"name": name, "kind": kind, "spans": {k: list(v) for k, v in found.of(recording).items()}}
            for name, kind, found in lanes
        ]
        shown = {"name": recording, "duration_ms": duration_ms, "tracks": tracks} | media.get(recording, otherwise)
        write_call(folder / f"{number}.js", "sinobench.recording", folder.name, number, shown)
    return [list(pair) for pair in listed]
