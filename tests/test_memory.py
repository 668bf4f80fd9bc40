"""What jobs hold of a corpus grows with its items by far less than they take as objects, over a thousand bytes."""

import json
import runpy
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sinobench.csc.models.chat import Chat
from sinobench.csc.readers import read_corpus
from sinobench.ld.running import Chosen
from sinobench.merlion.audio.tables import MASKED
from sinobench.results import tables
from sinobench.results.statistics.resampling import Settings
from sinobench.samples.sized import csc, g2p, merlion
from tests.merlion.training.test_corpora import grid

SCRIPTS = Path(__file__).parents[1] / "scripts"
FEW = Settings(resamples=100)
SIZES = (1_000, 3_000)
MOST_BYTES = {"csc": 200, "g2p": 80, "speech": 400}
MOST_BYTES_OF_A_MISTAKE = {"sighan": 600, "cged": 50}
SEGMENTS_A_RECORDING = 330
JOBS = {"csc": ("ingest", "overlap", "predict", "score", "compare"), "g2p": ("ingest", "predict", "compare")}
ENTRIES = {
    "csc": {"columns": ["input", "gold"], "delimiter": "\t", "lenient": False, "remove_blanks": False},
    "g2p": {},
}


def jobs(task, folder, size):
    """The jobs of a file of predictions on a sized corpus, in their order, each as a function."""
    maker = {"csc": csc, "g2p": g2p}[task]
    entry = ENTRIES[task] | maker.make(folder, size, 0)
    main = {job: runpy.run_path(str(SCRIPTS / f"{job}_{task}.py"))["main"] for job in JOBS[task]}
    [model, *_] = maker.MODELS
    names = "items inputs aside overlaps predictions runs outcomes edits metrics comparisons ranks detectable"
    path = {name: str(folder / f"{name}.parquet") for name in names.split()}
    of_csc = task == "csc"
    yield "ingest", lambda: main["ingest"]("c", entry, entry["files"], path["items"], path["inputs"], path["aside"])
    if of_csc:
        training = [str(folder.parent / "first" / "items.parquet")]
        yield "overlap", lambda: main["overlap"]("c", path["items"], training, [path["items"]], path["overlaps"])
    given = {name: path[name] for name in ("inputs", "predictions", "runs")} | {"threads": 1}
    given |= {"entry": {"kind": "predictions"}, "files": [str(folder / f"{model}.txt")]}
    given |= {"fitted": None, "answers": ""} if of_csc else {}
    yield "predict", lambda: main["predict"]("c", model, **given)
    other = folder / "other.tsv"
    if of_csc:
        other.write_text("\n".join((folder / f"{model}.txt").read_text().splitlines()[::-1]))
    else:
        write_table(path["inputs"], folder / f"{model}.txt", other)
    yield "predict of another order", lambda: main["predict"]("c", model, **given | {"files": [str(other)]})
    if of_csc:
        scored = {name: path[name] for name in ("items", "predictions", "outcomes", "edits", "metrics")}
        yield "score", lambda: main["score"]("c", model, FEW, "", **scored, overlaps=[])
    else:  # most of what scoring takes is that of each character's figures
        tables.write(tables.METRICS, [{"subset": "all"}], path["metrics"])
    files = [[path[name]] for name in ("predictions", "metrics")] + [[]] * of_csc
    outputs = [path[name] for name in ("comparisons", "ranks", "detectable")]
    yield "compare", lambda: main["compare"]("c", [model], FEW, path["items"], *files, *outputs)


def write_table(inputs, syllables, table):
    """A file of syllables as a table, the last item first."""
    rows = zip(tables.read(inputs).to_pylist(), syllables.read_text().split("\n"), strict=False)
    lines = [f"{row['text']}\t{row['position']}\t{syllable}" for row, syllable in rows]
    table.write_text("\n".join(["text\tposition\tprediction", *lines[::-1]]) + "\n")


