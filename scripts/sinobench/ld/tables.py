"""Turns of a language, and the tables of language diarization."""

from dataclasses import dataclass

from sinobench.results.tables import Table, columns_of


@dataclass(frozen=True, order=True)
class Turn:
    """A stretch [start_ms, end_ms) of one language, None in an evaluation set."""

    recording: str
    start_ms: int
    end_ms: int
    language: str | None


TURNS = Table("ld_turns", {"corpus": "string"} | columns_of(Turn))
PREDICTIONS = Table("ld_predictions", {"corpus": "string", "model": "string"} | columns_of(Turn))
RECORDINGS = Table(
    "ld_recordings",
    {
        "corpus": "string",
        "model": "string",
        "recording": "string",
        "pair": "string",
        "prediction": "string",
        "official_english_error_ms": "int64",
        "official_english_time_ms": "int64",
        "official_mandarin_error_ms": "int64",
        "official_mandarin_time_ms": "int64",
        "scored_ms": "int64",
        "reference_ms": "int64",
        "miss_ms": "int64",
        "false_alarm_ms": "int64",
        "confusion_ms": "int64",
        "english_ms": "int64",
        "english_missed_ms": "int64",
        "mandarin_ms": "int64",
        "mandarin_missed_ms": "int64",
        "lder": "double",
    },
)
# LDER against a collar around every bound of a reference turn.
COLLARS = Table(
    "ld_collars",
    {
        "corpus": "string",
        "model": "string",
        "collar_ms": "int64",
        "scored_ms": "int64",
        "reference_ms": "int64",
        "miss_ms": "int64",
        "false_alarm_ms": "int64",
        "confusion_ms": "int64",
        "lder": "double",
    },
)
# Points where the language changes.
SWITCHES = Table(
    "ld_switches",
    {
        "corpus": "string",
        "model": "string",
        "recording": "string",
        "tolerance_ms": "int64",
        "n_reference": "int32",
        "n_predicted": "int32",
        "n_matched": "int32",
    },
)
