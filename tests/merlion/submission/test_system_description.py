import json
import re

import pytest

from sinobench.archive import TO_FILL
from sinobench.errors import InputError
from sinobench.merlion.submission.system_description import System, document, read_fitted

SECTIONS = [
    "## 1. Authors",
    "## 2. Abstract",
    "## 3. Brief summary of notable highlights",
    "## 4. Data resources",
    "## 5. Detailed description of algorithm",
    "## 6. Results on the development and evaluation sets",
]
CORPORA = {
    "dev": {"title": "MERLIon sample (synthetic)", "origin": "other", "licence": "CC0-1.0"},
    "real": {"title": "Own | recordings", "origin": "other", "licence": "unknown"},
    "libri": {"title": "LibriSpeech, train-clean-100", "origin": "librispeech", "licence": "CC-BY-4.0"},
    "own": {"title": "Own data", "origin": "other", "licence": "unknown"},
}
PARTS = [
    {"corpus": "libri", "hours": 20, "order": "shuffled", "ids": None},
    {"corpus": "libri", "hours": None, "order": "shuffled", "ids": "/data/lists/more.txt"},
    {"corpus": "own", "hours": None, "order": "shuffled", "ids": None},
]
CONFIG = {
    "seed": 7,
    "merlion": {"partitions": [{"name": "mixed", "parts": PARTS}]},
    "lid": {},
    "ld": {},
    "g2p": {"corpora": ["poems"]},
}
TRAINING = {
    "partition": "mixed",
    "track": "open",
    "hours": 22.5,
    "corpora": {"libri": 20.5, "own": 2},
    "speakers": {"English": 4, "Mandarin": 2},
}
PRETRAINED = [{"name": "wavLM", "version": "base+", "url": "https://example.org/wavlm", "public": True}]
METRIC = {
    "protocol": "strict",
    "subset": "all",
    "metric": "eer",
    "value": 0.22125,
    "ci_low": 0.2,
    "level": 0.95,
    "ci_high": 0.25,
    "n_items": 9,
}
RUN = {"corpus": "dev", "audio_s": 60.04, "predict_s": 2.0, "times_real_time": 30.02, "peak_memory_mb": 512.4}
RUN |= {"threads": 2, "host": "Linux x86_64, box", "versions": "python 3.11.7, numpy 2.0"}


@pytest.fixture
def entry(write):
    path = write('class Mine:\n    """Two states and a threshold."""\n\n    takes = "audio"\n', "mine.py")
    return {
        "task": "lid",
        "title": "My model",
        "kind": "python",
        "class": f"{path}:Mine",
        "options": {"states": 2},
    }


def system(entry, **changes):
    fields = {
        "task": "lid",
        "track": "open",
        "pretrained": PRETRAINED,
        "components": {"mine": entry},
        "fitted": {"training.json": TRAINING, "calibration.json": {"slope": 0.5, "offset": -0.25}},
        "corpora": CORPORA,
        "config": CONFIG,
        "revision": "abc123",
    }
    return System(**fields | changes)


def section(text, number):
    return re.split(r"^## ", text, flags=re.MULTILINE)[number]


def test_sections_are_those_of_the_plan(entry):
    text = document(system(entry), [], [])
    assert text.startswith("# My model\n")
    assert [line for line in text.splitlines() if line.startswith("## ")] == SECTIONS
    assert "`mine` (My model) is submitted to **Task 1 (Language Identification), open track**" in text
    for number in (1, 2, 3):
        assert TO_FILL in section(text, number)


def test_data_are_told_with_their_hours_and_how_they_were_chosen(entry):
    data = section(document(system(entry), [], []), 4)
    assert "Partition `mixed`: 22.500 h, 2.000 h of them beyond the challenge's list." in data
    chosen = "whole speakers shuffled by seed 7, one by one until 20 h were reached; "
    chosen += "the recordings or speakers of an official list, more.txt"
    assert f"| LibriSpeech, train-clean-100 | CC-BY-4.0 | 20.500 | {chosen} |" in data
    assert "| Own data | unknown | 2.000 | the whole corpus |" in data
    assert '- speakers: {"English": 4, "Mandarin": 2}' in data
    assert f"{TO_FILL} URL or DOI of the data beyond the list" in data
    assert "- wavLM, version base+, <https://example.org/wavlm>" in data


def test_listed_data_alone_leave_nothing_to_document(entry):
    training = TRAINING | {"corpora": {"libri": 20.5}}
    closed = system(entry, track="closed", pretrained=[], fitted={"training.json": training})
    data = section(document(closed, [], []), 4)
    assert "0.000 h of them beyond" in data and "None." in data and TO_FILL not in data


