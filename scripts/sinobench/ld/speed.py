"""The recordings on which the speed of a diarization model is measured."""

from collections.abc import Callable, Mapping

from sinobench.ld.running import Chosen, predict
from sinobench.merlion.audio.shards import audio_of
from sinobench.results import tables
from sinobench.speed import evenly_spaced

SAMPLE = 4


def predicting(corpus: str, model: str, params: Mapping, given: Mapping, threads: int) -> Callable[[], list[dict]]:
    """Predicts the sample, and returns the row of ``runs``. params, given: params and input files of `measure_ld`."""
    shards = zip(given["masked"], given["audio"], strict=True)
    found = [
        (row, audio_of(row, given["originals"], audio))
        for path, audio in shards
        for row in tables.read(path).to_pylist()
    ]
    sample = evenly_spaced(sorted(found, key=lambda each: each[0]["recording"]), SAMPLE)
    rows, paths = [row for row, _ in sample], {row["recording"]: path for row, path in sample}
    chosen = Chosen(
        model,
        params["entry"],
        files=given.get("files", []),
        fitted=given.get("fitted") or None,
        lid_entry=params["lid_entry"],
        lid_folder=given.get("lid") or None,
    )
    return lambda: predict(corpus, chosen, list(paths), rows, paths, threads)[1]
