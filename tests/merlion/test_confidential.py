"""Messages, logs and what was set aside hold no content of confidential corpora: whatever stands wherever in a file."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sinobench.errors import InputError
from sinobench.ld.turns import read_turns
from sinobench.lid.predictions import read_predictions
from sinobench.merlion.annotation.corpus import read_corpus
from sinobench.merlion.annotation.rows import corpus_rows, recoded_segments
from sinobench.merlion.tables import RAW_GRAINS
from sinobench.merlion.training.corpora import read_training
from sinobench.results import tables
from tests.merlion.annotation.test_tables import Elan

ROOT = Path(__file__).parents[2]
# A name, a telephone number, what breaks a cell or an element, and what is no UTF-8.
SECRETS = ["AnnaTan王小明", "91234567", "Anna <Tan", 'Anna "Tan', "Anna\u202eTan".encode(), "王小明Anna".encode("gbk")]
LEAK = re.compile("Anna|Tan|王|小|91 ?234|9.1234|cd ?f5")
TOKEN = re.compile(rb"[^\s,\"<>=/]+")

LABELS = "audio_name,utt_id,start,end,length,language_tag,overlap_diff_lang,dev_eval_status\n"
LABELS += "one.wav,a1,100,900,800,English,False,Development\none.wav,a2,1000,1500,500,Mandarin,False,Development\n"
FLAT = "audio_name,speaker,utterance,grain,start,end,language,text\n"
FLAT += "two.wav,Child,u1,g1,100,900,Mandarin,好\ntwo.wav,Child,u1,g2,900,950,English,ball\n"
MANIFEST = "path,start_ms,end_ms,language,speaker,recording\na.wav,0,900,English,s1,r1\n"
MANIFEST += "a.wav,900,1000,Mandarin,s1,r1\n"
GRID = (
    'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 2\ntiers? <exists>\nsize = 1\nitem []:\n'
)
GRID += '    item [1]:\n        class = "IntervalTier"\n        name = "speech"\n        xmin = 0\n        xmax = 2\n'
GRID += "        intervals: size = 2\n        intervals [1]:\n            xmin = 0\n            xmax = 1\n"
GRID += '            text = "<S>"\n        intervals [2]:\n            xmin = 1\n            xmax = 2\n'
GRID += '            text = "hello there"\n'


def elan():
    made = Elan()
    made.add("Mother (Utterance)", 1000, 1900, "look", "u1")
    made.chunk(1000, 1700, "look", "Mandarin")
    made.chunk(1700, 1900, ":d:lor", "Red Dot")
    made.add("Mother (Sensitive_Masking)", 1200, 1400, "BABYNAME")
    return made.text()


TRAINING = {
    "manifest": {"manifest.csv": MANIFEST, "a.wav": None},
    "nsc": {"a.TextGrid": GRID, "a.wav": None},
    "seame": {
        "conversation/transcript/phaseII/01NC01FBX_0101.txt": "01NC01FBX_0101\t0\t500\tEN\tgood\n"
        "01NC01FBX_0101\t500\t900\tZH\t好\n01NC01FBX_0101\t900\t990\tCS\t好 lah\n",
        "conversation/audio/01NC01FBX_0101.flac": None,
    },
    "aishell": {"ids.txt": "a\nb\n", "wav/train/S1/a.wav": None, "wav/train/S1/b.wav": None},
}
MERLION = {
    "labels.csv": LABELS,
    "flat.csv": FLAT,
    "eaf/three.eaf": elan(),
    "regions.csv": "file,start,end\none.wav,0,1500\ntwo.wav,0,1000\n",
    "redactions.csv": "audio_name,start,end,label\none.wav,200,300,BABYNAME\n",
    "audio/one.wav": None,
    "audio/two.wav": None,
    "audio/three.wav": None,
}


def corpus(folder, files):
    """The files below a folder; None is two seconds of silence."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            soundfile.write(path, np.zeros(64_000, np.int16), 32_000)
        else:
            path.write_text(content, encoding="utf-8")
    return folder


def planted(content, n=6):
    """The content with n of the secrets, in turn, in place of each of its tokens."""
    content = content.encode()
    for number, token in enumerate(TOKEN.finditer(content)):
        for i in range(n):
            secret = SECRETS[(number + i) % len(SECRETS)]
            secret = secret if isinstance(secret, bytes) else secret.encode()
            yield content[: token.start()] + secret + content[token.end() :]


