"""The features of a shard's chunks, computed into a Parquet file."""

from pathlib import Path

from sinobench.merlion.audio.features import mfcc39_flat
from sinobench.merlion.audio.shards import Writer, lists, samples_of
from sinobench.merlion.audio.tables import FEATURES
from sinobench.results import tables


def write_features(chunks: str | Path, path: str | Path) -> None:
    """Write ``merlion_features`` of the file of chunks, a row group at a time."""
    with Writer(path, FEATURES) as writer:
        for table in tables.row_groups(chunks):
            features, frames = mfcc39_flat(*samples_of(table), table["sample_rate_hz"][0].as_py())
            columns = {name: table[name].combine_chunks() for name in ("corpus", "segment_id", "chunk")}
            flat = lists(features.reshape(-1), frames * features.shape[1])
            writer.write(columns | {"n_frames": frames[1:] - frames[:-1], "features": flat})
