"""A corpus put together: what stops it, and what is set aside instead."""

import os
import re
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sinobench.errors import InputError
from sinobench.merlion.annotation.corpus import read_corpus
from sinobench.merlion.annotation.rows import corpus_rows
from tests.merlion.annotation.test_tables import Elan

HEADER = "audio_name,utt_id,start,end,length,language_tag,overlap_diff_lang,dev_eval_status\n"
ONE, TWO = (f"TTS_P1004{i}TT_VCST_ECxxx_01_AO_1_v001_R004_CRR_MERLIon-CCS" for i in range(2))


def write_audio(path, seconds=2.0, rate_hz=32_000, channels=1, subtype="PCM_16"):
    path.parent.mkdir(parents=True, exist_ok=True)
    samples = np.zeros((int(seconds * rate_hz), channels), np.int16)
    soundfile.write(path, samples, rate_hz, subtype=subtype)
    return path


@pytest.fixture
def files(tmp_path):
    """Two released recordings of two seconds, one segment each."""
    for name in (ONE, TWO):
        write_audio(tmp_path / f"audio/{name}.wav")
    rows = "".join(f"{name}.wav,a1,100,900,800,English,False,Development\n" for name in (ONE, TWO))
    (tmp_path / "labels.csv").write_text(HEADER + rows, encoding="utf-8")
    return {"audio": str(tmp_path / "audio"), "labels": str(tmp_path / "labels.csv")}


def add(files, part, text):
    path = Path(files["audio"]).with_name(part)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
    files[path.stem] = str(path)


def test_two_recordings(files):
    corpus = read_corpus(files)
    assert list(corpus.audio) == [ONE, TWO] and corpus.form == {ONE: "released", TWO: "released"}
    assert len(corpus.segments["recording"]) == 2 and corpus.set_aside == []


def test_raw_and_released_recordings_mix(files, tmp_path):
    (tmp_path / "labels.csv").write_text(
        HEADER + f"{ONE}.wav,a1,100,900,800,English,False,Development\n", encoding="utf-8"
    )
    header = "audio_name,speaker,utterance,grain,start,end,language,text\n"
    add(files, "flat.csv", header + f"{TWO}.wav,Child,u1,g1,100,900,Mandarin,好\n")
    corpus = read_corpus(files)
    assert corpus.form == {ONE: "released", TWO: "raw"} and len(corpus.grains) == len(corpus.segments["recording"]) == 1


WRONG_AUDIO = {
    "stereo": (lambda path: write_audio(path, channels=2), "{audio}: has 2 channels; expected mono"),
    "44.1 kHz": (lambda path: write_audio(path, rate_hz=44_100), "{audio}: .* 44100 Hz; expected 32000 Hz"),
    "24 bit": (lambda path: write_audio(path, subtype="PCM_24"), r"{audio}: has 24-bit samples \(PCM_24\)"),
    "float": (lambda path: write_audio(path, subtype="FLOAT"), r"{audio}: has 32-bit float samples \(FLOAT\)"),
    "no samples": (lambda path: write_audio(path, seconds=0), "{audio}: holds no samples"),
    "0 bytes": (lambda path: path.write_bytes(b""), "{audio}: is empty"),
    "truncated": (lambda path: path.write_bytes(path.read_bytes()[:1000]), "{audio}: is truncated"),
    "no audio": (lambda path: path.unlink(), "labels.csv, line 3: '{name}' has no .wav file in .*; did you mean"),
    "two of one name": (
        lambda path: write_audio(path.parent / "again" / path.name),
        "{audio}: has the name of .*again",
    ),
    "no annotation": (lambda path: write_audio(path.parent / "third.wav"), "third.wav: has no annotation"),
}


@pytest.mark.parametrize("case", WRONG_AUDIO)
def test_wrong_audio_stops_the_run_and_names_the_file(files, tmp_path, case):
    change, message = WRONG_AUDIO[case]
    change(tmp_path / f"audio/{TWO}.wav")
    with pytest.raises(InputError, match=message.format(audio=f"{TWO}.wav", name=TWO)):
        read_corpus(files)