def jobs_of_speech(folder, size):
    """The jobs of annotation, identification and diarization on sized recordings, in their order, as functions."""
    entry = merlion.make(folder, size, 0)["files"]
    script = {path.stem: path for path in SCRIPTS.glob("*.py")}

    def main(name, *given):
        return name, lambda: runpy.run_path(str(script[name]))["main"](*given)

    def path(name):
        return str(folder / f"{name}.parquet")

    def paths(*names):
        return [path(name) for name in names]

    read = {name: path(name) for name in ("recordings", "raw_grains", "redactions", "set_aside")}
    read |= {"segments": path("unsorted"), "regions": path("given")}
    yield main("ingest_merlion", "c", "scored", entry, "fail", read)
    tables.write(MASKED, [masked | {"n_redactions": 0} for masked in _masked(read["recordings"])], path("masked"))
    recoded = {name: path(name) for name in ("grains", "segments", "redaction_labels", "labels")}
    yield main("recode_merlion", "c", "Development", *paths("raw_grains", "unsorted", "redactions"), False, recoded)
    annotated = paths("recordings", "given", "redactions", "segments")
    yield main("subtract_regions", *annotated, [], *paths("regions", "subtractions"))
    yield main("ingest_lid", "c", *paths("segments", "trials", "inputs"))
    [model, *_] = merlion.MODELS
    given = {"kind": "predictions", "files": {"c": str(folder / f"{model}.txt")}}
    yield main("predict_lid", "c", model, given, [], None, path("inputs"), True, [], [], *paths("scores", "runs"), 1)
    yield main("score_lid", "c", model, FEW, *paths("trials", "scores", "outcomes", "of_recordings", "det", "figures"))
    compared = paths("comparisons", "ranks", "detectable")
    yield main("compare_lid", "c", [model], FEW, path("trials"), paths("scores"), paths("figures"), *compared)
    yield main("ingest_ld", "c", *paths("segments", "turns"))
    chosen = Chosen(model, {"kind": "predictions"}, [str(folder / f"{model}.rttm")])
    heard = (paths("masked"), entry["audio"], entry["audio"])
    yield main("predict_ld", "c", chosen, path("recordings"), *heard, *paths("predictions", "runs"), 1)
    corpus = paths("recordings", "turns", "regions")
    scored = paths("of_turns", "collars", "switches", "metrics")
    yield main("score_ld", "c", model, FEW, *corpus, paths("predictions"), *scored)
    yield main("compare_ld", "c", [model], FEW, *corpus, paths("predictions"), paths("metrics"), *compared)


def released(form, n):
    """The text of n sentences in a form in which their owners release them."""
    for i in range(n):
        wrong, right = (f"第{i}句话的某个地{word}有一个错字，其余的都是对的，读起来也很通顺。" for word in "芳方")
        if form == "sighan":
            mistake = f'<MISTAKE id="{i}" location="{wrong.index("芳") + 1}">'
            edit = "<WRONG>地芳</WRONG>\n<CORRECTION>地方</CORRECTION>"
            yield f'<DOC Nid="{i}">\n<P>{wrong}</P>\n{mistake}\n{edit}\n</MISTAKE>\n</DOC>\n'
        else:
            yield f'<DOC>\n<TEXT id="{i}">\n{wrong}\n</TEXT>\n<CORRECTION>\n{right}\n</CORRECTION>\n</DOC>\n'


def asked(folder, n):
    """A served model that is given n texts some at a time, all of whose answers were kept."""
    options = {"endpoint": "http://localhost/v1", "chat_model": "m", "max_tokens": 64, "prompt": "Correct: {text}"}
    texts = [f"第{i}句话的某个地方没有错字，读起来也很通顺。" for i in range(n)]
    model = Chat(options, {"key_variable": None, "at_once": 1, "price": None}, folder)
    folder.mkdir()
    with model._answers._path.open("w") as file:
        for text in texts:
            answer = {"prompt": f"Correct: {text}", "text": text, "prompt_tokens": 20, "completion_tokens": 20}
            file.write(json.dumps(answer) + "\n")

    def ask():
        for start in range(0, n, 250):
            assert model.predict(texts[start : start + 250]) == texts[start : start + 250]
        assert model.took["n_cached"] == n

    return ask


