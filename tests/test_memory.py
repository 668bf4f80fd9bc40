"""What jobs of text hold of a corpus grows with its items by far less than their texts take, over a thousand bytes."""

import runpy
import tracemalloc
from pathlib import Path

import pytest

from sinobench.results import tables
from sinobench.results.statistics.resampling import Settings
from sinobench.samples.sized import csc, g2p

SCRIPTS = Path(__file__).parents[1] / "scripts"
FEW = Settings(resamples=100)
SIZES = (2_000, 6_000)
MOST_BYTES = 400
JOBS = {"csc": ("ingest", "predict", "score", "compare"), "g2p": ("ingest", "predict", "compare")}
ENTRIES = {
    "csc": {"columns": ["input", "gold"], "delimiter": "\t", "lenient": False, "remove_blanks": False},
    "g2p": {},
}


def jobs(task, folder, size):
    """The jobs of a file of predictions on a sized corpus, in their order, each as a function."""
    maker = {"csc": csc, "g2p": g2p}[task]
    entry = ENTRIES[task] | maker.make(folder, size, 0)
    main = {job: runpy.run_path(str(SCRIPTS / f"{job}_{task}.py"))["main"] for job in JOBS[task]}
    [model, *_] = maker.MODELS
    names = "items inputs aside predictions runs outcomes edits metrics comparisons ranks detectable"
    path = {name: str(folder / f"{name}.parquet") for name in names.split()}
    of_csc = task == "csc"
    yield "ingest", lambda: main["ingest"]("c", entry, entry["files"], path["items"], path["inputs"], path["aside"])
    given = {name: path[name] for name in ("inputs", "predictions", "runs")} | {"threads": 1}
    given |= {"entry": {"kind": "predictions"}, "files": [str(folder / f"{model}.txt")]}
    given |= {"fitted": None, "answers": ""} if of_csc else {}
    yield "predict", lambda: main["predict"]("c", model, **given)
    if not of_csc:
        table = folder / "table.tsv"
        write_table(path["inputs"], folder / f"{model}.txt", table)
        yield "predict of a table", lambda: main["predict"]("c", model, **given | {"files": [str(table)]})
    if of_csc:
        scored = {name: path[name] for name in ("items", "predictions", "outcomes", "edits", "metrics")}
        yield "score", lambda: main["score"]("c", model, FEW, "", **scored, overlaps=[])
    else:  # most of what scoring takes is that of each character's figures
        tables.write(tables.METRICS, [{"subset": "all"}], path["metrics"])
    files = [[path[name]] for name in ("predictions", "metrics")] + [[]] * of_csc
    outputs = [path[name] for name in ("comparisons", "ranks", "detectable")]
    yield "compare", lambda: main["compare"]("c", [model], FEW, path["items"], *files, *outputs)


def write_table(inputs, syllables, table):
    """A file of syllables as a table, the last item first."""
    rows = zip(tables.read(inputs).to_pylist(), syllables.read_text().split("\n"), strict=False)
    lines = [f"{row['text']}\t{row['position']}\t{syllable}" for row, syllable in rows]
    table.write_text("\n".join(["text\tposition\tprediction", *lines[::-1]]) + "\n")


def peaks(task, folder, size):
    """Bytes that each job held at most."""
    found = {}
    for name, job in jobs(task, folder, size):
        tracemalloc.start()
        job()
        found[name] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return found


@pytest.mark.parametrize("task", JOBS)
def test_jobs_hold_no_text_of_the_items_before(task, tmp_path, monkeypatch):
    for name in ("ROWS_AT_ONCE", "ROWS_IN_HAND"):
        monkeypatch.setattr(tables, name, 250)
    for name in ("text._BYTES_AT_ONCE", "score._UNITS_AT_ONCE", "results.statistics.resampling._ROWS_AT_ONCE"):
        monkeypatch.setattr(f"sinobench.{name}", 2**10)
    for _, job in jobs(task, tmp_path / "first", 300):  # loads what stays
        job()
    small, large = SIZES
    one, other = (peaks(task, tmp_path / str(size), size) for size in SIZES)
    held = {name: (other[name] - one[name]) / (large - small) for name in one}
    assert all(bytes_an_item < MOST_BYTES for bytes_an_item in held.values()), held
