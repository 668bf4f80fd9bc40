"""Which segments overlap one of another language, by a sweep (Task 1 leaves those out)."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from sinobench.merlion.intervals import union
from sinobench.merlion.languages import LANGUAGES
from sinobench.merlion.tables import Segment

SPOKEN = tuple(language for language in LANGUAGES if language != "NON_SPEECH")


def overlap_diff_lang(segments: Sequence[Segment]) -> list[bool]:
    """For each segment: does it share positive time with one of its recording that has another language label?

    English, Mandarin and non-evaluated count against each other; NON_SPEECH neither counts nor is ever True. Touching
    is not sharing. Takes n log n time. Source: plan, Table 3 and Data; specified for non-evaluated speech.
    """
    places = defaultdict(list)
    for number, segment in enumerate(segments):
        if segment.language in SPOKEN and segment.end_ms > segment.start_ms:
            places[segment.recording].append(number)
    overlaps = np.zeros(len(segments), dtype=bool)
    for of_recording in places.values():
        index = np.array(of_recording)
        times = np.array([(segments[number].start_ms, segments[number].end_ms) for number in of_recording], np.int64)
        languages = np.array([SPOKEN.index(segments[number].language) for number in of_recording])
        for language in np.unique(languages):
            is_this = languages == language
            overlaps[index[is_this]] = _intersects(times[is_this], union(times[~is_this]))
    return overlaps.tolist()


def _intersects(intervals: np.ndarray, others: np.ndarray) -> np.ndarray:
    """For each interval: does one of the disjoint, ordered others begin before its end and end after its start?"""
    if not len(others):
        return np.zeros(len(intervals), dtype=bool)
    candidate = np.searchsorted(others[:, 1], intervals[:, 0], side="right")
    exists = candidate < len(others)
    return exists & (others[np.where(exists, candidate, 0), 0] < intervals[:, 1])
