"""MERLIon corpora that a user brings, through the workflow: set aside, masked by their owner, cut as one likes."""

import io
import re
import zipfile
from functools import partial

import numpy as np
import pyarrow.parquet as pq
import pytest
import soundfile
import yaml

from sinobench.merlion.audio.redact import mask
from tests.merlion.annotation.test_tables import Elan
from tests.project import snakemake
from tests.workflow import test_default_run

query = partial(test_default_run.query, run="m")

RATE = 32_000
GOOD = [f"TTS_P1000{i}TT_VCST_ECxxx_01_AO_{i}_v001_R004_CRR_MERLIon-CCS" for i in range(3)]
NOTHING_ELSE = {
    "g2p": {"corpora": [], "pools": [], "models": []},
    "csc": {"corpora": [], "training": [], "models": []},
    "lid": {"models": [], "training": None},
    "ld": {"models": []},
    "statistics": {"resamples": 200},
}


@pytest.fixture
def corpus(workflow):
    """corpus(**entry) names what lies in the folder ``mine`` in the catalog; three recordings of 4 s are there."""
    folder = workflow / "mine"
    (folder / "audio").mkdir(parents=True)
    for i, name in enumerate(GOOD):
        write_audio(folder / f"audio/{name}.wav", seed=i)
    rows = [f"{name}.wav,a{i},{1000 * i},{1000 * i + 900},{tag},False" for name in GOOD for i, tag in enumerate(TAGS)]
    write_table(folder / "labels.csv", LABELS, rows)
    write_table(folder / "regions.csv", "file,start,end", [f"{name}.wav,0,4000" for name in GOOD])

    def corpus(merlion=None, **entry):
        files = {path.stem: f"mine/{path.name}" for path in folder.iterdir()}
        common = {"task": "merlion", "title": "Mine", "reader": "merlion", "licence": "none", "files": files}
        common |= {"confidential": "speech"}
        catalog = workflow / "config/corpora.yaml"
        text = catalog.read_text(encoding="utf-8") + yaml.safe_dump({"mine": common | entry})
        catalog.write_text(text, encoding="utf-8")
        settings = {"corpora": ["mine"], "training": [], "partitions": [], "folds": 2, "shards": 1} | (merlion or {})
        (workflow / "m.yaml").write_text(yaml.safe_dump(NOTHING_ELSE | {"merlion": settings}), encoding="utf-8")
        return folder

    return corpus


LABELS = "audio_name,utt_id,start,end,language_tag,overlap_diff_lang"
TAGS = ("English", "Mandarin", "Non-Evaluated-Speech")


def write_audio(path, seconds=4.0, rate_hz=RATE, channels=1, seed=0):
    shape = (round(seconds * rate_hz), channels)
    samples = np.random.default_rng(seed).integers(-3000, 3000, shape).astype(np.int16)
    soundfile.write(path, samples, rate_hz, subtype="PCM_16")
    return path


def write_table(path, header, rows):
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")


def append(path, rows):
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{row}\n" for row in rows)


def run(workflow, *targets):
    return snakemake(workflow, *targets, "--configfile", "m.yaml")


def write_wrong(folder):
    """Recordings that can't be used, each for a reason of its own: part of the message by name."""
    wrong = {
        "stereo": "stereo.wav: has 2 channels; expected mono",
        "cd": "cd.wav: has a sample rate of 44100 Hz; expected 32000 Hz",
        "cut": "cut.wav: is truncated",
        "empty": "empty.wav: holds no samples",
        "alone": "alone.wav: has no annotation",
        "lost": "labels.csv, line 15: '…' has no .wav file",
        "long": "labels.csv, line 16: segment … ms of 'long' goes beyond its audio, 4000 ms",
        "broken": "broken.eaf, line 8: is broken XML",
    }
    for name in ("alone", "cut", "long", "broken"):
        write_audio(folder / f"audio/{name}.wav")
    write_audio(folder / "audio/stereo.wav", channels=2)
    write_audio(folder / "audio/cd.wav", rate_hz=44_100)
    write_audio(folder / "audio/empty.wav", seconds=0)
    cut = folder / "audio/cut.wav"
    cut.write_bytes(cut.read_bytes()[:5000])
    rows = [f"{name}.wav,a1,0,900,English,False" for name in ("stereo", "cd", "cut", "empty", "lost")]
    append(folder / "labels.csv", [*rows, "long.wav,a1,3000,4001,English,False"])
    append(folder / "regions.csv", ["alone.wav,0,100", "broken.wav,0,100"])
    elan = Elan()
    elan.add("Child (Utterance)", 0, 900, "hello")
    (folder / "eaf").mkdir()
    (folder / "eaf/broken.eaf").write_text(elan.text().replace("</TIER>", ""), encoding="utf-8")
    return wrong


