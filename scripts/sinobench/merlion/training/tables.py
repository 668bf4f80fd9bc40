"""The tables of training speech, and the folds of development sets."""

from sinobench.results.tables import Table

UTTERANCES = Table(
    "merlion_training",
    {
        "corpus": "string",
        "recording": "string",
        "speaker": "string",
        "path": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "language": "string",
    },
)
PARTITIONS = Table(
    "merlion_partitions",
    {
        "partition": "string",
        "corpus": "string",
        "recording": "string",
        "speaker": "string",
        "path": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "language": "string",
    },
)
FOLDS = Table("merlion_folds", {"corpus": "string", "recording": "string", "pair": "string", "fold": "int32"})
# Row i is frames first_frame : first_frame + n_frames of the shard's features.npy.
TRAINING_CHUNKS = Table(
    "merlion_training_chunks",
    {
        "partition": "string",
        "corpus": "string",
        "recording": "string",
        "speaker": "string",
        "utterance": "int32",  # row of the partition
        "chunk": "int32",  # of the utterance, from 0
        "language": "string",
        "duration_ms": "int64",
        "first_frame": "int64",
        "n_frames": "int32",
    },
    in_database=False,
)
