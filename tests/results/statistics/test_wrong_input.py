"""Where a figure has no interval, with the tasks' own formulas; and settings that are refused."""

from pathlib import Path

import numpy as np
import pytest

from sinobench.csc.metrics import compare, count
from sinobench.csc.metrics import strict_formula as csc_formula
from sinobench.errors import InputError
from sinobench.lid.metrics import strict as lid_formula
from sinobench.lid.metrics import strict_rows
from sinobench.results.statistics.comparison import differences
from sinobench.results.statistics.intervals import intervals
from sinobench.results.statistics.resampling import Settings
from sinobench.schema import check
from tests.results.statistics.material import score

SETTINGS = Settings(resamples=200)
SCHEMA = Path(__file__).parents[3] / "config" / "schema" / "config.schema.yaml"
NO_VALUE, ONE_UNIT = "none: the metric has no value", "none: fewer than two units"
WRONG, RIGHT = ["abx", "bxc", "xca"] * 10, ["abd", "bdc", "dca"] * 10


def corrections(inputs, golds, predictions):
    return score(count(compare(inputs, golds, predictions)), csc_formula)


def identification(n_recordings, languages, seed=1):
    """Five segments a recording, English or Mandarin by turns of ``languages``."""
    random, n = np.random.default_rng(seed), 5 * n_recordings
    is_english = np.resize([language == "English" for language in languages], n)
    rows = strict_rows(np.column_stack([random.normal(is_english, 1), np.zeros(n), is_english]))
    return score(rows, lid_formula, unit=np.arange(n) // 5)


def kinds(score):
    return {name: found.kind for name, found in intervals(score, SETTINGS).items()}


@pytest.mark.parametrize(
    "scored",
    [corrections(["abx"], ["abd"], ["abd"]), identification(1, ["English", "Mandarin"])],
)
def test_one_unit_has_figures_without_intervals(scored):
    assert set(kinds(scored).values()) <= {ONE_UNIT, NO_VALUE}
    assert ONE_UNIT in kinds(scored).values()


def test_one_class_only_has_no_error_rate():
    found = kinds(identification(12, ["English"]))
    assert {found[name] for name in ("eer", "balanced_accuracy", "mandarin_recall", "cllr", "min_cllr")} == {NO_VALUE}
    assert found["english_recall"] == "jackknife"


def test_without_a_correct_sentence_there_is_no_false_positive_rate():
    found = intervals(corrections(WRONG, RIGHT, RIGHT[:20] + WRONG[20:]), SETTINGS)
    assert (found["sentence_fpr"].kind, found["sentence_fpr"].low) == (NO_VALUE, None)
    assert found["sighan_correction_recall"].kind == "mid-p"


def test_a_model_that_corrects_no_sentence_has_a_recall_from_zero_on():
    found = intervals(corrections(WRONG, RIGHT, ["xxx"] * 30), SETTINGS)["sighan_correction_recall"]
    assert (found.kind, found.low) == ("mid-p", 0)
    assert found.high == pytest.approx(1 - 0.05 ** (1 / 30))


def test_a_model_without_any_prediction_has_no_precision_and_is_compared_where_there_is_a_value():
    silent, able = corrections(WRONG, RIGHT, WRONG), corrections(WRONG, RIGHT, RIGHT)
    assert {kinds(silent)[f"correction_{name}"] for name in ("precision", "f1")} == {NO_VALUE}
    found = differences(able, silent, SETTINGS)
    without = found["correction_f1"]
    assert (without.kind, without.difference, without.p) == (NO_VALUE, None, None)
    assert (found["correction_recall"].difference, found["correction_recall"].p) == (1, 1 / 201)


def test_one_unit_is_compared_without_interval():
    a, b = (identification(1, ["English", "Mandarin"], seed) for seed in (1, 2))
    found = differences(a, b, SETTINGS)["accuracy"]
    assert (found.kind, found.p, found.detectable) == (ONE_UNIT, 1, None)


def test_resamples_below_a_hundred_are_refused():
    with pytest.raises(InputError, match="99 resamples are too few for an interval; ask for 100"):
        Settings(resamples=99)
    with pytest.raises(InputError, match=r"99 is less than the minimum of 100 at statistics\.resamples"):
        check({"statistics": {"resamples": 99}}, SCHEMA, "config")
    assert Settings(resamples=100).resamples == 100
