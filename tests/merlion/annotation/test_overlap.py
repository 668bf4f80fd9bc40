import random
import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.merlion.annotation.overlap import overlap_diff_lang
from sinobench.merlion.languages import LANGUAGES
from sinobench.merlion.tables import Segment

NAMES = {"E": "English", "M": "Mandarin", "-": "NON_SPEECH", "x": "NON_EVALUATED"}


def segment(letter, start, end, recording="rec"):
    return Segment(recording, "a1", start, end, NAMES[letter], False)


def by_pairs(segments):
    def differ(a, b):
        return (
            a.recording == b.recording
            and "NON_SPEECH" not in (a.language, b.language)
            and a.language != b.language
            and min(a.end_ms, b.end_ms) > max(a.start_ms, b.start_ms)
        )

    return [any(differ(a, b) for b in segments) for a in segments]


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        ([], []),
        ([("E", 0, 900), ("M", 800, 2560)], [True, True]),  # the plan's Table 3
        ([("E", 1170, 1500), ("M", 1550, 1780)], [False, False]),
        ([("E", 0, 10), ("M", 10, 20)], [False, False]),  # touching
        ([("E", 0, 10), ("E", 5, 15)], [False, False]),
        ([("E", 0, 10), ("x", 5, 15)], [True, True]),
        ([("x", 0, 10), ("x", 5, 15)], [False, False]),
        ([("E", 0, 10), ("-", 5, 15)], [False, False]),
        ([("x", 0, 10), ("-", 5, 15)], [False, False]),
        ([("E", 0, 100), ("M", 40, 41), ("E", 90, 120)], [True, True, False]),
        ([("E", 0, 100), ("E", 10, 20), ("M", 50, 60)], [True, False, True]),
        ([("M", 0, 10), ("M", 5, 50), ("E", 49, 50)], [False, True, True]),
        ([("E", 0, 10, "a"), ("M", 0, 10, "b")], [False, False]),
    ],
)
def test_worked_examples(segments, expected):
    assert overlap_diff_lang([segment(*s) for s in segments]) == expected


SEGMENTS = st.lists(
    st.builds(
        lambda letter, start, length, recording: segment(letter, start, start + length, recording),
        st.sampled_from("EM-x"),
        st.integers(0, 60),
        st.integers(1, 25),
        st.sampled_from("ab"),
    ),
    max_size=25,
)


@given(SEGMENTS)
def test_is_the_definition_by_pairs(segments):
    assert overlap_diff_lang(segments) == by_pairs(segments)


def test_every_pair_of_intervals_and_languages():
    spans = [(start, end) for start in range(4) for end in range(start + 1, 5)]
    for a, b, first, second in product("EM-x", "EM-x", spans, spans):
        segments = [segment(a, *first), segment(b, *second)]
        assert overlap_diff_lang(segments) == by_pairs(segments)


def test_fifty_thousand_segments_of_one_recording_take_well_under_a_second():
    numbers = random.Random(1)
    segments = []
    for _ in range(50_000):
        start = numbers.randrange(2_000_000)
        language = numbers.choice(LANGUAGES)
        segments.append(Segment("rec", "a1", start, start + numbers.randrange(1, 3000), language, False))
    began = time.perf_counter()
    overlap_diff_lang(segments)
    assert time.perf_counter() - began < 0.5
