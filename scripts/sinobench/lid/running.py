"""Score a corpus's segments with an identification model, or read someone's scores of them."""

import logging
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sinobench.errors import InputError
from sinobench.lid.calibration import pool
from sinobench.lid.in_order import read_in_order
from sinobench.lid.predictions import Predictions, read_predictions
from sinobench.lid.scorer import Scorer
from sinobench.lid.suspicion import suspicions
from sinobench.merlion.audio.shards import features_of, samples_of
from sinobench.models import run_row
from sinobench.progress import progress
from sinobench.results import arrow, tables

_log = logging.getLogger(__name__)


def predict(
    corpus: str,
    model: str,
    entry: Mapping,
    fitted: str | None,
    inputs: pa.Table,
    scored: bool,
    chunks: Sequence[str],
    features: Sequence[str],
    threads: int,
) -> tuple[dict[str, object], list[dict]]:
    """Columns of ``lid_scores``, and rows of ``runs``: none for a file of scores.

    fitted: what `fit_lid` wrote, None for a model that is not fitted. inputs: the table ``lid_inputs``; scored:
    whether the corpus has languages. chunks, features: the files of the shards' tables ``merlion_chunks`` and
    ``merlion_features``, of which the model takes one. A segment without a chunk scores 0, a tie, which is English.
    """
    ids, runs = inputs["segment_id"], []
    if entry["kind"] == "predictions":
        given = _read(entry["files"][corpus], ids)
        english, mandarin = given.english, given.mandarin
        if given.order_differs:
            print("the segments stand in another order than in the corpus; they were joined by id")
    else:
        started = time.perf_counter()
        scorer = Scorer.load(fitted, entry, model)
        load_s = time.perf_counter() - started
        llr, predict_s = _ratios(scorer, ids.to_pylist(), features if scorer.takes == "features" else chunks)
        audio_s = (pc.sum(inputs["end_ms"]).as_py() - pc.sum(inputs["start_ms"]).as_py()) / 1000
        times = {"load_s": load_s, "predict_s": predict_s, "n_items": len(ids), "audio_s": audio_s}
        runs = [run_row("lid", corpus, model, **times, threads=threads, packages=entry["packages"])]
        english, mandarin = llr / 2, -llr / 2
    if not scored:  # else score_lid can tell more
        for remark in suspicions(english - mandarin):
            _log.warning("%s, %s: %s", corpus, model, remark)
    columns = {"segment_id": ids, "english_score": english, "mandarin_score": mandarin}
    return {"corpus": corpus, "model": model, **columns}, runs


def _read(path: str, ids: pa.ChunkedArray) -> Predictions:
    return (arrow.are_distinct(ids) and read_in_order(path, ids)) or read_predictions(path, ids.to_pylist())


def _ratios(scorer: Scorer, ids: Sequence[str], shards: Sequence[str]) -> tuple[np.ndarray, float]:
    """The calibrated ratio of each segment, and the seconds that the model took; a row group at a time."""
    index = {name: i for i, name in enumerate(ids)}
    column, values_of = ("features", features_of) if scorer.takes == "features" else ("audio", samples_of)
    scores, lengths, of_segment = [np.zeros(0)], [np.zeros(0)], [np.zeros(0, np.int64)]
    predict_s = 0.0
    for path in progress(shards, len(shards), "lid", "shard"):
        for table in tables.row_groups(path, ["segment_id", column]):
            names = table["segment_id"].to_pylist()
            if unknown := set(names) - index.keys():
                raise InputError(f"holds segment '{min(unknown)}', which the corpus lacks; cut it again", path)
            values, offsets = values_of(table)
            started = time.perf_counter()
            scores.append(scorer.chunk_scores([values[a:b] for a, b in pairwise(offsets.tolist())]))
            predict_s += time.perf_counter() - started
            lengths.append(np.diff(offsets))
            of_segment.append(np.array([index[name] for name in names], np.int64))
    pooled = pool(np.concatenate(scores), np.concatenate(lengths), np.concatenate(of_segment), len(ids))
    missing = np.isnan(pooled)
    if missing.any():
        first = missing.argmax() + 1
        print(f"{missing.sum()} of {len(ids)} segments have no chunk and score 0; the first is row {first} of them")
    return np.where(missing, 0.0, scorer.llr(pooled)), predict_s
