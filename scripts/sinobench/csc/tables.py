"""The tables of Chinese spelling check."""

from sinobench.results.tables import Table

_KEY = {"corpus": "string", "model": "string", "item_id": "string"}

ITEMS = Table(
    "csc_items",
    {
        "corpus": "string",
        "item_id": "string",
        "line": "int32",
        "input": "string",
        "golds": "list<string>",
        "declared_errors": "int32",
    },
)
INPUTS = Table(
    "csc_inputs", {"corpus": "string", "item_id": "string", "line": "int32", "input": "string"}, in_database=False
)
OVERLAPS = Table(
    "csc_overlaps",
    {
        "corpus": "string",
        "item_id": "string",
        "training_corpus": "string",
        "in_file": "string",
        "in_fit": "string",
    },
)
PREDICTIONS = Table("csc_predictions", {**_KEY, "input": "string", "prediction": "string"})
OUTCOMES = Table(
    "csc_outcomes",
    {
        **_KEY,
        "input": "string",
        "gold": "string",
        "prediction": "string",
        "n_gold_edits": "int32",
        "n_predicted_edits": "int32",
        "n_detected": "int32",
        "n_corrected": "int32",
        "covered": "bool",
        "in_official": "bool",
        "official_note": "string",
        "problem": "string",
    },
)
EDITS = Table(
    "csc_edits",
    {
        **_KEY,
        "position": "int32",
        "source": "string",
        "gold": "string",
        "prediction": "string",
        "outcome": "string",
        "error_type": "string",
        "seed_type": "string",
    },
)
