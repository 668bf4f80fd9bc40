"""Models of a hub through the workflow: a tiny one a loader, from a mirror to the database, with no network."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
import yaml

from tests import tiny_models
from tests.project import snakemake
from tests.workflow.test_default_run import query

# A line a loader: its task, and what else its entry has. Each is saved by its function of tests/tiny_models.py.
LOADERS = {
    "masked-lm": {"task": "csc"},
    "g2pw": {"task": "g2p"},
    "whisper": {"task": "lid"},
    "mms": {"task": "lid", "fit": False},
    "wav2vec2": {"task": "lid", "fit": False},
}
# What becomes of their files in the mirror before the run.
BROKEN = {"one-byte": lambda path: flip_a_byte(path), "absent": lambda path: path.unlink()}
# What an attacker's entry pins: a vocabulary that is a pickle, in which a command waits that writes the file "taken".
HOSTILE = b"cos\nsystem\n(S'touch taken'\ntR."
FLAGGED = {"trust": "flagged", "trust_reason": "a report", "trust_source": "a test"}
SENTENCES = ["今天新情很好\t今天心情很好", "我们在见\t我们再见", "，。1a好\t，。1a好"]
WORDS = ["銀▁行▁大", "▁行▁街", "▁長▁大"], ["hong4", "haang4", "zoeng2"]
CORPORA = {
    "tiny-csc": {
        "task": "csc",
        "title": "Tiny",
        "reader": "pairs",
        "files": {"text": "own/tiny.tsv"},
        "licence": "CC0-1.0",
    },
    "tiny-g2p": {
        **{"task": "g2p", "title": "Tiny", "reader": "anchored"},
        "files": {"sent": "own/tiny.sent", "lb": "own/tiny.lb"},
        "licence": "CC0-1.0",
    },
}
SPEECH = "resources/samples/merlion/MERLIon-CCS-Challenge_Development-Set_v001/_CONFIDENTIAL"
CORPORA["tiny-speech"] = {
    **{"task": "merlion", "title": "Tiny", "reader": "merlion", "confidential": "nothing", "origin": "synthetic"},
    **{"compressed": True, "files": {"audio": "own/audio", "labels": "own/labels.csv"}, "licence": "CC0-1.0"},
}
CONFIG = {
    "catalogs": {"models": ["own/models.yaml"], "corpora": ["config/corpora.yaml", "own/corpora.yaml"]},
    "g2p": {"corpora": ["tiny-g2p"], "pools": []},
    "csc": {"corpora": ["tiny-csc"]},
    "merlion": {
        **{"corpora": ["tiny-speech"], "shards": 1, "training": ["sample-librispeech", "sample-aishell"]},
        "partitions": [
            {
                **{"name": "tiny", "track": "open"},
                "parts": [{"corpus": corpus, "hours": 0.02} for corpus in ("sample-librispeech", "sample-aishell")],
            }
        ],
    },
    "lid": {"training": "tiny"},
    "allow_flagged": ["tiny-mms"],
    "statistics": {"resamples": 200},
}


@pytest.fixture(scope="module")
def ran(source, tmp_path_factory) -> Path:
    """A run of all loaders; its mirror stands beside it."""
    place = tmp_path_factory.mktemp("hub")
    folder = Path(shutil.copytree(source, place / "workflow"))
    own = folder / "own"
    own.mkdir()
    (own / "tiny.tsv").write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    (own / "tiny.sent").write_text("\n".join(WORDS[0]) + "\n", encoding="utf-8")
    (own / "tiny.lb").write_text("\n".join(WORDS[1]) + "\n", encoding="utf-8")
    (own / "audio").mkdir()
    heard = sorted((folder / SPEECH / "_audio").iterdir())[:3]  # of as many pairs as there are folds
    for path in heard:
        shutil.copy(path, own / "audio")
    [labels] = (folder / SPEECH / "_labels").glob("*_labels.csv")
    header, *rows = labels.read_text(encoding="utf-8").splitlines()
    rows = [row for row in rows if row.split(",")[0] in {path.name.removesuffix(".ogg") for path in heard}]
    (own / "labels.csv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    models = {f"tiny-{loader}": entry(place / "mirror", f"tiny-{loader}", loader) for loader in LOADERS}
    for name, change in BROKEN.items():
        models[name] = entry(place / "mirror", name, "masked-lm")
        models[name]["files"] = {"vocab.txt": models[name]["files"]["vocab.txt"]}
        change(in_mirror(place / "mirror", models[name]) / "vocab.txt")
    models["hostile"] = entry(place / "mirror", "hostile", "masked-lm", HOSTILE)
    models["tiny-mms"] |= FLAGGED
    models["left-out"] = entry(place / "mirror", "left-out", "masked-lm") | FLAGGED
    for name, content in {"models": models, "corpora": CORPORA, "hub": CONFIG}.items():
        (own / f"{name}.yaml").write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    result = run(folder, "database")
    assert result.returncode == 1 and (folder / "results/hub/sinobench.duckdb").exists(), result.stderr
    (folder / "said.txt").write_text(result.stderr, encoding="utf-8")
    return folder


def entry(mirror: Path, name: str, loader: str, words: bytes | None = None) -> dict:
    """Save a tiny model of the loader into a mirror, with another vocabulary where it is given; its entry."""
    made = {"title": name, "kind": "hub", "loader": loader, "licence": "CC0-1.0", "training_data": ["none"]}
    made |= {"hub": f"tests/{name}", "revision": hashlib.sha1(name.encode()).hexdigest()} | LOADERS[loader]
    saved = mirror.parent / "saved" / loader  # once: it takes seconds
    if not saved.exists():
        saved.mkdir(parents=True)
        getattr(tiny_models, f"save_{loader.replace('-', '_')}")(saved)
    folder = Path(shutil.copytree(saved, in_mirror(mirror, made)))
    if words:
        (folder / "vocab.txt").write_bytes(words)
    return made | {"files": {path.name: facts_of(path) for path in sorted(folder.iterdir())}}


def facts_of(path: Path) -> dict:
    content = path.read_bytes()
    return {"sha256": hashlib.sha256(content).hexdigest(), "size_bytes": len(content)}


def in_mirror(mirror: Path, entry: dict) -> Path:
    return mirror / "hub" / entry["hub"].replace("/", "--") / entry["revision"]


def flip_a_byte(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:-2] + bytes([content[-2] ^ 1]) + content[-1:])


def run(folder: Path, *arguments: str):
    """Snakemake with the mirror beside the folder, where no address of the hub answers."""
    closed = "http://127.0.0.1:9"
    mirror = str(folder.parent / "mirror")
    return snakemake(
        folder, "--configfile", "own/hub.yaml", "--", *arguments, SINOBENCH_MIRROR=mirror, HF_ENDPOINT=closed
    )


def predictions(model: str) -> str:
    return f"results/hub/csc/predictions/tiny-csc/{model}.parquet"


def test_each_loader_predicts(ran):
    texts = query(ran, "SELECT prediction FROM csc_predictions WHERE model = 'tiny-masked-lm' ORDER BY item_id", "hub")
    assert [text for (text,) in texts] == [line.split("\t")[1] for line in SENTENCES]
    readings = query(ran, "SELECT prediction FROM g2p_predictions ORDER BY item_id", "hub")
    assert [reading for (reading,) in readings] == WORDS[1]
    scores = query(
        ran, "SELECT model, count(DISTINCT english_score) > 1, count(*) FROM lid_scores GROUP BY 1 ORDER BY 1", "hub"
    )
    [(n,)] = query(ran, "SELECT count(*) FROM lid_segments", "hub")
    assert scores == [(f"tiny-{loader}", True, n) for loader in ("mms", "wav2vec2", "whisper")]


def test_identification_models_are_calibrated_where_their_entry_does_not_say_otherwise(ran):
    assert query(ran, "SELECT model FROM fits WHERE task = 'lid'", "hub") == [("tiny-whisper",)]
    [fitted] = (ran / "results/shared/lid/fitted").glob("*/tiny-whisper")
    assert not (fitted / "model").exists()
    training = json.loads((fitted / "training.json").read_text(encoding="utf-8"))
    assert training["track"] == "open" and len(training["held_out_speakers"]) == 2
    calibration = json.loads((fitted / "calibration.json").read_text(encoding="utf-8"))
    assert calibration["slope"] not in (0, 1) and calibration["offset"] != 0


def test_the_database_says_which_files_a_model_is(ran):
    models = yaml.safe_load((ran / "own/models.yaml").read_text(encoding="utf-8"))
    rows = query(ran, "SELECT model, kind, source, revision, licence, length(sha256) FROM models", "hub")
    del models["left-out"]
    expected = [(name, "hub", entry["hub"], entry["revision"], "CC0-1.0", 64) for name, entry in models.items()]
    assert sorted(rows) == sorted(expected)
    found = query(ran, "SELECT model, file, sha256, size_bytes FROM inspections WHERE model LIKE 'tiny-%'", "hub")
    pins = [(name, file, *facts.values()) for name, entry in models.items() for file, facts in entry["files"].items()]
    assert sorted(found) == sorted(row for row in pins if row[0].startswith("tiny-"))
    versions = dict(query(ran, "SELECT model, versions FROM runs WHERE status = 'done'", "hub"))
    assert all("torch" in versions[f"tiny-{loader}"] for loader in LOADERS if loader != "g2pw")
    assert "onnxruntime" in versions["tiny-g2pw"]


def test_a_file_that_is_not_as_pinned_or_absent_costs_its_model_alone(ran):
    failed = dict(query(ran, "SELECT model, reason FROM runs WHERE status = 'failed'", "hub"))
    assert failed.keys() == {*BROKEN, "hostile"}
    assert all("cannot retrieve vocab.txt of hub/tests--" in failed[model] for model in BROKEN)
    assert "wrong sha256: expected" in failed["one-byte"] and "does not exist" in failed["absent"]
    said = (ran / "said.txt").read_text(encoding="utf-8")
    assert said.count("retrieve_hub") and "The same command tries again." in said


def test_a_hostile_file_costs_its_model_alone_and_is_not_executed(ran):
    found = query(ran, "SELECT model, file, reason FROM inspections WHERE verdict = 'refused'", "hub")
    assert found == [("hostile", "vocab.txt", "is a pickle, which imports os.system")]
    [(reason,)] = query(ran, "SELECT reason FROM runs WHERE model = 'hostile'", "hub")
    assert reason == "model 'hostile' is refused: vocab.txt: is a pickle, which imports os.system"
    assert not list(ran.rglob("taken"))


def test_every_file_of_an_honest_model_is_accepted(ran):
    models = yaml.safe_load((ran / "own/models.yaml").read_text(encoding="utf-8"))
    listed = [(name, file) for name in models if name.startswith("tiny-") for file in models[name]["files"]]
    accepted = query(ran, "SELECT model, file FROM inspections WHERE verdict = 'accepted'", "hub")
    assert {pair for pair in accepted if pair[0].startswith("tiny-")} == set(listed)
    [(note,)] = query(ran, "SELECT note FROM inspections WHERE file = 'g2pw.onnx'", "hub")
    assert "'phoneme_mask'" in note and "'input_ids'" not in note


def test_a_flagged_model_runs_where_it_is_allowed_and_says_so(ran):
    trust = dict(query(ran, "SELECT model, trust FROM leaderboard WHERE task = 'lid'", "hub"))
    assert trust == {"tiny-mms": "flagged", "tiny-whisper": "pinned", "tiny-wav2vec2": "pinned"}
    said = (ran / "said.txt").read_text(encoding="utf-8")
    assert "not run: left-out: it is flagged: a report (a test); the config's key allow_flagged can name it" in said


def test_what_was_retrieved_is_kept_and_checked_before_each_use(ran):
    """Without mirror and network: nothing to do, then a model anew, then one whose file was changed where it stands."""
    (ran.parent / "mirror").rename(ran.parent / "elsewhere")
    assert "Nothing to be done" in run(ran, predictions("tiny-masked-lm")).stderr
    (ran / predictions("tiny-masked-lm")).unlink()
    again = run(ran, predictions("tiny-masked-lm"))
    assert again.returncode == 0, again.stderr
    [words] = (ran / "results/shared/retrieved/hub/tests--tiny-masked-lm").glob("*/vocab.txt")
    flip_a_byte(words)
    changed = run(ran, predictions("tiny-masked-lm"))
    assert changed.returncode == 1 and "vocab.txt" in changed.stderr and "sha256" in changed.stderr
