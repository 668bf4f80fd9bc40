"""The tables of language identification."""

from sinobench.results.tables import Table

# The trials of Task 1, in the order of the labels or timestamps file.
SEGMENTS = Table(
    "lid_segments",
    {
        "corpus": "string",
        "segment_id": "string",
        "recording": "string",
        "pair": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "language": "string",
    },
)
INPUTS = Table(
    "lid_inputs",
    {"corpus": "string", "segment_id": "string", "start_ms": "int64", "end_ms": "int64"},
    in_database=False,
)
# + and - half the calibrated log-likelihood ratio, natural logarithm.
SCORES = Table(
    "lid_scores",
    {
        "corpus": "string",
        "model": "string",
        "segment_id": "string",
        "english_score": "double",
        "mandarin_score": "double",
    },
)
OUTCOMES = Table(
    "lid_outcomes",
    {
        "corpus": "string",
        "model": "string",
        "segment_id": "string",
        "recording": "string",
        "pair": "string",
        "duration_ms": "int64",
        "language": "string",
        "predicted": "string",
        "correct": "bool",
        "score": "double",
    },
)
RECORDINGS = Table(
    "lid_recordings",
    {
        "corpus": "string",
        "model": "string",
        "recording": "string",
        "pair": "string",
        "n_english": "int32",
        "n_mandarin": "int32",
        "accuracy": "double",
        "english_recall": "double",
        "mandarin_recall": "double",
        "balanced_accuracy": "double",
    },
)
# Detection error trade-off, of the convex hull too.
DET = Table(
    "lid_det",
    {
        "corpus": "string",
        "model": "string",
        "protocol": "string",
        "threshold": "double",
        "false_alarm": "double",
        "miss": "double",
        "on_hull": "bool",
    },
)
