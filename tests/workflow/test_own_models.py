"""A model is one catalog entry: classes, upstream files and files of predictions; and what goes wrong with them."""

import shutil
import time
import zipfile
from pathlib import Path

import duckdb
import pyarrow.parquet
import pytest
import yaml

from sinobench.results import tables
from tests.chat_stub import KEY, answer, serving
from tests.project import snakemake
from tests.workflow.test_default_run import query

UPSTREAM = """
from models.G2PModel import G2PModel

class Reversed(G2PModel):
    def get_name(self):
        return "Reversed"

    def _predict(self, texts):
        assert isinstance(texts, list) and len(texts) > 1
        return [["jat1" if c == "一" else "!" for c in text] for text in texts]
"""

SERVED = {
    "task": "csc",
    "title": "Served",
    "kind": "chat",
    "enabled": True,
    "chat_model": "stub-1",
    "prompt": "改正错字，只回答句子：\n{text}",
    "key_variable": "OWN_KEY",
    "at_once": 2,
    "price": {"prompt": 1, "completion": 4, "currency": "EUR"},
    "training_data": ["unknown"],
}

# Task of each, and what its `predict` does.
BROKEN = {
    "raises": ("csc", "return 1 / 0"),
    "few": ("csc", "return texts[:1]"),
    "many": ("csc", "return texts + ['']"),
    "numbers": ("csc", "return [3 for _ in texts]"),
    "readings": ("g2p", "return [[1] * len(t) for t in texts]"),
}


def as_a_service_would(question):
    """Some texts right, some of another length, some refused."""
    text = question.partition("\n")[2].replace("大重", "太重").replace("敢到", "感到")
    return {0: None, 1: text + "。", 2: "好的，没问题。"}.get(len(text) % 9, f"“{text}”")


def add_model(folder, name, entry):
    """What a user does: one entry at the end of the catalog."""
    with (folder / "config/models.yaml").open("a", encoding="utf-8") as file:
        file.write(yaml.safe_dump({name: entry}))


@pytest.fixture(scope="module")
def said_of_broken(source, tmp_path_factory):
    """The messages of one run of all models of ``BROKEN``."""
    folder = Path(shutil.copytree(source, tmp_path_factory.mktemp("broken") / "workflow"))
    targets = []
    for name, (task, body) in BROKEN.items():
        text = f"class Broken:\n    def predict(self, texts):\n        {body}\n"
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
        add_model(folder, name, {"task": task, "title": name, "kind": "python", "class": f"{name}.py:Broken"})
        corpus = "sample-csc" if task == "csc" else "sample-words"
        targets.append(f"results/{task}/predictions/{corpus}/{name}.parquet")
    result = snakemake(folder, *targets)
    assert result.returncode == 1 and not any((folder / target).exists() for target in targets)
    return result.stderr


def test_an_upstream_model_file_runs_unchanged(workflow):
    (workflow / "own.py").write_text(UPSTREAM, encoding="utf-8")
    add_model(workflow, "reversed", {"task": "g2p", "title": "Own", "kind": "python", "class": "own.py:Reversed"})
    result = snakemake(workflow, "results/g2p/metrics/pooled-sample/reversed.parquet")
    assert result.returncode == 0, result.stderr


def test_predictions_and_a_served_model_stand_beside_the_models_of_the_catalog(finished):
    rows = query(finished, "SELECT input, golds[1] FROM csc_items WHERE corpus = 'sample-csc' ORDER BY item_id")
    (finished / "theirs.txt").write_text("".join(f"{s}\t{g}\n" for s, g in rows[:-3]), encoding="utf-8")
    add_model(
        finished,
        "theirs",
        {"task": "csc", "title": "Theirs", "kind": "predictions", "files": {"sample-csc": "theirs.txt"}},
    )
    started = time.time()
    with serving(answer(as_a_service_would), key=KEY) as service:
        add_model(finished, "served", SERVED | {"endpoint": service.address})
        result = snakemake(finished, "csc", "report", OWN_KEY=KEY)
    assert result.returncode == 0, result.stderr
    [(precision, coverage, corpora)] = query(
        finished,
        "SELECT correction_precision, coverage, (SELECT count(DISTINCT corpus) FROM csc_predictions WHERE model = "
        "'theirs') FROM leaderboard_csc WHERE model = 'theirs'",
    )
    assert precision == 1 and coverage == pytest.approx(1 - 3 / len(rows)) and corpora == 1
    assert query(finished, "SELECT count(*) FROM csc_protocol_differences WHERE model = 'theirs'") == [(3,)]
    written = [path for path in finished.rglob("*") if path.is_file() and path.stat().st_mtime >= started]
    assert len(written) > 50 and KEY not in result.stdout + result.stderr
    assert [path for path in written if KEY in content(path)] == []
    check_served(finished, service)


