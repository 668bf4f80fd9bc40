"""Collect every table of the run into one DuckDB file."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from sinobench.csc.corpus import blank_separated
from sinobench.failures import Failure, job, parted
from sinobench.results import database, tables

ITEMS = ("g2p_items", "csc_items", "merlion_recordings", "merlion_training")


def main(files: Mapping[str, Sequence[str]], corpora: dict, models: dict, sources: dict, path: str) -> None:
    """Write the database; ``corpora`` and ``models`` come from the catalogs, failed ``runs`` from the notes of them.

    A corpus that could not be read, nor anything of it, stands in no table.
    """
    unread = {failure.corpus: failure for table in ITEMS for failure in parted(files.get(table, ()))[1]}
    corpora = {name: entry for name, entry in corpora.items() if name not in unread}
    reasons = {failure.reason for failure in unread.values()}
    failures = [
        failure
        for failure in parted(path for table in ("runs", "metrics") for path in files.get(table, ()))[1]
        if failure.corpus not in unread and not (failure.corpus not in corpora and failure.reason in reasons)
    ]
    files = {table: parted(paths)[0] for table, paths in files.items()}
    counts, warnings = {}, {}
    for kind in (*ITEMS, "set_aside"):
        for file in files.get(kind, ()):
            table = tables.read(file)
            counts[kind.removesuffix("_items"), Path(file).stem] = table.num_rows
            if kind == "csc_items" and blank_separated(table["input"].to_pylist()):
                warnings[Path(file).stem] = "most characters stand alone between blanks"
    rows = {
        "corpora": [
            corpus_row(name, entry, sources, counts) | {"warning": warnings.get(name)}
            for name, entry in corpora.items()
        ],
        "models": [model_row(name, entry) for name, entry in models.items()],
        "runs": [failed_run(failure) for failure in dict.fromkeys(failures)],
    }
    database.build(files, rows, path)
    print(f"{path}: {len(corpora)} corpora, {len(models)} models")


def corpus_row(name: str, entry: dict, sources: dict, counts: dict) -> dict:
    """The row of ``corpora``; the sha256 of an external corpus is over the list of its files' sha256."""
    external = [file for file in entry["files"].values() if isinstance(file, dict)]
    revision = sha256 = None
    if external:
        source = sources[external[0]["source"]]
        sums = [sources[file["source"]]["files"][file["file"]]["sha256"] for file in external]
        revision = source["commit"]
        sha256 = sums[0] if len(sums) == 1 else hashlib.sha256("".join(sums).encode()).hexdigest()
    return {
        "task": entry["task"],
        "corpus": name,
        "title": entry["title"],
        "role": entry["role"],
        "source": sources[external[0]["source"]]["repository"] if external else ", ".join(entry["files"].values()),
        "revision": revision,
        "sha256": sha256,
        "licence": entry["licence"],
        "n_items": counts.get((count_of(entry), name)),
        "n_set_aside": counts.get(("set_aside", name)),
    }


def count_of(entry: dict) -> str:
    """The table that holds the items of a corpus: recordings or training utterances for MERLIon."""
    if entry["task"] != "merlion":
        return entry["task"]
    return "merlion_training" if entry["role"] == "training" else "merlion_recordings"


def model_row(name: str, entry: dict) -> dict:
    """The row of ``models``; the sha256 is that of a model's own file."""
    target = entry.get("class") or json.dumps(entry["files"], ensure_ascii=False)
    path = Path(target.rpartition(":")[0])
    return {
        "task": entry["task"],
        "model": name,
        "title": entry["title"],
        "kind": entry["kind"],
        "target": target,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest() if path.suffix == ".py" else None,
        "licence": entry["licence"],
    }


def failed_run(failure: Failure) -> dict:
    """The row of ``runs`` for a model without results on a corpus."""
    key = {"task": failure.task, "corpus": failure.corpus, "model": failure.model}
    return key | {"status": "failed", "reason": failure.reason, "log": failure.log}


if __name__ == "__main__":
    with job(snakemake, despite=list(snakemake.input.keys())):
        params = snakemake.params
        files = {table: [paths] if isinstance(paths, str) else list(paths) for table, paths in snakemake.input.items()}
        main(files, params.corpora, params.models, params.sources, snakemake.output[0])
