"""From a model's outputs to the table of predictions."""

from sinobench.csc.running import predict
from sinobench.csc.tables import PREDICTIONS
from sinobench.results import tables

MODEL = """
class Odd:
    def predict(self, texts):
        return [text + {"一": chr(0), "二": chr(0xD800)}.get(text, "") for text in texts]
"""


def test_what_no_file_can_hold_stands_as_escapes(tmp_path):
    (tmp_path / "odd.py").write_text(MODEL, encoding="utf-8")
    inputs = {"item_id": list("123"), "line": [1, 2, 3], "input": list("一二三")}
    entry = {"kind": "python", "class": f"{tmp_path}/odd.py:Odd", "options": {}, "packages": []}
    with tables.Writer(PREDICTIONS, tmp_path / "out") as writer:
        [run] = predict("c", "odd", entry, [], None, lambda: [inputs], 1, writer.write)
    assert tables.read(tmp_path / "out").to_pydict()["prediction"] == ["一\\x00", "二\\ud800", "三"]
    assert (run["task"], run["threads"]) == ("csc", 1)
