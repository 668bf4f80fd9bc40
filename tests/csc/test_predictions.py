"""From a model's outputs to the table of predictions."""

from scripts import predict_csc

from sinobench.csc.tables import ITEMS
from sinobench.results import tables

MODEL = """
class Odd:
    def predict(self, texts):
        return [text + {"一": chr(0), "二": chr(0xD800)}.get(text, "") for text in texts]
"""


def test_what_no_file_can_hold_stands_as_escapes(tmp_path):
    (tmp_path / "odd.py").write_text(MODEL, encoding="utf-8")
    rows = [{"corpus": "c", "item_id": str(i), "line": i, "input": text} for i, text in enumerate("一二三")]
    tables.write(ITEMS, rows, tmp_path / "items")
    entry = {"kind": "python", "class": f"{tmp_path}/odd.py:Odd", "options": {}, "packages": []}
    predict_csc.main("c", "odd", entry, [], None, str(tmp_path / "items"), tmp_path / "out", tmp_path / "runs", 1)
    assert tables.read(tmp_path / "out").to_pydict()["prediction"] == ["一\\x00", "二\\ud800", "三"]
