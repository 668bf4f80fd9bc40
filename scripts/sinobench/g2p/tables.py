"""The tables of Cantonese G2P. A null component of a syllable is written ``∅``."""

from sinobench.results.tables import Table

_KEY = {"corpus": "string", "model": "string", "item_id": "string"}

ITEMS = Table(
    "g2p_items",
    {
        "corpus": "string",
        "item_id": "string",
        "unit": "string",  # what is resampled: the sentence, or the poem
        "line": "int32",
        "register": "string",
        "text": "string",
        "position": "int32",
        "character": "string",
        "labels": "list<string>",
        "pos": "string",
        "n_readings": "int32",  # known to ToJyutping's dictionary, 0 where it lacks the character
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
        "strict_errors": "int8",  # of the four components
        "official_correct": "bool",
        "official_errors": "int8",  # null where official drops the item
        "official_dropped": "bool",
        "problem": "string",  # why the output is no usable prediction
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
