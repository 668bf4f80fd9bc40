"""What a message of wrong input may look like."""

import pytest

from sinobench.errors import MAX_LINE, InputError, nearest, private, short


def test_a_long_line_is_cut_in_its_middle():
    found = str(InputError(f"expected a word, found '{'x' * 10**8}'; shorten it", "a.txt", 3))
    assert found.startswith("a.txt, line 3: expected a word, found 'xxx") and found.endswith("xxx'; shorten it")
    assert len(found) == len("a.txt, line 3: ") + MAX_LINE


def test_lines_of_a_message_stay():
    assert str(InputError("cannot be had:\n  mirror: none\n  network: none")).count("\n") == 2


@pytest.mark.parametrize("odd", ["\x1b[2J", "\u202e", "\u2066", "\x9b", "\r", "\0", "\ud800", "\u200b"])
def test_what_a_terminal_would_obey_is_escaped(odd):
    for message in (
        InputError(f"found '{odd}'"),
        InputError("is empty", f"a{odd}.txt"),
        InputError(f"found '{short(odd)}'"),
        InputError(f"found '{private(odd)}'"),
    ):
        assert odd not in message.shown + str(message) and ascii(odd)[1:-1].partition("[")[0] in message.shown


def test_chinese_text_is_not_escaped():
    assert "'一　二𠮷' → 'ä'" in str(InputError("'一　二𠮷' → 'ä'"))


@pytest.mark.logged
def test_what_is_private_is_shown_to_its_owner_alone():
    error = InputError(f"start '{private('Anna')}' is no time, nor {private(1, 2)}", "a.csv", 2)
    assert str(error) == "a.csv, line 2: start '…' is no time, nor …"
    assert error.shown == "a.csv, line 2: start 'Anna' is no time, nor 1-2"
    assert "Anna" not in repr(error)


def test_a_name_of_any_length_is_compared_in_no_time():
    assert nearest("x" * 10**7, ["labels", "regions"]) == "known are: labels, regions"
