import pyarrow as pa
import pytest

from sinobench.lid import in_order
from sinobench.lid.predictions import read_predictions

IDS = [f"r_a{i}_0_9" for i in range(5)]
TWO_LINES = "".join(f"{name} 0 {i}.5\n{name} 1 -1e-{i}\n" for i, name in enumerate(IDS))
ONE_LINE = "".join(f"{name} {i}.25 -{i}\n" for i, name in enumerate(IDS))


@pytest.fixture
def read(tmp_path, monkeypatch):
    """read(text): what a file with this text gives for IDS, read two lines at a time."""
    monkeypatch.setattr(in_order, "_LINES_AT_ONCE", 2)

    def of(text):
        (tmp_path / "scores.txt").write_text(text, encoding="utf-8", newline="")
        return in_order.read_in_order(tmp_path / "scores.txt", pa.chunked_array([IDS[:2], IDS[2:]]))

    return of


@pytest.mark.parametrize("text", [TWO_LINES, ONE_LINE, ONE_LINE.replace("\n", "\r\n"), TWO_LINES.removesuffix("\n")])
def test_a_plain_file_is_read_as_by_the_other_reader(read, tmp_path, text):
    found = read(text)
    expected = read_predictions(tmp_path / "scores.txt", IDS)
    assert found.format == expected.format and not found.order_differs and not expected.order_differs
    assert (found.english == expected.english).all() and (found.mandarin == expected.mandarin).all()


@pytest.mark.parametrize(
    "text",
    [
        "".join(reversed(ONE_LINE.splitlines(keepends=True))),
        "".join(ONE_LINE.splitlines(keepends=True)[:4]),
        "".join(TWO_LINES.splitlines(keepends=True)[:-1]),
        ONE_LINE + "x 0 1\n",
        TWO_LINES + f"{IDS[0]} 0 1\n",
        TWO_LINES.replace(" 1 ", " 2 ", 1),
        ONE_LINE.replace("\n", " \n", 1),
        ONE_LINE.replace(" ", "\t"),
        *(ONE_LINE.replace(" 0.25", f" {score}") for score in ("nan", "inf", "1_0", "1e200", "x")),
    ],
)
def test_any_other_file_is_left_to_the_other_reader(read, text):
    assert read(text) is None
