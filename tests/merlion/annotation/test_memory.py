"""What jobs of annotation hold of a segment are numbers and references: an object would be over a thousand bytes."""

import runpy
import tracemalloc
from pathlib import Path

import pyarrow.parquet as pq

from sinobench.lid import trials
from sinobench.merlion.annotation import plain
from sinobench.samples.sized import merlion

SCRIPTS = Path(__file__).parents[3] / "scripts"
MOST_BYTES = 500


def peaks(folder, size):
    """Bytes that each job held at most, and the number of segments."""
    files = merlion.make(folder, size, 0)["files"]
    names = "recordings raw_grains segments redactions regions set_aside"
    read = {name: str(folder / f"{name}.parquet") for name in names.split()}
    recoded = {name: str(folder / f"recoded-{name}") for name in ("grains", "segments", "redaction_labels", "labels")}
    jobs = {
        "ingest_merlion": {"role": "scored", "files": files, "on_bad_recording": "fail", "output": read},
        "recode_merlion": {name: read[name] for name in ("raw_grains", "segments", "redactions")}
        | {"status": "Development", "lenient": False, "output": recoded},
        "ingest_lid": {"segments": recoded["segments"], "trials": str(folder / "t"), "inputs": str(folder / "i")},
        "ingest_ld": {"segments": recoded["segments"], "turns": str(folder / "turns")},
    }
    found = {}
    for name, given in jobs.items():
        main = runpy.run_path(str(SCRIPTS / f"{name}.py"))["main"]
        tracemalloc.start()
        main(corpus="c", **given)
        found[name] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return found, pq.read_metadata(recoded["segments"]).num_rows


def test_jobs_hold_columns(tmp_path, monkeypatch):
    monkeypatch.setattr(plain, "_CHARACTERS_AT_ONCE", 50_000)
    monkeypatch.setattr(trials, "ROWS_AT_ONCE", 500)
    (few, n_few), (many, n_many) = peaks(tmp_path / "few", 6), peaks(tmp_path / "many", 18)
    assert n_many - n_few > 3000
    for name, most in many.items():
        assert most - few[name] < MOST_BYTES * (n_many - n_few), (name, (most - few[name]) / (n_many - n_few))