def test_quarantine_sets_all_bad_recordings_aside(workflow, corpus):
    wrong = write_wrong(workflow / "mine")
    corpus({"on_bad_recording": "quarantine"})
    result = run(workflow, "results/m/sinobench.duckdb")
    assert result.returncode == 0, result.stderr
    rows = query(workflow, "SELECT text, detail FROM set_aside WHERE task = 'merlion' AND reason = 'bad_recording'")
    rows = [
        (name or "lost", detail) for name, detail in rows
    ]  # no file carries that name, so the table does not either
    assert {name: detail[detail.index(wrong[name]) :][: len(wrong[name])] for name, detail in rows} == wrong
    assert query(workflow, "SELECT file, line FROM set_aside WHERE text IN ('long', 'cd') ORDER BY text") == [
        ("cd.wav", None),
        ("labels.csv", 16),
    ]
    for table in ("recordings", "chunks", "regions"):
        assert {name for (name,) in query(workflow, f"SELECT recording FROM merlion_{table}")} == set(GOOD)


def test_without_quarantine_the_first_bad_recording_stops_the_run(workflow, corpus):
    wrong = write_wrong(workflow / "mine")
    corpus()
    result = run(workflow, "results/m/merlion/recordings/mine.parquet")
    assert result.returncode == 1
    [line] = {line for line in result.stderr.splitlines() if line.startswith("error: ")}
    assert wrong["broken"] in line


def test_tone_of_audio_that_its_owner_masked_is_taken_out_of_the_regions(workflow, corpus):
    folder = workflow / "mine"
    for name, spans in ((GOOD[0], [(500, 700), (1200, 1500)]), (GOOD[1], [(3000, 4000)])):
        path = folder / f"audio/{name}.wav"
        mask(path, masked := path.with_suffix(".part"), spans, peak=0.3)
        masked.replace(path)
    write_table(folder / "redactions.csv", "audio_name,start,end,label", [f"{GOOD[0]}.wav,500,700,BABYNAME"])
    before = {path: path.read_bytes() for path in (folder / "audio").iterdir()}
    corpus(masked=True)
    result = run(workflow, "results/m/sinobench.duckdb")
    assert result.returncode == 0, result.stderr
    tone = query(workflow, "SELECT recording, start_ms, end_ms, mentioned FROM merlion_tone ORDER BY ALL")
    assert tone == [(GOOD[0], 500, 700, True), (GOOD[0], 1200, 1500, False), (GOOD[1], 3000, 4000, False)]
    log = (workflow / "results/m/logs/verify_redaction/mine/0.log").read_text(encoding="utf-8")
    assert "tone that no redaction mentions: 2 times" in log and not any(name in log for name in GOOD)
    strict = query(
        workflow, "SELECT recording, start_ms, end_ms FROM merlion_regions WHERE protocol = 'strict' ORDER BY ALL"
    )
    other = (2000, 2900)  # is not evaluated
    assert strict == [
        *((GOOD[0], *span) for span in ((0, 500), (700, 1200), (1500, other[0]), (other[1], 4000))),
        *((GOOD[1], *span) for span in ((0, other[0]), (other[1], 3000))),
        *((GOOD[2], *span) for span in ((0, other[0]), (other[1], 4000))),
    ]
    redacted = query(workflow, "SELECT sum(end_ms - start_ms) FROM merlion_subtractions WHERE reason = 'redaction'")
    assert redacted == [(200 + 300 + 1000,)]
    assert query(workflow, "SELECT count(*) FROM merlion_masked WHERE path IS NOT NULL") == [(0,)]
    assert {path: path.read_bytes() for path in before} == before


