import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.ld.switches import compare_switches, switch_rates
from sinobench.score import plain
from tests.ld.material import RECORDINGS, languages, milliseconds, region_lists, span_lists, spans, table, turn_lists


def points(turns, recording, scored):
    """(ms, language) of every switch, ms by ms."""
    found, last = [], None
    for t in sorted(scored):
        if t - 1 not in scored:
            last = None
        spoken = languages(turns, recording, t)
        if len(spoken) == 1:
            (language,) = spoken
            if last is not None and last != language:
                found.append((t, language))
            last = language
    return found


def most_matches(reference, predicted, tolerance_ms):
    """The size of a largest one-to-one matching, by augmenting paths."""
    partner = {}

    def augment(i, tried):
        for j, (t, language) in enumerate(predicted):
            if j not in tried and language == reference[i][1] and abs(t - reference[i][0]) <= tolerance_ms:
                tried.add(j)
                if j not in partner or augment(partner[j], tried):
                    partner[j] = i
                    return True
        return False

    return sum(augment(i, set()) for i in range(len(reference)))


@given(turn_lists, turn_lists, region_lists(), span_lists, st.integers(0, 15))
def test_switches_equal_a_plain_loop(reference, predictions, regions, subtracted, tolerance_ms):
    found = compare_switches(table(reference), table(predictions), spans(regions), spans(subtracted), tolerance_ms)
    for recording in range(len(RECORDINGS)):
        scored = milliseconds(regions, recording) - milliseconds(subtracted, recording)
        truth, answer = points(reference, recording, scored), points(predictions, recording, scored)
        assert found.n_reference[recording] == len(truth)
        assert found.n_predicted[recording] == len(answer)
        assert found.n_matched[recording] == most_matches(truth, answer, tolerance_ms)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([(0, 0, 10, 0), (0, 10, 20, 1)], 1),
        ([(0, 0, 10, 0), (0, 18, 20, 1), (0, 25, 30, 0)], 2),  # silence between turns
        ([(0, 0, 10, 0), (0, 10, 20, 2), (0, 20, 30, 0)], 0),  # non-speech is silence
        ([(0, 0, 20, 0), (0, 5, 10, 1)], 0),  # English never stops
        ([(0, 0, 10, 0), (0, 5, 20, 1)], 1),
        ([(0, 0, 10, 0), (1, 10, 20, 1)], 0),  # another recording
        ([(0, 0, 10, 0), (0, 30, 36, 1)], 0),  # another region
        ([(0, 0, 10, 0), (0, 10, 10, 1), (0, 10, 20, 0)], 0),  # an empty turn
        ([], 0),
    ],
)
def test_what_a_switch_is(turns, expected):
    regions = spans([(0, 0, 30), (0, 30 + 2, 40), (1, 0, 40), (2, 0, 40)])
    found = compare_switches(table(turns), table(turns), regions)
    assert found.n_reference.sum() == found.n_matched.sum() == expected


def test_direction_and_tolerance():
    into_mandarin, into_english = [(0, 0, 10, 0), (0, 10, 20, 1)], [(0, 0, 10, 1), (0, 10, 20, 0)]
    regions = spans([(0, 0, 40), (1, 0, 40), (2, 0, 40)])
    assert not compare_switches(table(into_mandarin), table(into_english), regions).n_matched.any()
    late = table([(0, 0, 13, 0), (0, 13, 20, 1)])
    for tolerance_ms, matched in ((2, 0), (3, 1)):
        found = compare_switches(table(into_mandarin), late, regions, tolerance_ms=tolerance_ms)
        assert found.n_matched.tolist() == [matched, 0, 0]


def test_neighbouring_recordings_do_not_match():
    late, early = [(0, 0, 38, 0), (0, 38, 40, 1)], [(1, 0, 1, 0), (1, 1, 9, 1)]
    regions = spans([(r, 0, 40) for r in range(3)])
    found = compare_switches(table(late), table(early), regions)
    assert (found.n_reference.sum(), found.n_predicted.sum(), found.n_matched.sum()) == (1, 1, 0)


def test_rates_of_nothing_are_undefined():
    assert set(plain(switch_rates(0, 0, 0)).values()) == {None}
    assert plain(switch_rates(2, 0, 0)) == {"switch_precision": None, "switch_recall": 0, "switch_f1": 0}
    assert plain(switch_rates(2, 4, 1)) == {
        "switch_precision": 0.25,
        "switch_recall": 0.5,
        "switch_f1": pytest.approx(1 / 3),
    }


def test_the_interval_that_a_redaction_cuts_is_two():
    turns = [(0, 0, 10, 0), (0, 12, 20, 1), (0, 20, 30, 0)]
    regions, redaction = spans([(0, 0, 40), (1, 0, 1), (2, 0, 1)]), spans([(0, 10, 12)])
    assert np.array_equal(compare_switches(table(turns), table(turns), regions).n_reference, [2, 0, 0])
    assert np.array_equal(compare_switches(table(turns), table(turns), regions, redaction).n_reference, [1, 0, 0])
