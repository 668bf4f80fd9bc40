from hypothesis import given

from sinobench.merlion.annotation.regions import strict_regions
from sinobench.merlion.intervals import length_ms
from tests.merlion.test_intervals import intervals, is_canonical, milliseconds


@given(intervals, intervals, intervals)
def test_kept_and_subtracted_are_the_regions(regions, redactions, non_evaluated):
    kept, pieces = strict_regions(regions, redactions, non_evaluated)
    assert is_canonical(kept)
    assert milliseconds(kept) == milliseconds(regions) - milliseconds(redactions) - milliseconds(non_evaluated)
    assert length_ms(kept) + sum(end - start for start, end, _ in pieces) == length_ms(regions)
    for start, end, reason in pieces:
        assert start < end
        assert milliseconds([(start, end)]) <= milliseconds({"redaction": redactions}.get(reason, non_evaluated))


def test_each_subtraction_has_its_reason():
    kept, pieces = strict_regions([(0, 100), (200, 300)], [(90, 210), (50, 60)], [(55, 70), (290, 400)])
    assert kept.tolist() == [[0, 50], [70, 90], [210, 290]]
    assert pieces == [
        (50, 60, "redaction"),
        (60, 70, "non-evaluated speech"),
        (90, 100, "redaction"),
        (200, 210, "redaction"),
        (290, 300, "non-evaluated speech"),
    ]
