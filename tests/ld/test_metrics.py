import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.ld.metrics import (
    OFFICIAL_COUNTS,
    official_counts,
    official_rates,
    pooled,
    strict_counts,
    strict_rates,
)
from sinobench.ld.turns import NON_EVALUATED, evaluated_spans, read_intervals, read_turns
from sinobench.score import plain
from tests.ld.material import (
    LENGTH_MS,
    RECORDINGS,
    languages,
    milliseconds,
    region_lists,
    span_lists,
    spans,
    table,
    turn_lists,
)

CASES = ("clean", "jittered", "overlapping", "unsorted", "missing_and_empty", "everything")


@pytest.mark.parametrize("case", CASES)
def test_every_vector_to_the_millisecond(vectors, case):
    folder = vectors / "ld" / case
    expected = json.loads((folder / "expected.json").read_text())
    reference = read_turns(folder / "ref")
    predictions = read_turns(folder / "pred").aligned(reference.recordings)
    workbook = folder / "evaluated_regions.xlsx"
    regions = evaluated_spans(read_intervals(workbook), reference.recordings, workbook)
    official = official_counts(reference, predictions, regions)
    for place, name in enumerate(reference.recordings):
        found = [int(official[count][place]) for count in OFFICIAL_COUNTS]
        assert found == expected["official"]["per_recording"][f"{name}.txt"]
    total = pooled(official)
    assert total | plain(official_rates(total)) == {
        k: v for k, v in expected["official"].items() if k != "per_recording"
    }
    total = pooled(strict_counts(reference, predictions, regions, reference.spans(NON_EVALUATED)))
    rates = plain(strict_rates(total))
    assert {name: (total | rates)[name] for name in expected["plan"]} == expected["plan"]


@given(turn_lists, turn_lists, region_lists())
def test_official_equals_milliseconds_one_by_one(reference, predictions, regions):
    found = official_counts(table(reference), table(predictions), spans(regions))
    for recording in range(len(RECORDINGS)):
        scored = milliseconds(regions, recording)
        labels = official_labels(reference, predictions, recording)
        for language, name in enumerate(("english", "mandarin")):
            truth, answer = ({t for t, code in enumerate(own) if code == language} for own in labels)
            assert found[f"{name}_error_ms"][recording] == len((truth ^ answer) & scored)
            assert found[f"{name}_time_ms"][recording] == len(truth & scored)


@given(turn_lists, turn_lists, region_lists(), span_lists, st.integers(0, 6))
def test_strict_equals_milliseconds_one_by_one(reference, predictions, regions, subtracted, collar_ms):
    found = strict_counts(table(reference), table(predictions), spans(regions), spans(subtracted), collar_ms)
    for recording in range(len(RECORDINGS)):
        scored = milliseconds(regions, recording) - milliseconds(subtracted, recording)
        for number, start, end, language in reference:
            if number == recording and language < 2 and start < end:
                for bound in (start, end):
                    scored -= set(range(bound - collar_ms, bound + collar_ms))
        expected = dict.fromkeys(found, 0)
        for t in scored:
            r, h = languages(reference, recording, t), languages(predictions, recording, t)
            expected["miss_ms"] += max(0, len(r) - len(h))
            expected["false_alarm_ms"] += max(0, len(h) - len(r))
            expected["confusion_ms"] += min(len(r), len(h)) - len(r & h)
            expected["reference_ms"] += len(r)
            expected["english_ms"] += 0 in r
            expected["english_missed_ms"] += 0 in r - h
            expected["mandarin_ms"] += 1 in r
            expected["mandarin_missed_ms"] += 1 in r - h
            expected["scored_ms"] += 1
        assert {name: int(values[recording]) for name, values in found.items()} == expected


@given(turn_lists, turn_lists, region_lists(), st.randoms(use_true_random=False))
def test_order_of_turns_changes_nothing(reference, predictions, regions, chance):
    shuffled = [chance.sample(turns, len(turns)) for turns in (reference, predictions)]
    for count in (official_counts, strict_counts):
        expected = count(table(reference), table(predictions), spans(regions))
        found = count(*map(table, shuffled), spans(regions))
        assert all(np.array_equal(found[name], expected[name]) for name in expected)


@given(turn_lists, region_lists())
def test_silence_misses_everything_and_the_reference_itself_nothing(reference, regions):
    truth, silence, evaluated = table(reference), table([]), spans(regions)
    official, strict = official_counts(truth, silence, evaluated), strict_counts(truth, silence, evaluated)
    assert np.array_equal(official["english_error_ms"], official["english_time_ms"])
    assert np.array_equal(official["mandarin_error_ms"], official["mandarin_time_ms"])
    assert np.array_equal(strict["miss_ms"], strict["reference_ms"]) and not strict["false_alarm_ms"].any()
    same = pooled(strict_counts(truth, truth, evaluated))
    assert plain(strict_rates(same))["lder"] == (0 if same["reference_ms"] else None)


