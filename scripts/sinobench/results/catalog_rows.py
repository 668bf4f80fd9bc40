"""The rows of the database that no job writes: corpora and models by their catalogs, and the runs that failed."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from sinobench.csc.corpus import alone_between_blanks, blank_separated
from sinobench.failures import Failure, parted
from sinobench.hashes import of_file, of_rows
from sinobench.results import tables
from sinobench.results.registry import TABLES

# The tables that hold what the corpora hold: texts, recordings, or training utterances.
ITEMS = (*(name for name in TABLES if name.endswith("_items")), "merlion_recordings", "merlion_training")


def collected(
    files: Mapping[str, Sequence[str]], corpora: Mapping, models: Mapping, sources: Mapping
) -> tuple[dict[str, list[str]], dict[str, list[dict]]]:
    """The files by table without notes of failures, and rows of ``corpora``, ``models`` and ``runs``.

    A corpus that could not be read, nor anything of it, stands in no table.
    """
    unread = {failure.corpus: failure for table in ITEMS for failure in parted(files.get(table, ()))[1]}
    read = {name: entry for name, entry in corpora.items() if name not in unread}
    reasons = {failure.reason for failure in unread.values()}
    failures = [
        failure
        for failure in parted(path for table in ("runs", "metrics") for path in files.get(table, ()))[1]
        if failure.corpus not in unread and not (failure.corpus not in read and failure.reason in reasons)
    ]
    made = {table: parted(paths)[0] for table, paths in files.items()}
    counts, warnings = _counted(made)
    rows = {
        "corpora": [
            corpus_row(name, entry, sources, counts) | {"warning": warnings.get(name)} for name, entry in read.items()
        ],
        "models": [model_row(name, entry) for name, entry in models.items()],
        "runs": [failed_run(failure) for failure in dict.fromkeys(failures)],
    }
    return made, rows


def corpus_row(name: str, entry: Mapping, sources: Mapping, counts: Mapping) -> dict:
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
        "origin": entry.get("origin"),
        "confidential": entry.get("confidential") if entry["role"] != "training" else None,
        "source": sources[external[0]["source"]]["repository"] if external else ", ".join(entry["files"].values()),
        "revision": revision,
        "sha256": sha256,
        "licence": entry["licence"],
        "n_items": counts.get((_items_of(entry), name)),
        "n_set_aside": counts.get(("set_aside", name)),
        "sources": entry["sources"] or list(dict.fromkeys(file["source"] for file in external)),
    }


def model_row(name: str, entry: Mapping) -> dict:
    """The row of ``models``; the sha256 is that of a model's own file, or over the list of its files' sha256."""
    target = entry.get("class") or json.dumps(entry["files"], ensure_ascii=False)
    if entry["kind"] == "chat":
        target = f"{entry['chat_model']} at {entry['endpoint']}"
    path, sha256 = Path(target.rpartition(":")[0]), None
    if path.suffix == ".py":
        sha256 = of_file(path)
    elif entry["kind"] == "hub":
        sha256 = of_rows([file, facts["sha256"]] for file, facts in entry["files"].items())
    return {
        "task": entry["task"],
        "model": name,
        "title": entry["title"],
        "kind": entry["kind"],
        "target": target,
        "source": entry.get("hub"),
        "revision": entry.get("revision"),
        "sha256": sha256,
        **{key: entry[key] for key in ("licence", "trust", "trust_reason", "trust_source")},
        "training_data": entry["training_data"],
    }


def failed_run(failure: Failure) -> dict:
    """The row of ``runs`` for a model without results on a corpus."""
    key = {"task": failure.task, "corpus": failure.corpus, "model": failure.model}
    return key | {"status": "failed", "reason": failure.reason, "log": failure.log}


def _counted(files: Mapping[str, Sequence[str]]) -> tuple[dict[tuple[str, str], int], dict[str, str]]:
    """The number of rows by table and corpus, and warnings by corpus."""
    counts, warnings = {}, {}
    for kind in (*ITEMS, "set_aside"):
        for file in files.get(kind, ()):
            corpus, is_text = Path(file).stem, kind == "csc_items"
            parts = [
                (len(part), alone_between_blanks(part["input"].to_pylist()) if is_text else (0, 0))
                for part in tables.batches(file, ["input" if is_text else "corpus"], tables.ROWS_IN_HAND)
            ]
            counts[kind, corpus] = sum(n for n, _ in parts)
            if blank_separated(alone for _, alone in parts):
                warnings[corpus] = "most characters stand alone between blanks"
    return counts, warnings


def _items_of(entry: Mapping) -> str:
    if entry["task"] != "merlion":
        return f"{entry['task']}_items"
    return "merlion_training" if entry["role"] == "training" else "merlion_recordings"
