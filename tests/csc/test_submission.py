import pytest

from sinobench.archive import TO_FILL
from sinobench.csc.submission import document, result_lines
from sinobench.errors import InputError

ITEMS = ["天气晴郎\u3000", "今天很好", "今天很好"]


def test_lines_are_those_of_the_corpus_in_its_order():
    text = result_lines("set", ITEMS, ITEMS, ["天气晴朗\u3000", "今天很好", "今天狠好"])
    assert text == "天气晴郎\u3000\t天气晴朗\u3000\n今天很好\t今天很好\n今天很好\t今天狠好\n"


@pytest.mark.parametrize(
    ("inputs", "predictions", "message"),
    [
        (ITEMS[:2], ITEMS[:2], "set: 2 predictions for 3 lines"),
        (
            [ITEMS[1], ITEMS[0], ITEMS[2]],
            ITEMS,
            "set, line 1: predicted for '今天很好', the corpus has '天气晴郎\u3000'",
        ),
        (ITEMS, [*ITEMS[:2], None], "set, line 3: no prediction for '今天很好'"),
        (ITEMS, ["天气晴朗", *ITEMS[1:]], "set, line 1: the output is misaligned: 4 characters for 5: '天气晴朗'"),
        (ITEMS, ["天气晴朗", *ITEMS[1:2], "今天\n好"], "2 of 3 outputs are so, and the task takes none"),
    ],
)
def test_nothing_but_whole_results_is_packed(inputs, predictions, message):
    with pytest.raises(InputError) as error:
        result_lines("set", inputs, ITEMS, predictions)
    assert message in str(error.value)


def test_document_has_the_three_headings_and_marks_what_is_unknown():
    text = document("mine", "My model", [])
    assert text.startswith("# My model\n")
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == ["## Data Description", "## Sharing Link of Additional Data", "## Code Reproduction Process"]
    assert text.count(TO_FILL) == 3 and "`mine`" in text


def test_document_counts_the_training_pairs():
    row = {"corpus": "law-train", "n_pairs": 1500, "n_removed_scored": 460, "n_set_aside": 1}
    text = document("mine", "My model", [row])
    assert "- `law-train`: 1500 pairs; 460 more were removed" in text and "1 could not be used" in text
    assert text.count(TO_FILL) == 2


def test_document_names_what_the_model_learnt_before_it_was_fitted():
    assert "Before that: older pairs" in document("m", "M", [], "older pairs")