@pytest.mark.parametrize("case", WRONG_AUDIO)
def test_wrong_audio_is_set_aside_in_quarantine(files, tmp_path, case):
    change, message = WRONG_AUDIO[case]
    change(tmp_path / f"audio/{TWO}.wav")
    corpus = read_corpus(files, "quarantine")
    [row] = corpus.set_aside
    assert re.search(message.format(audio=f"{TWO}.wav", name=TWO), row["detail"]) and row["reason"] == "bad_recording"
    assert row["detail"].partition(": ")[0].endswith(row["file"] + (f", line {row['line']}" if row["line"] else ""))
    assert ONE in corpus.audio and row["text"] not in corpus.audio
    assert set(corpus.segments["recording"]) == set(corpus.audio)


THREE = "TTS_P10042TT_VCST_ECxxx_01_AO_1_v001_R004_CRR_MERLIon-CCS"
FLAT = "audio_name,speaker,utterance,grain,start,end,language,text\n"
BEYOND = {
    "segment": ("labels.csv", f"{TWO}.wav,a2,1500,2001,501,English,False,Development\n", TWO, 4),
    "redaction": ("redactions.csv", f"audio_name,start,end,label\n{TWO}.wav,1500,2001,BABYNAME\n", TWO, 2),
    "region": ("regions.csv", f"file,start,end\n{ONE}.wav,0,9\n{TWO}.wav,1500,2001\n", TWO, 3),
    "grain": ("flat.csv", FLAT + f"{THREE}.wav,Child,u1,g1,1500,2001,Mandarin,好\n", THREE, 2),
    "stamp": ("timestamps.csv", f"audio_name,utt_id,start,end\n{THREE}.wav,a1,1500,2001\n", THREE, 2),
}


@pytest.mark.parametrize("what", BEYOND)
def test_times_beyond_the_audio(files, tmp_path, what):
    file, rows, recording, line = BEYOND[what]
    if recording == THREE:
        write_audio(tmp_path / f"audio/{THREE}.wav")
    add(files, file, rows)
    with pytest.raises(InputError, match=rf"{file}, line {line}: .* 1500-2001 ms .* beyond its audio, 2000 ms"):
        read_corpus(files)
    corpus = read_corpus(files, "quarantine")
    assert [(row["file"], row["line"], row["text"]) for row in corpus.set_aside] == [(file, line, recording)]
    assert recording not in corpus.audio


@pytest.mark.parametrize("tier", ["Chunk", "Sensitive_Masking"])
def test_elan_times_beyond_the_audio_name_the_elan_file(files, tmp_path, tier):
    """A flat table and a table of redactions that stand beside it are not to blame."""
    write_audio(tmp_path / f"audio/{THREE}.wav", seconds=1.0 if tier == "Chunk" else 1.9)
    text = elan_text(mask=(1500, 2000) if tier == "Sensitive_Masking" else None)
    (tmp_path / f"eaf/{THREE}.eaf").parent.mkdir()
    (tmp_path / f"eaf/{THREE}.eaf").write_text(text, encoding="utf-8")
    files["eaf"] = str(tmp_path / "eaf")
    add(files, "redactions.csv", f"audio_name,start,end,label\n{ONE}.wav,10,20,BABYNAME\n")
    with pytest.raises(InputError, match=rf"{THREE}.eaf, line \d+: (grain|redaction) .* beyond its audio") as error:
        read_corpus(files)
    line = int(re.search(r"line (\d+)", str(error.value))[1])
    assert ("BABYNAME" if tier == "Sensitive_Masking" else "hello") in text.splitlines()[line - 1]


def test_a_broken_elan_file_stops_the_run_or_sets_its_recording_aside(files, tmp_path):
    for name in (THREE, "four"):
        write_audio(tmp_path / f"audio/{name}.wav")
        path = tmp_path / f"eaf/{name}.eaf"
        path.parent.mkdir(exist_ok=True)
        path.write_text(elan_text(), encoding="utf-8")
    path.write_text(elan_text().replace("</TIER>", "", 1), encoding="utf-8")
    files["eaf"] = str(tmp_path / "eaf")
    add(files, "regions.csv", f"file,start,end\n{ONE}.wav,0,9\nfour.wav,1500,1501\n")
    with pytest.raises(InputError, match=r"four.eaf, line \d+: is broken XML"):
        read_corpus(files)
    corpus = read_corpus(files, "quarantine")
    [row] = corpus.set_aside
    assert row["text"] == "four" and row["file"] == "four.eaf" and "is broken XML" in row["detail"]
    assert set(corpus.audio) == {ONE, TWO, THREE} and {grain.recording for grain in corpus.grains} == {THREE}
    assert [region.recording for region in corpus.regions] == [ONE]