DIARIZER = """
class Halves:
    def predict(self, path, score):
        return [(0, 2000, "English"), (2000, 4000, "Mandarin")]
"""
BREAKS = """
class Breaks:
    def predict(self, path, score):
        if "P20001" in str(path):
            raise ValueError(f"{path}: no speech from 1217 ms on")
        return [(0, 3900, "English")]
"""
PRIVATE = {"merlion", "lid", "ld"}  # folders of what jobs hand each other
# An evaluation set of the same owner: what is uploaded is of it.
THEIRS = [f"TTS_P2000{i}TT_VCST_ECxxx_01_AO_{i}_v001_R004_CRR_MERLIon-CCS" for i in range(2)]
# What stands in transcripts, and names of speakers and utterances.
SECRETS = ("AnnaTan", "王小明", "91234567", "Auntie", "u-secret")


def test_nothing_of_a_confidential_corpus_leaves_the_files_of_its_jobs(workflow, corpus):
    """All that a run makes of recordings whose annotation is full of names, with what its entry says by itself."""
    folder = workflow / "mine"
    rows = [f"{GOOD[2]}.wav,Auntie,u-secret,g{i},{start},{start + 612},{tag},AnnaTan王小明 91234567"
            for i, (start, tag) in enumerate([(1217, "Mandarin"), (1829, "English")])]  # fmt: skip
    write_table(folder / "flat.csv", "audio_name,speaker,utterance,grain,start,end,language,text", rows)
    labels = [f"{name}.wav,u-secret{i},{1217 + 612 * i},{1829 + 612 * i},{tag},False"
              for name in GOOD[:2] for i, tag in enumerate(TAGS)]  # fmt: skip
    write_table(folder / "labels.csv", LABELS, labels)
    write_table(folder / "redactions.csv", "audio_name,start,end,label", [f"{GOOD[2]}.wav,1297,1499,BABYNAME"])
    corpus({"corpora": ["mine", "theirs"]}, confidential="everything")
    add_evaluation_set(workflow)
    for name, source in (("halves", DIARIZER), ("breaks", BREAKS)):
        (workflow / f"{name}.py").write_text(source, encoding="utf-8")
        model = {"task": "ld", "title": name.title(), "kind": "python", "class": f"{name}.py:{name.title()}"}
        with (workflow / "config/models.yaml").open("a", encoding="utf-8") as file:
            file.write(yaml.safe_dump({name: model}))
    config = yaml.safe_load((workflow / "m.yaml").read_text(encoding="utf-8"))
    config |= {"lid": {"models": ["majority"], "training": None}, "ld": {"models": ["halves", "breaks"]}}
    (workflow / "m.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    result = run(workflow, "all")
    assert result.returncode == 1, result.stderr
    [(corpus_of, model_of, reason)] = query(
        workflow, "SELECT corpus, model, reason FROM runs WHERE status = 'failed' AND corpus = 'theirs'"
    )
    assert (corpus_of, model_of, reason) == ("theirs", "breaks", "its log says why")
    assert "model 'breaks' failed while predicting recording 2 of 2: ValueError" in result.stderr
    results = workflow / "results/m"
    files = {path.relative_to(results).as_posix(): path for path in results.rglob("*") if path.is_file()}
    held = {name: path.read_bytes() for name, path in files.items() if name.split("/")[0] not in PRIVATE}
    assert {"report", "figures", "logs", "submissions", "sinobench.duckdb"} <= {name.split("/")[0] for name in held}
    uploads = {name: held.pop(name) for name in list(held) if name.endswith("results.zip")}
    check_uploads(uploads)
    held["printed"] = (result.stdout + result.stderr).encode()
    shared = [*(workflow / ".snakemake/log").iterdir(), *(workflow / "results/shared").rglob("*.log")]
    held |= {f"log of the run, {path.name}": path.read_bytes() for path in shared}
    values = query(workflow, "SELECT table_name FROM duckdb_columns() WHERE column_name = 'corpus' AND NOT internal")
    rows = {table: str(query(workflow, f"FROM {table} WHERE corpus IN ('mine', 'theirs')")) for (table,) in values}
    held |= {table: text.encode() for table, text in rows.items()}
    named = {part: [w for w in SECRETS if w.encode() in content] for part, content in held.items()}
    assert {part: words for part, words in named.items() if words} == {}
    # The log of the model that failed has its traceback, which is its author's.
    named = [part for part, content in held.items() if any(name.encode() in content for name in (*GOOD, *THEIRS))]
    assert named == ["logs/predict_ld/theirs/breaks/0.log"]
    browsed = {part: content for part, content in held.items() if part in rows or "browser/" in part}
    times = re.compile(rb"(?<![\w.])(1217|1297)(?!\w)")  # by themselves: what jobs took and hashes may have the digits
    assert [part for part, content in browsed.items() if times.search(content)] == []
    assert query(workflow, "SELECT count(*), count(lder) FROM ld_recordings WHERE model = 'halves'") == [(3, 3)]


def add_evaluation_set(workflow):
    folder = workflow / "theirs"
    (folder / "audio").mkdir(parents=True)
    for i, name in enumerate(THEIRS):
        write_audio(folder / f"audio/{name}.wav", seed=10 + i)
    write_table(folder / "timestamps.csv", "audio_name,utt_id,start,end", [f"{n}.wav,e1,1217,1829" for n in THEIRS])
    entry = {"task": "merlion", "title": "Theirs", "reader": "merlion", "role": "submission", "licence": "none"}
    entry |= {"files": {"audio": "theirs/audio", "timestamps": "theirs/timestamps.csv"}}
    with (workflow / "config/corpora.yaml").open("a", encoding="utf-8") as file:
        file.write(yaml.safe_dump({"theirs": entry}))


def check_uploads(uploads):
    """Each holds what the challenge's format asks for, and no more: ids of trials with scores, predicted turns."""
    held = {}
    for path, content in uploads.items():
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            held[path] = {name: archive.read(name).decode() for name in archive.namelist()}
    turns = "0 2000 English\n2000 4000 Mandarin\n"
    assert held.pop("submissions/ld/closed/halves/results.zip") == {f"{name}.txt": turns for name in THEIRS}
    [(path, texts)] = held.items()
    assert path == "submissions/lid/closed/majority/results.zip" and list(texts) == ["prediction.txt"]
    ids = [line.split() for line in texts["prediction.txt"].splitlines()]
    assert [(name, language) for name, language, _ in ids] == [
        (f"{name}_e1_1217_1829", language) for name in THEIRS for language in "01"
    ]


@pytest.mark.parametrize(
    ("preset", "starts_ms"),
    [("exact", [0, 3000, 6000]), ("baseline", [0, 2500, 4500]), ("baseline-as-cut", [0, 2000, 4500])],
)
def test_presets_of_chunks(workflow, corpus, preset, starts_ms):
    """An utterance of 7.5 s in the project's way, in the official one, and as the official script cuts it."""
    folder = workflow / "mine"
    write_audio(folder / f"audio/{GOOD[0]}.wav", seconds=8)
    rows = [f"{name}.wav,a1,100,{end},English,False" for name, end in zip(GOOD, (7600, 900, 900), strict=True)]
    write_table(folder / "labels.csv", LABELS, rows)
    corpus({"chunks": {"preset": preset}})
    result = run(workflow, "results/m/merlion/chunks/mine/0.parquet")
    assert result.returncode == 0, result.stderr
    rows = pq.read_table(workflow / "results/m/merlion/chunks/mine/0.parquet").to_pylist()
    starts = [row["start_sample"] // 32 - 100 for row in rows if row["recording"] == GOOD[0]]
    assert starts == starts_ms
