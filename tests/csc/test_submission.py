import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy
import pytest
import yaml

from sinobench.archive import TO_FILL, write_zip
from sinobench.csc.document import document
from sinobench.csc.packaging import members
from sinobench.csc.submission import result_lines
from sinobench.csc.submitted_code import System, code_members
from sinobench.errors import InputError
from sinobench.hub.entries import with_classes
from sinobench.schema import check
from tests.tiny_models import save_masked_lm

CONFIG = Path(__file__).parents[2] / "config/schema"
ENTRY = {"task": "csc", "title": "My model", "kind": "python", "class": "sinobench.csc.models.do_nothing:DoNothing"}
ENTRY = check({"mine": ENTRY}, CONFIG / "models.schema.yaml", "models")["mine"]
CORPUS = {"task": "csc", "title": "Set", "role": "submission", "reader": "pairs", "columns": ["input"]}
CORPUS |= {"files": {"text": "set.txt"}, "licence": "CC0-1.0"}
CORPUS = check({"set": CORPUS}, CONFIG / "corpora.schema.yaml", "corpora")["set"]

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


def system(**entry):
    return System(
        model="mine",
        entry=ENTRY | entry,
        config={"csc": {"models": ["mine"], "corpora": ["set"]}},
        corpora={"set": CORPUS},
        sources={},
        revision="abc",
    )


def test_document_has_the_three_headings_and_marks_what_is_unknown():
    text = document(system(), [])
    assert text.startswith("# My model\n")
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == ["## Data Description", "## Sharing Link of Additional Data", "## Code Reproduction Process"]
    assert text.count(TO_FILL) == 3 and "`mine`" in text


def test_document_counts_the_training_pairs():
    row = {"corpus": "law-train", "n_pairs": 1500, "n_removed_scored": 460, "n_set_aside": 1}
    text = document(system(), [row])
    assert "- `law-train`: 1500 pairs; 460 more were removed" in text and "1 could not be used" in text
    assert text.count(TO_FILL) == 2


def test_document_names_what_the_model_learnt_before_it_was_fitted():
    assert "Before that: older pairs" in document(system(prior_data="older pairs"), [])


def test_document_of_a_file_of_predictions_asks_its_author_for_the_code():
    text = document(system(kind="predictions", files={"set": "theirs.txt"}), [])
    assert text.count(TO_FILL) == 4 and "reproduce_csc.py" not in text
    assert code_members(system(kind="predictions", files={"set": "theirs.txt"})).keys() == {
        "model.yaml",
        "revision.txt",
    }


