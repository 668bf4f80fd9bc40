"""Training speech, the tables of it, and the folds of development sets."""

from dataclasses import dataclass

from sinobench.results.tables import Table, columns_of


@dataclass(frozen=True)
class Utterance:
    """Speech of one speaker in one language: milliseconds of a file; ``path`` is relative to the corpus's folder."""

    corpus: str
    recording: str
    speaker: str
    path: str
    start_ms: int
    end_ms: int
    language: str


UTTERANCES = Table("merlion_training", columns_of(Utterance))
PARTITIONS = Table("merlion_partitions", {"partition": "string"} | columns_of(Utterance))
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
