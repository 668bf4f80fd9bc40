"""The tables of MERLIon audio: what is masked, cut and computed."""

from dataclasses import dataclass

from sinobench.results.tables import Table, columns_of


@dataclass(frozen=True)
class MaskingProof:
    """What was compared of a masked copy and its original."""

    n_samples: int
    n_redacted_samples: int
    n_regions: int


@dataclass(frozen=True)
class FeatureProof:
    """What was compared of a shard, and how far from librosa's features it was at most."""

    n_chunks: int  # of the shard
    n_compared: int
    n_frames: int  # of the chunks compared
    max_difference: float


# Where masked audio holds the tone.
TONE = Table(
    "merlion_tone",
    {
        "corpus": "string",
        "recording": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "mentioned": "bool",
    },
)
MASKED = Table(
    "merlion_masked",
    {
        "corpus": "string",
        "recording": "string",
        "original": "string",
        "path": "string",
        "n_samples": "int64",
        "n_redactions": "int32",
        "sha256": "string",  # of the samples to hear
    },
)
PROOFS = Table(
    "merlion_proofs",
    {"corpus": "string", "recording": "string"} | columns_of(MaskingProof) | {"n_regions": "int32"},
)
CHUNKS = Table(
    "merlion_chunks",
    {
        "corpus": "string",
        "recording": "string",
        "segment_id": "string",
        "chunk": "int32",  # of the segment, from 0
        "start_sample": "int64",
        "end_sample": "int64",
        "sample_rate_hz": "int32",
        "audio": "binary",  # int16 samples, little-endian
    },
)
FEATURES = Table(
    "merlion_features",
    {
        "corpus": "string",
        "segment_id": "string",
        "chunk": "int32",
        "n_frames": "int32",
        "features": "list<float>",  # n_frames × 39, row by row
    },
    in_database=False,
)
# A row a shard, of a corpus or of a partition's training speech.
FEATURE_PROOFS = Table(
    "merlion_feature_proofs",
    {"corpus": "string", "partition": "string", "shard": "int32"} | columns_of(FeatureProof) | {"n_compared": "int32"},
)