def ingest(kind, folder, on_bad):
    """Read the corpus and recode it; the rows of what was set aside."""
    if kind != "merlion":
        files = {"audio": str(folder)} | ({"ids": str(folder / "ids.txt")} if kind == "aishell" else {})
        return read_training(kind, "c", files, on_bad, lambda rows: None)[1]
    parts = ("audio", "labels.csv", "flat.csv", "eaf", "regions.csv", "redactions.csv")
    files = {Path(part).stem: str(folder / part) for part in parts}
    read = read_corpus(files, on_bad)
    rows = corpus_rows("c", read, files["audio"])
    grains = {name: [row[name] for row in rows["raw_grains"][1]] for name in RAW_GRAINS.columns}
    read_tables = tables.to_arrow(RAW_GRAINS, grains), tables.to_arrow(*rows["segments"])
    recoded_segments("c", *read_tables, read.redactions, [], [], status="Development", lenient=False)
    return rows["set_aside"][1]


@pytest.mark.logged
@pytest.mark.parametrize("on_bad", ["fail", "quarantine"])
@pytest.mark.parametrize(
    ("kind", "name"),
    [("merlion", name) for name in MERLION if not name.endswith(".wav")]
    + [(kind, next(iter(files))) for kind, files in TRAINING.items()],
)
def test_nothing_of_a_file_is_quoted(tmp_path, caplog, capfd, kind, name, on_bad):
    folder = corpus(tmp_path / "corpus", MERLION if kind == "merlion" else TRAINING[kind])
    ingest(kind, folder, on_bad)
    found = []
    for content in planted((folder / name).read_text(encoding="utf-8"), 6 if on_bad == "fail" else 1):
        (folder / name).write_bytes(content)
        try:
            found.append(str(ingest(kind, folder, on_bad)))
        except InputError as error:
            found.append(f"{error} {error!r} {error.args}")
    assert len(set(found)) > 1
    printed = capfd.readouterr()
    found += [caplog.text, printed.out, printed.err]
    assert [text for text in found if LEAK.search(text)] == []


@pytest.mark.logged
@pytest.mark.parametrize(
    ("read", "content"),
    [
        (lambda path: read_predictions(path, ["r_a1_0_9", "r_a2_9_12"]), "r_a1_0_9 0.5 1\nr_a2_9_12 1 -2\n"),
        (lambda path: read_predictions(path, ["r_a1_0_9"]), "r_a1_0_9 0 0.5\nr_a1_0_9 1 -2\n"),
        (lambda path: read_turns(path.parent), "0 900 English\n900 1000 Mandarin\n"),
        (
            lambda path: read_turns(path.rename(path.with_suffix(".rttm"))),
            "SPEAKER r 1 0 1 <NA> <NA> English <NA> <NA>\n",
        ),
    ],
)
def test_nor_of_a_file_that_is_taken_for_predictions(tmp_path, read, content):
    found = []
    for text in planted(content):
        (tmp_path / "p.txt").write_bytes(text)
        try:
            read(tmp_path / "p.txt")
        except InputError as error:
            found.append(str(error))
    assert found and [text for text in found if LEAK.search(text)] == []


def test_log_and_terminal_of_a_job(tmp_path):
    """One job, as Snakemake runs it: the message names file, row, column and kind."""
    folder = corpus(tmp_path / "corpus", TRAINING["manifest"])
    (folder / "manifest.csv").write_text(MANIFEST.replace("900,1000", "91234567,AnnaTan"), encoding="utf-8")
    code = (
        "import sys; from sinobench.log import job_log; from sinobench.merlion.training.corpora import read_training\n"
        "folder, log = sys.argv[1:]\n"
        "with job_log(log): read_training('manifest', 'c', {'audio': folder}, 'fail', print)"
    )
    log = tmp_path / "job.log"
    done = subprocess.run(
        [sys.executable, "-c", code, folder, log], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1 and not LEAK.search(log.read_text(encoding="utf-8") + done.stdout + done.stderr)
    assert "manifest.csv, line 3: end '…' is no time; expected whole milliseconds" in done.stderr


def test_the_command_line_shows_people_their_own_file(tmp_path):
    (tmp_path / "labels.csv").write_text(LABELS.replace("English", "Anna"), encoding="utf-8")
    shutil.copy(tmp_path / "labels.csv", tmp_path / "p.txt")
    command = [sys.executable, "-m", "sinobench", "score", "lid", "--reference", tmp_path / "labels.csv"]
    done = subprocess.run(
        [*command, "--predictions", tmp_path / "p.txt"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2 and "labels.csv, line 2: language tag 'Anna' is unknown" in done.stderr
