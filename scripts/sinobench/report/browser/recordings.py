"""The timeline of each recording: what is evaluated, redacted, said and predicted, and when."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.report.browser.items import columns
from sinobench.report.browser.pages import write_call
from sinobench.report.browser.stretches import by_recording

if TYPE_CHECKING:
    import duckdb

_NO_SPANS: Mapping[str, tuple] = {}


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
        ("evaluated", "regions", by_recording(columns(connection, "regions", corpus=corpus), "protocol")),
        ("redacted", "regions", by_recording(columns(connection, "redactions", corpus=corpus), "label")),
    ]
    if turns := by_recording(columns(connection, "ld_turns", corpus=corpus)):
        lanes.append(("reference", "reference", turns))
    for model in models.get("ld", ()):
        predicted = columns(connection, "ld_predictions", corpus=corpus, model=model)
        lanes.append((model, "ld", by_recording(predicted)))
    if models.get("lid"):
        segments = columns(connection, "lid_items", corpus=corpus)
        for model in models["lid"]:
            predicted = columns(connection, "lid_outcomes", corpus=corpus, model=model)["predicted"]
            lanes.append((model, "lid", by_recording(segments | {"language": predicted})))
    recordings = columns(connection, "recordings", corpus=corpus)
    listed = list(zip(recordings["recording"], recordings["duration_ms"], strict=True))
    for number, (recording, duration_ms) in enumerate(listed):
        tracks = [
            {"name": name, "kind": kind, "spans": {k: list(v) for k, v in found.get(recording, _NO_SPANS).items()}}
            for name, kind, found in lanes
        ]
        shown = {"name": recording, "duration_ms": duration_ms, "tracks": tracks} | media.get(recording, otherwise)
        write_call(folder / f"{number}.js", "sinobench.recording", folder.name, number, shown)
    return [list(pair) for pair in listed]