def test_document_names_data_that_is_retrieved_and_data_that_is_not(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("set.txt").write_text("天\n", encoding="utf-8")
    Path("weights.bin").write_bytes(b"0")
    text = document(system(inputs=["weights.bin"]), [])
    for name in ("set.txt", "weights.bin"):
        assert f"- `{name}`, sha256 {hashlib.sha256(Path(name).read_bytes()).hexdigest()}" in text
    external = replace(system(), corpora={"set": CORPUS | {"files": {"text": {"source": "s", "file": "set.txt"}}}})
    assert "retrieves `s/set.txt`" in document(external, [])


def test_only_what_the_model_needs_is_in_code():
    code = code_members(system())
    assert yaml.safe_load(code["config.yaml"]) == system().config
    assert yaml.safe_load(code["model.yaml"])["mine"]["class"] == "sinobench.csc.models.do_nothing:DoNothing"
    assert {"sinobench/csc/models/do_nothing.py", "sinobench/csc/running.py", "reproduce_csc.py"} <= code.keys()
    assert not [name for name in code if "merlion" in name or "lid" in name or "g2p" in name or "dictionary" in name]
    assert "merlion" not in "".join(text for name, text in code.items() if name.endswith(".yaml"))
    assert f"numpy=={numpy.__version__}\n" in code["requirements.txt"]
    assert "jieba" not in code["requirements.txt"]
    assert "jieba" in code_members(system(packages=["jieba"]))["requirements.txt"]
    assert "jieba" in code_members(system(**{"class": "jieba.posseg:POSTokenizer"}))["requirements.txt"]


OWN = {
    "own/model.py": "from helper import mend\n\nclass Own:\n    def predict(self, texts):\n"
    "        from deep.er import last\n        return [mend(text)[:-1] + last(text) for text in texts]\n",
    "own/helper.py": "def mend(text):\n    return text.replace('汽', '气')\n",
    "deep/er.py": "def last(text):\n    return text[-1]\n",
    "set.txt": "天汽好\n你好\n",
}


@pytest.mark.parametrize("place", ["own/model.py", "absolute", "elsewhere"])
def test_an_own_model_is_reproduced_from_its_zip_alone(tmp_path, monkeypatch, place):
    run = tmp_path / "run"
    for name, content in OWN.items():
        home = tmp_path if place == "elsewhere" and name != "set.txt" else run
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(content, encoding="utf-8")
    if place == "elsewhere":
        (tmp_path / "own/model.py").write_text(OWN["own/model.py"].replace("deep.er", "er"), encoding="utf-8")
        (tmp_path / "deep/er.py").rename(tmp_path / "own/er.py")
    monkeypatch.chdir(run)
    target = {"own/model.py": place, "absolute": run / "own/model.py", "elsewhere": tmp_path / "own/model.py"}[place]
    made = system(**{"class": f"{target}:Own"})
    outputs = ["天气好", "你好"]
    write_zip("results.zip", members(made, [columns(outputs)], []))
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile("results.zip") as archive:
        archive.extractall(unpacked)
    for name in ("own", "deep", "model"):  # what the zip lacks must be missed
        for folder in (run, tmp_path):
            shutil.rmtree(folder / name, ignore_errors=True)
    shutil.copy("set.txt", unpacked / "code")
    result = follow(unpacked)
    assert result.returncode == 0, result.stderr
    assert "reproduced/set.txt: as submitted" in result.stdout
    assert (unpacked / "code/sinobench/__pycache__").exists()  # the package of the zip ran, not the one installed
    (unpacked / "set.txt").write_text("天汽好\t天天好\n你好\t你好\n", encoding="utf-8")
    result = follow(unpacked)
    assert result.returncode == 1 and "is not ../set.txt" in result.stderr


def test_a_public_corpus_is_retrieved_for_the_reproduction(tmp_path, monkeypatch):
    content = OWN["set.txt"].encode()
    pin = {"path": "set.txt", "sha256": hashlib.sha256(content).hexdigest(), "size_bytes": len(content)}
    source = {"repository": "o/r", "commit": "c", "base_url": "https://127.0.0.1:9/", "files": {"set.txt": pin}}
    corpora = {"set": CORPUS | {"files": {"text": {"source": "s", "file": "set.txt"}}}}
    (tmp_path / "mirror/s").mkdir(parents=True)
    (tmp_path / "mirror/s/set.txt").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SINOBENCH_MIRROR", str(tmp_path / "mirror"))
    made = replace(system(), corpora=corpora, sources={"s": source})
    write_zip("results.zip", members(made, [columns(OWN["set.txt"].split())], []))
    with zipfile.ZipFile("results.zip") as archive:
        archive.extractall("unpacked")
    result = follow(tmp_path / "unpacked")
    assert result.returncode == 0, result.stderr
    assert "reproduced/set.txt: as submitted" in result.stdout


def test_a_hub_model_is_retrieved_for_the_reproduction(tmp_path, monkeypatch):
    revision = "0" * 40
    mirror = tmp_path / "mirror/hub/o--n" / revision
    mirror.mkdir(parents=True)
    save_masked_lm(mirror)
    files = {path.name: path.read_bytes() for path in mirror.iterdir()}
    entry = {"task": "csc", "title": "Of a hub", "kind": "hub", "hub": "o/n", "revision": revision}
    entry |= {"loader": "masked-lm", "licence": "MIT", "training_data": ["none"], "files": {}}
    for name, content in files.items():
        entry["files"][name] = {"sha256": hashlib.sha256(content).hexdigest(), "size_bytes": len(content)}
    entries = with_classes(check({"mine": entry}, CONFIG / "models.schema.yaml", "models"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SINOBENCH_MIRROR", str(tmp_path / "mirror"))
    write_zip("results.zip", members(replace(system(), entry=entries["mine"]), [columns(["天汽好", "你好"])], []))
    with zipfile.ZipFile("results.zip") as archive:
        archive.extractall("unpacked")
    Path("unpacked/code/set.txt").write_text(OWN["set.txt"], encoding="utf-8")
    result = follow(tmp_path / "unpacked")
    assert result.returncode == 0, result.stderr
    assert "reproduced/set.txt: as submitted" in result.stdout
    text = Path("unpacked/README.md").read_text(encoding="utf-8")
    assert f"`hub/o--n/{revision}/model.safetensors`" in text
    assert "transformers==" in Path("unpacked/code/requirements.txt").read_text(encoding="utf-8")


def columns(outputs):
    """Columns of the items of the set, and of predictions for them."""
    inputs = OWN["set.txt"].split()
    return {"corpus": ["set"] * len(inputs), "input": inputs}, {"input": inputs, "prediction": outputs}


def follow(unpacked):
    """Run the last command of the reproduction text in ``code``, with this interpreter for that of the new .venv."""
    text = (unpacked / "README.md").read_text(encoding="utf-8")
    *setup, command = re.search(r"```\n(.*?)\n```", text, re.DOTALL)[1].splitlines()
    assert setup == ["python -m venv .venv", ".venv/bin/python -m pip install -r requirements.txt"]
    assert command.startswith(".venv/bin/python ")
    return subprocess.run(
        [sys.executable, *command.split()[1:]],
        cwd=unpacked / "code",
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
