"""The tables of Cantonese G2P. A null component of a syllable is written ``∅``."""

from sinobench.results.tables import Table

_KEY = {"corpus": "string", "model": "string", "item_id": "string"}

ITEMS = Table(
    "g2p_items",
    {
        "corpus": "string",
        "item_id": "string",
        "unit": "string",
        "line": "int32",
        "register": "string",
        "text": "string",
        "position": "int32",
        "character": "string",
        "labels": "list<string>",
        "pos": "string",
        "n_readings": "int32",
    },
)
INPUTS = Table(
    "g2p_inputs", {"corpus": "string", "item_id": "string", "text": "string", "position": "int32"}, in_database=False
)
PREDICTIONS = Table("g2p_predictions", {**_KEY, "prediction": "string", "output_length": "int32"})
OUTCOMES = Table(
    "g2p_outcomes",
    {
        **_KEY,
        "prediction": "string",
        "nearest_label": "string",
        "strict_correct": "bool",
        "strict_errors": "int8",
        "official_correct": "bool",
        "official_errors": "int8",
        "official_dropped": "bool",
        "problem": "string",
    },
)
CONFUSIONS = Table(
    "g2p_confusions",
    {
        "corpus": "string",
        "model": "string",
        "component": "string",
        "expected": "string",
        "predicted": "string",
        "n": "int64",
    },
)
