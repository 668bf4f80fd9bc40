"""Small databases, as runs of other kinds than the default one leave them."""

from pathlib import Path

from sinobench.report import site
from sinobench.results import database

CORPUS = {"task": "csc", "corpus": "pairs", "title": "Pairs", "role": "scored", "licence": "CC0-1.0", "n_items": 40}
MODEL = {"task": "csc", "model": "mine", "title": "Mine", "kind": "python", "licence": "MIT"}
HOSTILE = "<script>window.taken = true</script><img src=x onerror='window.taken = true'>"


def metrics(model: str, f1: float, corpus: str = "pairs") -> list[dict]:
    """The rows of a spelling model under both protocols."""
    key = {"task": "csc", "corpus": corpus, "model": model, "subset": "all", "metric": "correction_f1"}
    counts = {"n_items": 40, "n_units": 40, "coverage": 1.0, "resamples": 100, "level": 0.95, "seed": 1}
    bounds = {"ci_low": f1 - 0.1, "ci_high": f1 + 0.1, "interval": "percentile"}
    return [key | counts | bounds | {"protocol": protocol, "value": f1} for protocol in ("strict", "official")]


def rank_of(model: str, rank: int = 1) -> dict:
    """The row of a model's rank by the headline."""
    key = {"task": "csc", "corpus": "pairs", "protocol": "strict", "subset": "all", "metric": "correction_f1"}
    return key | {"model": model, "rank": rank, "letters": "a"}


def run_of(model: str) -> dict:
    """The row of a model that ran."""
    took = {"load_s": 0.1, "predict_s": 0.5, "n_texts": 40, "items_per_s": 80.0, "peak_memory_mb": 99.0, "threads": 1}
    return {"task": "csc", "corpus": "pairs", "model": model, "status": "done", "host": "here"} | took


# What a served model was asked, among what its run took.
ASKED = {
    "n_asked": 30,
    "n_cached": 10,
    "n_aligned": 3,
    "n_unchanged": 2,
    "n_refused": 1,
    "prompt_tokens": 4321,
    "completion_tokens": 987,
    "cost": 0.0123,
    "currency": "EUR",
}
KINDS = {
    "one model on one corpus": {
        "corpora": [CORPUS],
        "models": [MODEL],
        "metrics": metrics("mine", 0.5),
        "ranks": [rank_of("mine")],
        "runs": [run_of("mine") | ASKED],
    },
    "a model that learnt of the corpus": {
        "corpora": [CORPUS | {"sources": ["a book"]}],
        "models": [MODEL | {"training_data": ["a book", "other books"]}, MODEL | {"model": "other", "title": "Other"}],
        "metrics": [
            *metrics("mine", 0.5),
            *metrics("other", 0.4),
            *(row | {"subset": "overlap=none", "value": 0.3125, "n_items": 11} for row in metrics("mine", 0.3)),
        ],
        "ranks": [rank_of("mine"), rank_of("other", 2)],
        "runs": [run_of("mine"), run_of("other")],
    },
    "one model measured alone": {
        "corpora": [CORPUS],
        "models": [MODEL],
        "metrics": metrics("mine", 0.5),
        "ranks": [rank_of("mine")],
        "runs": [run_of("mine")],
        "identities": [{"task": "csc", "corpus": "pairs", "model": "mine", "sha256": "1"}],
        "speeds": [
            {"task": "csc", "corpus": "pairs", "model": "mine", "sha256": "1", "threads": 1, "host": "here"}
            | {"repeat": i, "n_items": 20, "predict_s": predict_s}
            for i, predict_s in enumerate((0.1, 0.16, 0.2), 1)
        ],
    },
    "published rows alone": {
        "corpora": [CORPUS | {"role": "submission"}],
        "published": [
            {"task": "csc", "corpus": "pairs", "model": "theirs", "protocol": "official", "metric": name, "value": 0.4}
            for name in ("correction_f1", "detection_f1")
        ],
    },
    "a flagged model": {
        "corpora": [CORPUS],
        "models": [
            MODEL | {"trust": "flagged", "trust_reason": "a backdoor", "trust_source": "a report"},
            MODEL | {"model": "hub", "title": "Hub", "trust": "pinned"},
            MODEL | {"model": "own", "title": "Own", "trust": "unverified"},
        ],
        "metrics": [*metrics("mine", 0.5), *metrics("hub", 0.4), *metrics("own", 0.3)],
        "ranks": [rank_of("mine"), rank_of("hub", 2), rank_of("own", 3)],
        "runs": [run_of("mine")],
        "inspections": [
            {"task": "csc", "model": "hub", "file": "vocab.txt", "kind": "text", "verdict": "accepted", "note": "odd"}
        ],
        "published": [
            {"task": "csc", "corpus": "pairs", "model": "theirs", "metric": "correction_f1", "value": 0.4}
            | {"trust": "flagged"}
        ],
    },
    "a model that failed": {
        "corpora": [CORPUS],
        "models": [MODEL, MODEL | {"model": "other", "title": "Other"}],
        "metrics": metrics("mine", 0.5),
        "ranks": [rank_of("mine")],
        "runs": [
            run_of("mine"),
            {
                "task": "csc",
                "corpus": "pairs",
                "model": "other",
                "status": "failed",
                "reason": "MemoryError in other.py",
            },
        ],
    },
    "speech that is not as it was made": {
        "corpora": [
            {"task": "merlion", "corpus": origin, "title": f"Talk {origin[:3]}", "role": "scored", "origin": origin}
            for origin in ("synthetic", "joined", "other")
        ],
    },
    "nothing": {},
    "hostile names": {
        "corpora": [CORPUS | {"title": HOSTILE, "source": HOSTILE}],
        "models": [MODEL | {"title": HOSTILE, "target": HOSTILE}, MODEL | {"model": HOSTILE, "title": HOSTILE}],
        "metrics": metrics("mine", 0.5) + metrics(HOSTILE, 0.4),
        "ranks": [rank_of("mine"), rank_of(HOSTILE, 2)],
        "runs": [
            run_of("mine") | {"versions": HOSTILE},
            {"task": "csc", "corpus": "pairs", "model": HOSTILE, "status": "failed", "reason": HOSTILE},
        ],
    },
}


def report(folder: Path, kind: str, path: Path, citation: str | Path) -> Path:
    """The folder of the report of a kind's database, which lies at ``path``."""
    with database.reading(path) as connection:
        site.build(connection, folder / "report", kind, citation=citation)
    return folder / "report"
