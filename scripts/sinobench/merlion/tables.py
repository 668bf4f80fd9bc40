"""The tables of MERLIon corpora: what is annotated, and what it adds up to."""

from sinobench.results.tables import Table

# How a recording is annotated; one of an evaluation set may have its audio alone.
RAW, RELEASED, TIMESTAMPS, AUDIO = "raw", "released", "timestamps", "audio"
LABELLED = (RAW, RELEASED)

RECORDINGS = Table(
    "merlion_recordings",
    {
        "corpus": "string",
        "recording": "string",
        "pair": "string",  # parent and child
        "form": "string",
        "path": "string",  # in the corpus's audio folder
        "sample_rate_hz": "int32",
        "n_samples": "int64",
        "duration_ms": "int64",
    },
)
RAW_GRAINS = Table(
    "merlion_raw_grains",
    {
        "corpus": "string",
        "recording": "string",
        "speaker": "string",
        "utterance": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "language": "string",
        "text": "string",
        "row": "int32",
    },
    in_database=False,
)
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
        "rule": "string",  # docs/recoding.md; - for a grain that keeps its language
    },
)
SEGMENTS = Table(
    "merlion_segments",
    {
        "corpus": "string",
        "recording": "string",
        "utt_id": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "language": "string",  # null in an evaluation set
        "overlap_diff_lang": "bool",
        "status": "string",
        "row": "int32",
    },
)
REDACTIONS = Table(
    "merlion_redactions",
    {
        "corpus": "string",
        "recording": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "label": "string",
        "row": "int32",
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
# Of each recording: Figures 3 and 4 of the plan.
SPEECH = Table(
    "merlion_speech",
    {
        "corpus": "string",
        "recording": "string",
        "pair": "string",
        "duration_ms": "int64",
        "n_segments": "int32",
        "n_english": "int32",
        "n_mandarin": "int32",
        "english_ms": "int64",
        "mandarin_ms": "int64",
        "non_evaluated_ms": "int64",
        "mandarin_share": "double",  # of English and Mandarin, null without both
        "place": "int32",  # from 1, by that share
    },
)
# Table 1 of the plan.
STATISTICS = Table(
    "merlion_statistics",
    {
        "corpus": "string",
        "line": "int32",
        "statistic": "string",
        "unit": "string",
        "value": "double",
        "n": "int64",
    },
)
# Of segments and recordings: Figures 2 and 3 of the plan.
LENGTHS = Table(
    "merlion_lengths",
    {
        "corpus": "string",
        "unit": "string",
        "language": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "n": "int64",
        "density": "double",  # per ms
    },
)