def test_data_that_the_track_forbids_are_not_described(entry):
    with pytest.raises(InputError, match="closed track"):
        document(system(entry, track="closed", pretrained=[]), [], [])


def test_a_system_of_synthetic_speech_is_of_no_closed_track(entry):
    corpora = CORPORA | {"libri": CORPORA["libri"] | {"origin": "synthetic"}}
    fitted = {"training.json": TRAINING | {"corpora": {"libri": 0.1}}}
    text = document(system(entry, track="closed", pretrained=[], fitted=fitted, corpora=corpora), [], [])
    assert "it is no system of the closed track: **it was fitted on synthetic speech**" in text
    assert "closed track**" not in text


def test_model_that_was_not_fitted(entry):
    data = section(document(system(entry, fitted={}), [], []), 4)
    assert "sinobench fitted nothing for this system" in data and TO_FILL in data


def test_algorithm_tells_class_options_fit_and_how_to_repeat_it(entry):
    algorithm = section(document(system(entry), [], [RUN]), 5)
    assert "Two states and a threshold." in algorithm and "- states: 2" in algorithm
    assert "Fitted, `calibration.json`:\n\n- slope: 0.5\n- offset: -0.25" in algorithm
    assert f"{TO_FILL} acoustic features." in algorithm  # it takes audio
    assert "None: the challenge gives the segments." in algorithm
    row = "| MERLIon sample (synthetic) | 60.0 | 2.0 | 30.0 | 512 | 2 | Linux x86_64 | python 3.11.7, numpy 2.0 |"
    assert row in algorithm
    assert "commit abc123" in algorithm
    used = json.loads(re.search(r"```json\n(.*)\n```", algorithm, re.DOTALL)[1])
    assert used["models"] == {"mine": entry} and used["config"]["seed"] == 7 and "g2p" not in used["config"]


def test_diarization_describes_its_identification_model_too(entry, write):
    path = write('class Features:\n    """Takes features."""\n', "features.py")
    components = {
        "turns": entry | {"task": "ld", "title": "My turns"},
        "other": entry | {"title": "My languages", "class": f"{path}:Features"},
    }
    text = document(system(entry, task="ld", components=components), [], [])
    assert text.startswith("# My turns\n") and "Task 2 (Language Diarization), open track" in text
    algorithm = section(text, 5)
    assert "### `turns`: My turns" in algorithm and "### `other`: My languages" in algorithm
    assert "39 values a frame of 25 ms" in algorithm


def test_predictions_of_someone_else_are_for_the_author(entry):
    other = {"task": "lid", "title": "Theirs", "kind": "predictions", "files": {"dev": "x.txt"}}
    text = document(system(other, components={"theirs": other}, fitted={}, pretrained=[]), [], [])
    assert f"{TO_FILL} the training data with amounts" in section(text, 4)
    assert f"{TO_FILL} each component" in section(text, 5)
    assert f"{TO_FILL} hardware and time of prediction" in section(text, 5)


def test_results_name_synthetic_corpora(entry):
    rows = [METRIC | {"corpus": "dev"}, METRIC | {"corpus": "dev", "subset": "pair=P1", "value": 0.9}]
    rows.append(METRIC | {"corpus": "real", "value": None, "ci_low": None})
    results = section(document(system(entry), rows, []), 6)
    assert "| MERLIon sample (synthetic) | strict | eer | 0.2213 | 0.2000–0.2500 | 9 |" in results
    assert "| Own \\| recordings | strict | eer | – |  | 9 |" in results
    assert "0.9000" not in results
    assert (
        "Figures on synthetic recordings, which say nothing of the challenge's: MERLIon sample (synthetic)." in results
    )
    assert f"{TO_FILL} the figures that the challenge returned" in results
    assert "say nothing" not in section(document(system(entry), rows[2:], []), 6)


def test_documents_of_a_fitted_model(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "training.json").write_text('{"partition": "mixed"}')
    (tmp_path / "model" / "config.json").write_text('{"n_parameters": 12}')
    (tmp_path / "model" / "weights.safetensors").write_bytes(b"\0")
    assert read_fitted(tmp_path) == {"model/config.json": {"n_parameters": 12}, "training.json": {"partition": "mixed"}}
    (tmp_path / "training.json").write_text("{")
    with pytest.raises(InputError, match=r"training.json: is no JSON"):
        read_fitted(tmp_path)