def elan_text(mask=None):
    """One utterance of 0.5 to 1.8 s."""
    elan = Elan()
    elan.add("Child (Utterance)", 500, 1800, "hello")
    elan.chunk(500, 1800, "hello", "English", "Child")
    if mask:
        elan.add("Child (Sensitive_Masking)", *mask, "BABYNAME")
    return elan.text()


def test_audio_is_found_in_any_layout(files, tmp_path):
    (tmp_path / f"audio/{TWO}.wav").unlink()
    write_audio(tmp_path / f"audio/a/b/{TWO}.WAV")
    (tmp_path / "audio/a/again").symlink_to(tmp_path / "audio")
    assert set(read_corpus(files).audio) == {ONE, TWO}


def test_redaction_of_an_unknown_recording(files):
    add(files, "redactions.csv", "audio_name,start,end,label\nother.wav,10,20,BABYNAME\n")
    with pytest.raises(InputError, match=r"redactions.csv, line 2: redaction for 'other'"):
        read_corpus(files)


def test_a_region_of_audio_without_annotation_goes_aside_with_it(files, tmp_path):
    write_audio(tmp_path / "audio/third.wav")
    add(files, "regions.csv", f"file,start,end\n{ONE}.wav,0,9\nthird.wav,0,9\n")
    corpus = read_corpus(files, "quarantine")
    assert [row["text"] for row in corpus.set_aside] == ["third"]
    assert [region.recording for region in corpus.regions] == [ONE]


def test_a_name_that_a_spreadsheet_takes_for_a_formula_is_no_recording(files, tmp_path):
    audio = next(Path(files["audio"]).rglob("*.wav"))
    audio.rename(audio.with_name("=1+1.wav"))
    with pytest.raises(InputError, match=r"=1\+1.wav: .* begins with =, as a formula of a spreadsheet does"):
        read_corpus({"audio": files["audio"]}, evaluation=True)
    found = read_corpus({"audio": files["audio"]}, "quarantine", evaluation=True)
    assert [row["reason"] for row in found.set_aside] == ["bad_recording"] and set(found.form.values()) == {"audio"}


@pytest.mark.parametrize(("old", "new"), [("a1", "=a1"), ("Development", "@SUM(A1)"), ("a1", "-1+2")])
def test_cells_that_would_be_formulas_in_the_labels_are_refused(files, old, new):
    path = Path(files["labels"])
    path.write_text(path.read_text(encoding="utf-8").replace(f",{old}", f",{new}", 1), encoding="utf-8")
    with pytest.raises(InputError, match=r"labels\.csv, line 2: .* as a formula of a spreadsheet does"):
        read_corpus(files)


def test_a_recording_in_two_forms(files):
    header = "audio_name,speaker,utterance,grain,start,end,language,text\n"
    add(files, "flat.csv", header + f"{TWO}.wav,Child,u1,g1,100,900,Mandarin,好\n")
    with pytest.raises(InputError, match=r"is annotated in .* too"):
        read_corpus(files)


@pytest.mark.parametrize("on_bad", ["fail", "quarantine"])
@pytest.mark.parametrize("what", ["an encoding that ELAN lacks", "a name in GBK", "an annotated name in GBK"])
def test_what_is_no_utf8_costs_one_recording(files, tmp_path, what, on_bad):
    (tmp_path / "eaf").mkdir()
    files["eaf"] = str(tmp_path / "eaf")
    text = elan_text().replace("UTF-8", "GBK") if what.startswith("an encoding") else elan_text()
    name = THREE if what.startswith("an encoding") else os.fsdecode("小明".encode("gbk"))
    write_audio(tmp_path / "audio/odd.wav").rename(tmp_path / f"audio/{name}.wav")
    (tmp_path / f"eaf/{THREE if what == 'a name in GBK' else name}.eaf").write_bytes(text.encode())
    if what == "a name in GBK":
        write_audio(tmp_path / f"audio/{THREE}.wav")
    if on_bad == "fail":
        with pytest.raises(InputError, match=r"not UTF-8|encoding that ELAN|no plain file name"):
            read_corpus(files, on_bad)
        return
    rows = {part: rows for part, (_, rows) in corpus_rows("c", read_corpus(files, on_bad), files["audio"]).items()}
    [row] = rows["set_aside"]
    assert re.search("not UTF-8|encoding that ELAN|no plain file name", row["detail"]) and row["detail"].isprintable()
    kept = [row["recording"] for row in rows["recordings"]]
    assert kept == [ONE, TWO, THREE][: 3 if what == "a name in GBK" else 2]
