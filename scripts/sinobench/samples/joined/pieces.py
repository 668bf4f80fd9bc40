"""What is said in a clip: stretches of speech between silences, as a person would mark utterances."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

FRAME_MS = 10
MIN_MS, MAX_MS = 500, 6000
# A frame is speech down to this much below the clip's loud frames; AISHELL's rooms are 30 dB below them.
_DEPTH_DB = 25.0
_LOUD_PERCENTILE = 95
# Kept on either side: soft consonants stay below the threshold.
_MARGIN_MS = 40
_SPLIT_MS = 420  # between widened sounds: half a second


def pieces(samples: np.ndarray, rate_hz: int) -> list[tuple[int, int]]:
    """Half-open stretches of speech in ms, in order, of MIN_MS to MAX_MS each; none where there is only noise or less.

    Speech is parted at silences of half a second, and where it is longer than MAX_MS at its longest silences, else in
    equal parts. What is shorter than MIN_MS on its own is left out. samples: int16, (n,).
    """
    size = rate_hz * FRAME_MS // 1000
    n_frames = len(samples) // size
    if not n_frames:
        return []
    frames = samples[: n_frames * size].reshape(n_frames, size).astype(np.float64)
    energy = ((frames - frames.mean()) ** 2).mean(axis=1)
    loud = np.percentile(energy, _LOUD_PERCENTILE)
    # Each sound widened, so that they join across short silences.
    margin = _MARGIN_MS // FRAME_MS
    active = np.convolve(energy > loud / 10 ** (_DEPTH_DB / 10), np.ones(2 * margin + 1), mode="same") > 0
    edges = np.flatnonzero(np.diff(active, prepend=False, append=False)) * FRAME_MS
    sounds = edges.reshape(-1, 2).tolist()
    spoken = [part for joined in _parted(sounds) for part in _shortened(joined)]
    return [(start, end) for start, end in spoken if end - start >= MIN_MS]


def _parted(sounds: Sequence[Sequence[int]]) -> list[list[Sequence[int]]]:
    """Sounds in groups that have a silence between them."""
    groups: list[list[Sequence[int]]] = []
    for sound in sounds:
        if groups and sound[0] - groups[-1][-1][1] < _SPLIT_MS:
            groups[-1].append(sound)
        else:
            groups.append([sound])
    return groups


def _shortened(sounds: list[Sequence[int]]) -> list[tuple[int, int]]:
    """The stretch from the first sound to the last, parted until none is longer than MAX_MS."""
    start, end = sounds[0][0], sounds[-1][1]
    if end - start <= MAX_MS:
        return [(start, end)]
    if len(sounds) == 1:
        n_parts = -(-(end - start) // MAX_MS)
        bounds = [start + (end - start) * i // n_parts for i in range(n_parts + 1)]
        return list(pairwise(bounds))
    gaps = [later[0] - earlier[1] for earlier, later in pairwise(sounds)]
    place = gaps.index(max(gaps)) + 1
    return _shortened(sounds[:place]) + _shortened(sounds[place:])
