"""What MERLIon corpora hold, and the tables of it. Times are whole milliseconds, half-open [start, end)."""

from dataclasses import dataclass, field

from sinobench.results.tables import Table, columns_of

# How a recording is annotated; one of an evaluation set may have its audio alone.
RAW, RELEASED, TIMESTAMPS, AUDIO = "raw", "released", "timestamps", "audio"
LABELLED = (RAW, RELEASED)


@dataclass(frozen=True)
class Recording:
    """A recording of a corpus, and the parent and child in it; ``path`` is in the corpus's audio folder."""

    recording: str
    pair: str
    form: str
    path: str
    sample_rate_hz: int
    n_samples: int
    duration_ms: int


@dataclass(frozen=True)
class Grain:
    """One language of one utterance; ``speaker`` is None where a table names none, ``row`` its line in the file."""

    recording: str
    speaker: str | None
    utterance: str
    start_ms: int
    end_ms: int
    language: str
    text: str
    row: int


@dataclass(frozen=True)
class Timestamp:
    """A segment of the evaluation set, without its language."""

    recording: str
    utt_id: str
    start_ms: int
    end_ms: int
    row: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Segment:
    """A stretch of one language; ``status`` is the set's name as written, '' where the file has none.

    Without a language, of an evaluation set, it has neither overlap nor status.
    """

    recording: str
    utt_id: str
    start_ms: int
    end_ms: int
    language: str | None
    overlap_diff_lang: bool | None
    status: str | None = ""
    row: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Region:
    """A stretch of a recording that is scored in Task 2; ``row`` is 0 where no file holds it."""

    recording: str
    start_ms: int
    end_ms: int
    row: int = 0


@dataclass(frozen=True)
class Redaction:
    """A stretch of a recording with personal information; what it is stands in ``label``."""

    recording: str
    start_ms: int
    end_ms: int
    label: str
    row: int


_CORPUS, _ROW = {"corpus": "string"}, {"row": "int32"}

RECORDINGS = Table("merlion_recordings", _CORPUS | columns_of(Recording) | {"sample_rate_hz": "int32"})
RAW_GRAINS = Table("merlion_raw_grains", _CORPUS | columns_of(Grain) | _ROW, in_database=False)
SEGMENTS = Table("merlion_segments", _CORPUS | columns_of(Segment) | _ROW)
REDACTIONS = Table("merlion_redactions", _CORPUS | columns_of(Redaction) | _ROW)
GRAINS = Table(
    "merlion_grains",
    {
        "corpus": "string",
        "recording": "string",
        "speaker": "string",
        "utterance": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "raw_language": "string",
        "language": "string",
        "rule": "string",
    },
)
REDACTION_LABELS = Table(
    "merlion_redaction_labels",
    {
        "corpus": "string",
        "recording": "string",
        "speaker": "string",
        "utterance": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "label": "string",
        "language": "string",
    },
)
REGIONS = Table(
    "merlion_regions",
    {
        "corpus": "string",
        "recording": "string",
        "protocol": "string",
        "start_ms": "int64",
        "end_ms": "int64",
    },
)
SUBTRACTIONS = Table(
    "merlion_subtractions",
    {
        "corpus": "string",
        "recording": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "reason": "string",
    },
)
