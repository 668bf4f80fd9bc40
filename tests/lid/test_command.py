import argparse
import json
import subprocess
import sys

import pytest

from sinobench.errors import InputError
from sinobench.lid.command import add_arguments, run
from tests.lid.material import IN_VECTORS

REFERENCE = "a_a1_0_900 0\na_a2_1000_1900 1\nb_a1_0_900 0\nb_a2_1000_1900 0\n"
PREDICTIONS = "a_a1_0_900 0 -1\na_a2_1000_1900 0.5 1\nb_a1_0_900 2 1\nb_a2_1000_1900 -1 1\n"


def answer(*arguments):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args(list(map(str, arguments))))


def test_vectors(vectors):
    for case in sorted((vectors / "lid").iterdir()):
        expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
        files = ("--reference", case / "reference.txt", "--predictions", case / "prediction.txt")
        found = json.loads(answer(*files, "--format", "json"))
        found_n = found["strict"]["n_items"]
        assert (found_n, found["format"], found["order_differs"]) == (expected["n"], expected["format"], False)
        assert found["official_print"] == {
            "EER": found["official"]["eer"],
            "BAC": found["official"]["balanced_accuracy"],
        }
        for protocol, key in (("official", "official"), ("strict", "plan")):
            for name, value in expected[key].items():
                name = IN_VECTORS.get(name, name)
                assert found[protocol][name] == pytest.approx(value, rel=0, abs=1e-9), (case.name, name)


def test_table_has_both_protocols_and_the_floor_beside(write):
    files = ("--reference", write(REFERENCE, "r.txt"), "--predictions", write(PREDICTIONS, "p.txt"))
    lines = answer(*files).splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in lines}
    assert rows["metric"] == ["official", "floor", "strict", "floor"]
    assert rows["eer"][1] == "0.250000" and rows["eer"][3] == "0.500000"
    assert rows["balanced_accuracy"] == ["0.833333", "0.500000"] * 2
    assert rows["accuracy"] == ["0.750000", "0.750000"] and rows["recordings_with_one_class"] == ["1"]
    assert "order" not in lines[-1]


def test_other_order_is_said_and_changes_nothing_else(write):
    files = ("--reference", write(REFERENCE, "r.txt"), "--predictions", write(PREDICTIONS, "p.txt"))
    other = "".join(reversed(PREDICTIONS.splitlines(keepends=True)))
    turned = (*files[:3], write(other, "q.txt"))
    assert "another order" in answer(*turned) and "another order" not in answer(*files)
    found, wanted = (json.loads(answer(*arguments, "--format", "json")) for arguments in (turned, files))
    assert found.pop("signatures") != wanted.pop("signatures") and found == wanted | {"order_differs": True}


@pytest.mark.parametrize(
    ("scores", "warning"),
    [
        ([-2, 1, -1, -1.5], "with the sign turned the EER would be 0.000"),
        ([0, 0, 0, 0], "every segment has the same score"),
        ([2, 1, 3, 4], "every segment is taken for English"),
        ([2, -1, 3, 4], None),
        ([1, 1.5, 2, -1], None),  # of no more than chance
    ],
)
def test_scores_that_look_like_a_mistake_are_said_to(write, scores, warning):
    ids = [line.split()[0] for line in REFERENCE.splitlines()]
    predictions = "".join(f"{name} {score} 0\n" for name, score in zip(ids, scores, strict=True))
    files = ("--reference", write(REFERENCE, "r.txt"), "--predictions", write(predictions, "p.txt"))
    found = json.loads(answer(*files, "--format", "json"))["warnings"]
    assert [warning in text for text in found] == [True] * (warning is not None)
    assert answer(*files).splitlines()[-1].startswith("warning: ") == (warning is not None)


def test_one_language_leaves_gaps_and_no_nan(write):
    files = (write("a_a1_0_900 0\n", "r.txt"), write("a_a1_0_900 1 0\n", "p.txt"))
    options = ("--reference", files[0], "--predictions", files[1])
    found = json.loads(answer(*options, "--format", "json"), parse_constant=pytest.fail)
    assert (
        found["official"]["balanced_accuracy"] is None
        and found["strict"]["eer"] is None
        and found["strict"]["accuracy"] == 1
    )
    assert "mandarin_recall" in answer(*options)


def test_wrong_file_is_refused_with_its_line(write):
    files = ("--reference", write(REFERENCE, "r.txt"), "--predictions", write(PREDICTIONS.replace("0.5", "nan")))
    with pytest.raises(InputError, match=r"file\.txt, line 2: score 'nan'"):
        answer(*files)


def test_nothing_heavy_is_imported_before_a_file_is_scored():
    code = "import sys, sinobench.lid.command; print(sorted({'numpy', 'pyarrow', 'openpyxl'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