def jobs_of_training(folder, n):
    """The jobs that read and choose n utterances of training speech, 250 a recording."""
    folder.mkdir()
    for recording in range(n // 250):
        soundfile.write(folder / f"{recording}.wav", np.zeros(4_000, np.int16), 16_000)
        words = grid(*((i / 1000, (i + 1) / 1000, "words") for i in range(250)))
        (folder / f"{recording}.TextGrid").write_text(words)
    read, chosen, aside = (str(folder / f"{name}.parquet") for name in ("read", "chosen", "aside"))
    main = {job: runpy.run_path(str(SCRIPTS / f"{job}_training.py"))["main"] for job in ("ingest", "partition")}
    yield "ingest", lambda: main["ingest"]("c", "nsc", {"audio": str(folder)}, "fail", read, aside)
    rows = (f"{i // 250}.wav,{i % 250},{i % 250 + 1},English,s,{i // 250}\n" for i in range(n))
    (folder / "manifest.csv").write_text("path,start_ms,end_ms,language,speaker,recording\n" + "".join(rows))
    other = str(folder / "other.parquet")
    yield "ingest by table", lambda: main["ingest"]("c", "manifest", {"audio": str(folder)}, "fail", other, aside)
    entry = {"name": "p", "track": "open", "pretrained": [], "parts": [{"corpus": "c", "ids": None, "hours": None}]}
    yield "partition", lambda: main["partition"](entry, {"c": "nsc"}, 1, [read], chosen, str(folder / "lists"))


def _masked(recordings):
    rows = tables.read(recordings).to_pylist()
    return [{"recording": row["recording"], "original": row["path"], "n_samples": row["n_samples"]} for row in rows]


def peaks(found_jobs):
    """Bytes that each job held at most, of Python's objects and NumPy's arrays."""
    found = {}
    for name, job in found_jobs:
        tracemalloc.start()
        job()
        found[name] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return found


@pytest.mark.parametrize("task", JOBS)
def test_jobs_hold_no_text_of_the_items_before(task, tmp_path, monkeypatch):
    for name in ("ROWS_AT_ONCE", "ROWS_IN_HAND"):
        monkeypatch.setattr(tables, name, 250)
    for name in ("_SENTENCES_AT_ONCE", "_BATCH"):
        monkeypatch.setattr(f"sinobench.csc.overlap.{name}", 250)
    for name in (
        "text._BYTES_AT_ONCE",
        "csc.digests._AT_ONCE",
        "csc.gathered._ROWS_AT_ONCE",
        "g2p.scored._ROWS_AT_ONCE",
        "score._UNITS_AT_ONCE",
        "results.statistics.resampling._ROWS_AT_ONCE",
    ):
        monkeypatch.setattr(f"sinobench.{name}", 2**10)
    small, large = SIZES
    for size in ("first", *SIZES):  # libraries and what is known of characters are loaded by now
        for _, job in jobs(task, tmp_path / str(size), size if size != "first" else 300):
            job()
    one, other = (peaks(jobs(task, tmp_path / str(size), size)) for size in SIZES)
    held = {name: (other[name] - one[name]) / (large - small) for name in one}
    assert all(bytes_an_item < MOST_BYTES[task] for bytes_an_item in held.values()), held


def test_jobs_of_speech_hold_columns_of_small_types(tmp_path, monkeypatch):
    for name in ("results.tables.ROWS_AT_ONCE", "results.tables.ROWS_IN_HAND", "results.arrow._ROWS_AT_ONCE"):
        monkeypatch.setattr(f"sinobench.{name}", 250)
    for name in ("lid.trials.ROWS_AT_ONCE", "lid.in_order._LINES_AT_ONCE", "ld.rttm._LINES_AT_ONCE"):
        monkeypatch.setattr(f"sinobench.{name}", 250)
    monkeypatch.setattr("sinobench.ld.breakdown._RECORDINGS_AT_ONCE", 2)
    monkeypatch.setattr("sinobench.text._BYTES_AT_ONCE", 2**10)
    monkeypatch.setattr("sinobench.merlion.annotation.plain._LINES_AT_ONCE", 250)
    for _, job in jobs_of_speech(tmp_path / "first", 3):
        job()
    small, large = 4, 16
    one, other = (peaks(jobs_of_speech(tmp_path / str(size), size)) for size in (small, large))
    held = {name: (other[name] - one[name]) / (large - small) / SEGMENTS_A_RECORDING for name in other}
    assert all(bytes_a_segment < MOST_BYTES["speech"] for bytes_a_segment in held.values()), held


@pytest.mark.parametrize("form", ["sighan", "cged"])
def test_forms_that_owners_release_are_read_without_holding_their_text(form, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "ROWS_IN_HAND", 250)
    monkeypatch.setattr("sinobench.text._BYTES_AT_ONCE", 2**10)
    monkeypatch.setattr("sinobench.csc.released._LINES_AT_ONCE", 250)
    found = []

    def reading(n):
        path = tmp_path / f"{n}.sgml"
        path.write_text("".join(released(form, n)))
        return "read", lambda: found.append(read_corpus("c", {"reader": form}, {"text": path}, lambda rows: None))

    peaks([reading(10)])
    small, large = SIZES
    one, other = (peaks([reading(size)])["read"] for size in SIZES)
    assert [len(corpus.items) for corpus in found] == [10, *SIZES]
    assert (other - one) / (large - small) < MOST_BYTES_OF_A_MISTAKE[form]


def test_jobs_of_training_speech_hold_no_utterances_or_their_small_objects(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "ROWS_AT_ONCE", 250)
    monkeypatch.setattr(tables, "ROWS_IN_HAND", 250)
    monkeypatch.setattr("sinobench.text._BYTES_AT_ONCE", 2**10)
    peaks(jobs_of_training(tmp_path / "first", 250))
    small, large = SIZES
    one, other = (peaks(jobs_of_training(tmp_path / str(size), size)) for size in SIZES)
    held = {name: (other[name] - one[name]) / (large - small) for name in one}
    assert held["ingest"] < 40 and held["ingest by table"] < 40 and held["partition"] < 350, held


def test_a_served_model_holds_digests_of_what_was_asked(tmp_path):
    asking = [("ask", asked(tmp_path / str(n), n)) for n in (10, *SIZES)]
    peaks(asking[:1])
    small, large = SIZES
    one, other = (peaks([each])["ask"] for each in asking[1:])
    assert (other - one) / (large - small) < 400
