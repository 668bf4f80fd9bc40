"""What jobs of text hold of a corpus: some tens of bytes an item, where its texts alone would be hundreds."""

import runpy
import tracemalloc
from pathlib import Path

import pyarrow as pa
import pytest

from sinobench.results import tables
from sinobench.results.statistics.resampling import Settings
from sinobench.samples.sized import csc, g2p

SCRIPTS = Path(__file__).parents[1] / "scripts"
FEW = Settings(resamples=100)
SIZES = {"csc": (2_000, 8_000), "g2p": (4_000, 16_000)}
MOST_BYTES = {"csc": 130, "g2p": 130}
ENTRIES = {
    "csc": {"columns": ["input", "gold"], "delimiter": "\t", "lenient": False, "remove_blanks": False},
    "g2p": {},
}


def jobs(task, folder, size):
    """The jobs of two files of predictions on a sized corpus, in their order, each as a function."""
    maker = {"csc": csc, "g2p": g2p}[task]
    entry = ENTRIES[task] | maker.make(folder, size, 0)
    main = {name: runpy.run_path(str(SCRIPTS / f"{name}_{task}.py"))["main"] for name in WRITTEN}
    models = list(maker.MODELS)

    def path(table, model=""):
        return str(folder / f"{table}{model}.parquet")

    yield "ingest", lambda: main["ingest"]("c", entry, entry["files"], path("items"), path("inputs"), path("aside"))
    for model in models:
        given = [{"kind": "predictions"}, [str(folder / f"{model}.txt")]]
        rest = {"inputs": path("inputs"), "predictions": path("predictions", model), "runs": path("runs"), "threads": 1}
        rest |= {"fitted": None, "answers": ""} if task == "csc" else {}
        yield "predict", lambda given=given, rest=rest, model=model: main["predict"]("c", model, *given, **rest)
        others = {"outcomes": path("outcomes"), "metrics": path("metrics", model)}
        others |= (
            {"ignored": "", "overlaps": [], "edits": path("edits")}
            if task == "csc"
            else {"confusions": path("confusions")}
        )
        others |= {"items": path("items"), "predictions": path("predictions", model)}
        yield "score", lambda others=others, model=model: main["score"]("c", model, FEW, **others)
    files = [[path(table, model) for model in models] for table in ("predictions", "metrics")]
    outputs = [path(table) for table in ("comparisons", "ranks", "detectable")]
    overlaps = [[]] if task == "csc" else []
    yield "compare", lambda: main["compare"]("c", models, FEW, path("items"), *files, *overlaps, *outputs)


WRITTEN = ("ingest", "predict", "score", "compare")


def peaks(task, folder, size):
    """Bytes that each kind of job held at most."""
    found = dict.fromkeys(WRITTEN, 0)
    for name, job in jobs(task, folder, size):
        tracemalloc.start()
        job()
        found[name] = max(found[name], tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    return found


@pytest.mark.parametrize("task", SIZES)
def test_jobs_hold_some_tens_of_bytes_an_item(task, tmp_path, monkeypatch):
    for name in ("ROWS_AT_ONCE", "ROWS_IN_HAND"):
        monkeypatch.setattr(tables, name, 250)
    monkeypatch.setattr("sinobench.text._BYTES_AT_ONCE", 2**14)
    small, large = SIZES[task]
    peaks(task, tmp_path / "first", small)  # loads what stays
    one, other = (peaks(task, tmp_path / str(size), size) for size in (small, large))
    held = {name: (other[name] - one[name]) / (large - small) for name in WRITTEN}
    assert all(bytes_an_item < MOST_BYTES[task] for bytes_an_item in held.values()), held
    assert pa.total_allocated_bytes() < 10**7
