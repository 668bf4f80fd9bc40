"""One line that says what a figure is of."""

from dataclasses import replace

import pytest

from sinobench import hashes
from sinobench.errors import InputError
from sinobench.results.signature import Signature, parsed
from sinobench.results.statistics.resampling import Settings

LINE = "csc|nlpcc2023-dev@ac93f0df|strict|correction_f1|dictionary@0.2.0+1f3c77a0|n:1000|bs:10000/2023|sinobench:0.2.0"
SIGNED = Signature(
    "csc",
    "nlpcc2023-dev",
    "ac93f0df",
    "strict",
    "correction_f1",
    "dictionary",
    "1f3c77a0",
    1000,
    Settings(),
    model_version="0.2.0",
    version="0.2.0",
)


def test_a_signature_is_one_line_of_parts():
    assert str(SIGNED) == LINE and parsed(LINE) == SIGNED


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("task", "g2p"),
        ("corpus", "nlpcc2023-test"),
        ("items", "ac93f0de"),
        ("protocol", "official"),
        ("metric", "detection_f1"),
        ("subset", "error_type=a|b @%|c"),
        ("model", "my|model@home +1"),
        ("model_version", ""),
        ("model_version", "2.13.0+cpu"),
        ("code", "1f3c77a1"),
        ("n_items", 999),
        ("statistics", None),
        ("statistics", Settings(resamples=9_999)),
        ("statistics", Settings(seed=2024)),
        ("statistics", Settings(level=0.9)),
        ("version", "0.2.1"),
    ],
)
def test_each_part_is_in_it_and_is_read_back(part, value):
    changed = replace(SIGNED, **{part: value})
    assert str(changed) != LINE
    assert parsed(str(changed)) == changed
    assert "\n" not in str(changed) and " " not in str(changed)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "csc",
        LINE.replace("@ac93f0df", ""),
        LINE + "|x:1",
        LINE.replace("n:1000", "n:x"),
        LINE.replace("n:1000", "n:" + "9" * 5000),
    ],
)
def test_what_is_no_signature_is_refused_with_the_form(text):
    with pytest.raises(InputError, match=r"is no signature; expected TASK\|CORPUS@HASH"):
        parsed(text)


def test_too_few_resamples_are_refused():
    with pytest.raises(InputError, match="99 resamples are too few"):
        parsed(LINE.replace("10000", "99"))


def test_the_order_of_items_does_not_matter_but_their_content_does():
    rows = [["1", "我门", ["我们"]], ["2", "好", None]]
    assert hashes.of_rows(rows) == hashes.of_rows(rows[::-1])
    assert hashes.of_rows(rows) != hashes.of_rows([["1", "我门", ["我门"]], rows[1]])


def test_a_folder_is_what_its_files_hold(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, names in ((one, "ab"), (other, "ba")):
        folder.mkdir()
        for name in names:
            (folder / name).write_text(name)
    (other / ".hidden").write_text("when it was made")
    assert hashes.of_file(one) == hashes.of_file(other)
    (other / "a").write_text("b")
    assert hashes.of_file(one) != hashes.of_file(other)