def check_served(folder, service):
    """A served model stands beside the others; its answers are there for the next run."""
    counts = "n_asked, n_cached, n_aligned, n_unchanged, n_refused, prompt_tokens, cost, currency"
    rows = query(folder, f"SELECT n_texts, {counts} FROM runs WHERE model = 'served' ORDER BY corpus")
    assert len(rows) == 2 and sum(row[1] for row in rows) == len(service.asked) == 257
    assert all(row[0] == row[1] + row[2] and row[3] > 0 and row[5] > 0 for row in rows)
    assert [(row[6], row[7], row[8]) for row in rows] == [
        (20 * n, pytest.approx((20 * n + 5 * n * 4) / 1e6), "EUR") for n, *_ in rows
    ]
    assert service.most_at_once <= 2 and {body["temperature"] for body in service.asked} == {0}
    found = "SELECT correction_f1, target, m.trust, m.training_data FROM leaderboard_csc JOIN models AS m USING (model)"
    [(f1, target, trust, trained)] = query(folder, f"{found} WHERE model = 'served'")
    assert 0 < f1 < 1 and target == f"stub-1 at {service.address}"
    assert (trust, trained) == ("unverified", ["unknown"])
    packed = content(folder / "results/submissions/csc/served/results.zip")
    assert "sent one by one to `stub-1`" in packed and "改正错字" in packed and "reproduce_csc" not in packed
    predictions = "results/csc/predictions/sample-csc/served.parquet"
    (folder / predictions).unlink()
    assert snakemake(folder, predictions, OWN_KEY=None).returncode == 0
    [row] = tables.read(folder / "results/csc/runs/sample-csc/served.parquet").to_pylist()
    assert row["n_asked"] == 0 and row["n_cached"] == 223 and row["predict_s"] is None


def content(path):
    """All text of a file, of compressed ones what is in them."""
    if path.suffix == ".parquet":
        return str(pyarrow.parquet.read_table(path).to_pylist())
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return " ".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())
    if path.suffix == ".duckdb":
        with duckdb.connect(path, read_only=True) as connection:
            names = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
            return " ".join(str(connection.execute(f"FROM {name}").fetchall()) for name in names)
    return path.read_bytes().decode("utf-8", "replace")


def test_outputs_of_another_length_are_scored_and_not_submitted(workflow):
    source = """
class Chatty:
    def predict(self, texts):
        return [text + "。" if i % 2 else text for i, text in enumerate(texts)]
"""
    (workflow / "chatty.py").write_text(source, encoding="utf-8")
    add_model(workflow, "chatty", {"task": "csc", "title": "Chatty", "kind": "python", "class": "chatty.py:Chatty"})
    zipped = "results/submissions/csc/chatty/results.zip"
    result = snakemake(workflow, "--keep-going", "results/csc/metrics/sample-csc/chatty.parquet", zipped)
    assert result.returncode == 1 and "outputs are so, and the task takes none" in result.stderr
    rows = tables.read(workflow / "results/csc/metrics/sample-csc/chatty.parquet").to_pylist()
    values = {(row["protocol"], row["metric"]): row["value"] for row in rows if row["subset"] == "all"}
    assert values["strict", "misaligned"] == 1 - rows[0]["coverage"] == 111 / 223
    assert values["strict", "correction_recall"] == 0 and values["official", "correction_recall"] is None
    log = (workflow / "results/logs/predict_csc/sample-csc/chatty.log").read_text(encoding="utf-8")
    assert "chatty: 111 of 223 outputs are misaligned, the first on line 2 of sample-csc" in log
    assert not (workflow / zipped).exists()


def test_g2p_predictions_by_text_and_position(workflow):
    lines = (workflow / "resources/samples/g2p/sample-words.sent").read_text(encoding="utf-8").splitlines()
    items = [(line.replace("▁", ""), line.index("▁")) for line in lines]
    table = "text\tposition\tprediction\n" + "".join(f"{text}\t{position}\tjat1\n" for text, position in items)
    (workflow / "theirs.tsv").write_text(table, encoding="utf-8")
    add_model(
        workflow,
        "theirs",
        {"task": "g2p", "title": "Theirs", "kind": "predictions", "files": {"sample-words": "theirs.tsv"}},
    )
    result = snakemake(workflow, "results/g2p/metrics/sample-words/theirs.parquet")
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("raises", "model 'raises' failed while predicting: ZeroDivisionError"),
        ("few", "returned 1 outputs for 223 texts"),
        ("many", "returned 224 outputs for 223 texts"),
        ("numbers", "the output is 3 (int); expected a string"),
        ("readings", "expected a syllable or None"),
    ],
)
def test_a_model_that_is_broken_is_told_so(said_of_broken, model, message):
    listed = [line for line in said_of_broken.splitlines() if f"model {model}: " in line]
    assert listed and all(message in line for line in listed), said_of_broken


def test_class_that_is_not_there(workflow):
    add_model(workflow, "gone", {"task": "csc", "title": "Gone", "kind": "python", "class": "gone.py:Gone"})
    result = snakemake(workflow, "results/csc/predictions/sample-csc/gone.parquet")
    assert result.returncode == 1 and "gone.py" in result.stderr
