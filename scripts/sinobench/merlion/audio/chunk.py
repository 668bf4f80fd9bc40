"""Chunks of speech: pieces of at most 3 s of an utterance, as exact sample bounds, and their samples.

Source: plan, "Baseline System"; preprocess_train.py of the official baseline for the presets.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from sinobench.errors import InputError
from sinobench.merlion.audio.wav import opened, read_opened

# As the official script means it: an utterance under 3 s is dropped, and a last chunk reaches back to be 3 s long.
BASELINE = {"max_s": 3.0, "overlap_s": 0.5, "min_s": 1.0, "tail": "last", "keep_short": False}
# As the official script cuts it: window starts are truncated to whole seconds (0, 2, 5, 7, 10 ...).
BASELINE_AS_CUT = {**BASELINE, "whole_second_starts": True}
PRESETS = {"baseline": BASELINE, "baseline-as-cut": BASELINE_AS_CUT}


def chunk_bounds(
    start_sample: int,
    stop_sample: int,
    rate: int,
    *,
    max_s: float = 3.0,
    overlap_s: float = 0.0,
    min_s: float = 0.0,
    tail: Literal["keep", "last"] = "keep",
    keep_short: bool = True,
    whole_second_starts: bool = False,
) -> list[tuple[int, int]]:
    """The chunks [a, b) of an utterance [start_sample, stop_sample), in order.

    Windows of ``max_s`` follow each other with ``overlap_s`` as long as they fit. If at least ``min_s`` remain that no
    window covers, a last chunk takes them: with tail "keep" from where the next window would start, with "last" the
    last ``max_s`` of the utterance. An utterance shorter than a window is one chunk if it lasts ``min_s``, unless
    keep_short is False. Seconds are rounded to whole samples.
    Raises InputError for an empty utterance and for options that can't be.
    """
    window, overlap, least = (round(seconds * rate) for seconds in (max_s, overlap_s, min_s))
    if window < 1 or not 0 <= overlap < window or least < 0 or tail not in ("keep", "last"):
        raise InputError(
            f"chunks of max_s {max_s}, overlap_s {overlap_s}, min_s {min_s}, tail '{tail}' can't be cut; expected "
            "max_s > overlap_s >= 0, min_s >= 0 and tail keep or last"
        )
    length = stop_sample - start_sample
    if start_sample < 0 or length < 1:
        raise InputError(f"the utterance from sample {start_sample} to {stop_sample} is empty; correct its times")
    if length < window:
        return [(start_sample, stop_sample)] if keep_short and length >= least else []
    step = window - overlap
    n_windows = (length - overlap) // step
    starts = [start_sample + i * step for i in range(n_windows)]
    remainder = length - overlap - n_windows * step
    if whole_second_starts:
        starts = [start - (start - start_sample) % rate for start in starts]
    bounds = [(start, start + window) for start in starts]
    if remainder >= max(least, 1):
        first = stop_sample - window if tail == "last" else start_sample + n_windows * step
        bounds.append((first, stop_sample))
    return bounds


def cut(path: str | Path, bounds: Sequence[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """The samples of many chunks of one recording: int16, one chunk behind the other, and (n + 1,) int64 offsets.

    The file is opened once and read in the order of time, whatever the order of the bounds; the result has theirs.
    Raises InputError for bounds outside the audio.
    """
    pairs = np.array(bounds, np.int64).reshape(-1, 2)
    offsets = np.concatenate([[0], np.cumsum(pairs[:, 1] - pairs[:, 0])])
    with opened(path) as file:
        outside = (pairs[:, 0] < 0) | (pairs[:, 1] < pairs[:, 0]) | (pairs[:, 1] > file.frames)
        if outside.any():
            i = int(outside.argmax())
            raise InputError(f"chunk {i} is samples {pairs[i, 0]} to {pairs[i, 1]}; the audio has {file.frames}", path)
        samples = np.empty(offsets[-1], np.int16)
        for i in pairs[:, 0].argsort(kind="stable").tolist():
            read_opened(file, *pairs[i].tolist(), out=samples[offsets[i] : offsets[i + 1]])
    return samples, offsets
