"""From what chat models say to corrected texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.csc.answered import align, bare, corrected

TEXT = "我喜欢吃平果。"
RIGHT = "我喜欢吃苹果。"


@pytest.mark.parametrize(
    "answer",
    [
        RIGHT,
        f"  {RIGHT}\n",
        f"“{RIGHT}”",
        f'"{RIGHT}"',
        f"**{RIGHT}**",
        f"`{RIGHT}`",
        f"```\n{RIGHT}\n```",
        f"```text\n「{RIGHT}」\n```",
        f"<think>平果 should be 苹果.</think>\n\n{RIGHT}",
        f"改正后的句子：{RIGHT}",
        f"Corrected: “{RIGHT}”",
        f"这句话有一个错字。\n{RIGHT}\n“平”应为“苹”。",
    ],
)
def test_frames_are_taken_off(answer):
    assert corrected(TEXT, answer) == (RIGHT, None)


def test_frames_that_the_text_has_stay():
    assert corrected("“你好”", "“您好”") == ("“您好”", None)
    assert corrected("注：平果好吃", "注：苹果好吃") == ("注：苹果好吃", None)
    assert corrected(" 平果 好 ", "苹果 好") == (" 苹果 好 ", None)


@pytest.mark.parametrize(
    ("text", "answer", "outcome"),
    [
        ("我喜欢吃平果", "我喜欢吃苹果。", "我喜欢吃苹果"),  # dropped at the end
        ("他说平果很好吃", "他今天说苹果很好吃", "他说苹果很好吃"),  # dropped inside
        ("我非常喜欢吃平果", "我喜欢吃苹果", "我非常喜欢吃苹果"),  # put back
        ("今天天气真好", "今天天天气真好", "今天天气真好"),  # many places, one outcome
        ("他门去学校上课", "他们今天去学校上课", None),  # 们 or 天: two outcomes are as good
        ("我喜欢吃平果", "对不起，我不能帮助您。", None),  # more than a quarter differs
        ("我喜欢吃平果", "好", None),
        ("我喜欢", "", None),
    ],
)
def test_another_length_is_aligned_where_one_outcome_is_best(text, answer, outcome):
    assert align(text, answer) == outcome
    if answer:
        assert corrected(text, answer) == (outcome or text, outcome is not None)


def test_thoughts_that_never_end_are_no_answer():
    assert bare("<think>平果……") == "" == bare(" \n") and bare("<think>x</think>好") == "好"


@given(st.text(min_size=1, max_size=12), st.text(min_size=1, max_size=20))
def test_the_outcome_always_has_the_texts_length(text, answer):
    output, _ = corrected(text, answer) if bare(answer) else (text, None)
    assert len(output) == len(text)
