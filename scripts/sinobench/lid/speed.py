"""The segments on which the speed of an identification model is measured."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sinobench.lid.running import predict
from sinobench.merlion.audio.shards import ROWS_A_GROUP
from sinobench.results import tables
from sinobench.speed import evenly_spaced

SAMPLE = 100


def predicting(corpus: str, model: str, params: Mapping, given: Mapping, threads: int) -> Callable[[], list[dict]]:
    """Scores the sample, and returns the row of ``runs``. params, given: params and input files of `measure_lid`."""
    inputs = tables.read(given["inputs"])
    sample = inputs.take(evenly_spaced(range(len(inputs)), SAMPLE))
    fitted = given.get("fitted") or None
    folder = tempfile.TemporaryDirectory()  # removed with the function, which holds it
    for name in ("chunks", "features"):
        _cut(given[name], sample["segment_id"].combine_chunks(), Path(folder.name, name))

    def score() -> list[dict]:
        chunks, features = ([Path(folder.name, name)] for name in ("chunks", "features"))
        return predict(corpus, model, params["entry"], fitted, sample, True, chunks, features, threads)[1]

    return score


def _cut(shards: Sequence[str], segments: pa.Array, path: Path) -> None:
    """Write one file with what the shards hold of the segments."""
    of_sample = pc.field("segment_id").isin(segments)
    found = [group.filter(of_sample) for shard in shards for group in tables.row_groups(shard)]
    pq.write_table(
        pa.concat_tables([pq.read_schema(shards[0]).empty_table(), *found]), path, row_group_size=ROWS_A_GROUP
    )