def test_bounds_of_the_official_intervals():
    # English holds its last millisecond, Mandarin neither its first nor its last; one shared makes both Mandarin.
    regions = spans([(0, 0, 40), (1, 0, 40), (2, 0, 40)])
    turns = [(0, 5, 10, 0), (0, 10, 15, 1), (1, 5, 10, 0), (1, 9, 15, 1), (2, 5, 6, 1), (2, 20, 20, 0)]
    counts = official_counts(table(turns), table([]), regions)
    assert counts["english_time_ms"].tolist() == [6, 0, 1]
    assert counts["mandarin_time_ms"].tolist() == [4, 10, 0]


def test_a_longer_turn_ends_behind_the_last_one_where_the_other_side_goes_on():
    """As the published script counts a sorted file whose last turn lies in a longer one."""
    regions = spans([(r, 0, 20_000) for r in range(3)])
    nested = [(0, 1000, 6002, 1), (0, 2000, 3000, 0)]
    later = official_counts(table(nested), table([(0, 7000, 12_500, 0)]), regions)
    assert [int(later[name][0]) for name in OFFICIAL_COUNTS] == [5501, 0, 2001, 2001]
    earlier = official_counts(table(nested), table([(0, 1000, 3000, 0)]), regions)
    assert earlier["mandarin_time_ms"][0] == 5001


def test_english_that_begins_with_a_shorter_mandarin_turn_is_lost_to_the_silence_before():
    turns = [(0, 100, 300, 0), (0, 100, 200, 1), (0, 500, 600, 0)]
    counts = official_counts(table(turns), table([]), spans([(r, 0, 900) for r in range(3)]))
    assert [int(counts[name][0]) for name in OFFICIAL_COUNTS] == [101, 101, 0, 0]


def test_no_mapping_of_languages():
    turns = [(0, 0, 10, 0), (0, 10, 20, 1)]
    exchanged = [(0, 0, 10, 1), (0, 10, 20, 0)]
    counts = pooled(strict_counts(table(turns), table(exchanged), spans([(0, 0, 40)])))
    assert counts["confusion_ms"] == counts["reference_ms"] == 20


def test_nothing_to_divide_by_is_undefined():
    counts = pooled(strict_counts(table([]), table([(0, 0, 9, 0)]), spans([(0, 0, 40)])))
    assert counts["false_alarm_ms"] == 9 and set(plain(strict_rates(counts)).values()) == {None}
    assert set(plain(official_rates(dict.fromkeys(OFFICIAL_COUNTS, 0))).values()) == {None}


def test_touching_recordings_and_far_collars_stay_apart():
    # Speech to the very end of one recording and from the very start of the next; a collar wider than both.
    turns = [(0, 30, LENGTH_MS, 0), (1, 0, 10, 0), (2, 12, 14, 1)]
    regions = spans([(r, 0, LENGTH_MS) for r in range(3)])
    assert strict_counts(table(turns), table(turns), regions)["reference_ms"].tolist() == [10, 10, 2]
    wide = strict_counts(table(turns[2:]), table([]), regions, collar_ms=500)
    assert wide["scored_ms"].tolist() == [LENGTH_MS, LENGTH_MS, 0]


def test_tables_of_different_recordings_are_no_input():
    other = dataclasses.replace(table([]), recordings=["a", "b", "d"])
    for count in (official_counts, strict_counts):
        with pytest.raises(ValueError, match="same recordings"):
            count(table([]), other, spans([]))


def official_labels(reference, predictions, recording):
    """Of both sides the language of each ms of a recording as the published script lays a sorted list out, 2 for none.

    Silence is put before the first turn and, up to the end of the other side's last turn, behind the last one; then
    neighbours in order of time that share a ms become one, or the silence begins there and holds that ms once more.
    """
    sides = []
    for turns in (reference, predictions):
        own = sorted(turn[1:] for turn in turns if turn[0] == recording and turn[3] < 2)
        sides.append([(start + code, end - code, code) for start, end, code in own if code == 0 or start < end])
    longest = max((own[-1][1] for own in sides if own), default=0)
    return [laid_out(own, longest) for own in sides]


def laid_out(turns, longest):
    if not turns:
        return []
    before = [(0, turns[0][0] - 1, 2)] if turns[0][0] > 0 else []
    behind = [(turns[-1][1] + 1, longest, 2)] if turns[-1][1] < longest else []
    first, *others = sorted(before + turns + behind)
    fused = [list(first)]
    for start, end, code in others:
        current = fused[-1]
        if start > current[1]:
            fused.append([start, end, code])
        elif code == 2 and current[2] < 2:
            current[1] = start
            fused.append([start, end, code])
        else:
            current[1] = max(current[1], end)
            current[2] = 1 if (current[2], code) == (0, 1) else current[2]
    labels = []
    for start, end, code in fused:
        # A silence that begins on the last ms of speech moves all behind it; nothing but silence ever is.
        labels += [2] * (start - len(labels)) + [code] * (end - start + 1)
    return labels
