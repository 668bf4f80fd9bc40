"""A corpus put together: what stops it, and what is set aside instead."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from sinobench.errors import InputError
from sinobench.merlion.corpus import read_corpus

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
    assert len(corpus.segments) == 2 and corpus.set_aside == []


def test_raw_and_released_recordings_mix(files, tmp_path):
    (tmp_path / "labels.csv").write_text(
        HEADER + f"{ONE}.wav,a1,100,900,800,English,False,Development\n", encoding="utf-8"
    )
    header = "audio_name,speaker,utterance,grain,start,end,language,text\n"
    add(files, "flat.csv", header + f"{TWO}.wav,Child,u1,g1,100,900,Mandarin,好\n")
    corpus = read_corpus(files)
    assert corpus.form == {ONE: "released", TWO: "raw"} and len(corpus.grains) == len(corpus.segments) == 1


def broken_audio(files, tmp_path, change):
    change(tmp_path / f"audio/{TWO}.wav")
    return files


WRONG_AUDIO = {
    "stereo": (lambda path: write_audio(path, channels=2), "mono"),
    "44.1 kHz": (lambda path: write_audio(path, rate_hz=44_100), "44100 Hz; expected 32000 Hz"),
    "24 bit": (lambda path: write_audio(path, subtype="PCM_24"), "PCM_24"),
    "float": (lambda path: write_audio(path, subtype="FLOAT"), "FLOAT"),
    "no samples": (lambda path: write_audio(path, seconds=0), "no samples"),
    "0 bytes": (lambda path: path.write_bytes(b""), "empty"),
    "truncated": (lambda path: path.write_bytes(path.read_bytes()[:1000]), "truncated"),
    "no audio": (lambda path: path.unlink(), "holds no .wav file"),
    "two of one name": (lambda path: write_audio(path.parent / "again" / path.name), "has the name of"),
    "no annotation": (lambda path: write_audio(path.parent / "third.wav"), "has no annotation"),
}


@pytest.mark.parametrize("case", WRONG_AUDIO)
def test_wrong_audio_stops_the_run_and_names_the_file(files, tmp_path, case):
    change, message = WRONG_AUDIO[case]
    with pytest.raises(InputError, match=message):
        read_corpus(broken_audio(files, tmp_path, change))


@pytest.mark.parametrize("case", WRONG_AUDIO)
def test_wrong_audio_is_set_aside_in_quarantine(files, tmp_path, case):
    change, message = WRONG_AUDIO[case]
    corpus = read_corpus(broken_audio(files, tmp_path, change), "quarantine")
    [row] = corpus.set_aside
    assert message in row["detail"] and row["reason"] == "bad_recording"
    assert ONE in corpus.audio and row["text"] not in corpus.audio
    assert {segment.recording for segment in corpus.segments} == set(corpus.audio)


def test_segment_beyond_the_audio(files):
    add(files, "labels.csv", f"{TWO}.wav,a2,1500,2001,501,English,False,Development\n")
    with pytest.raises(InputError, match=r"labels.csv, line 4: segment 1500–2001 ms .* beyond its audio, 2000 ms"):
        read_corpus(files)


def test_redaction_beyond_the_audio(files):
    add(files, "redactions.csv", f"audio_name,start,end,label\n{ONE}.wav,1990,2002,BABYNAME\n")
    with pytest.raises(InputError, match=r"redactions.csv, line 2: redaction 1990–2002 ms"):
        read_corpus(files)


def test_redaction_of_an_unknown_recording(files):
    add(files, "redactions.csv", "audio_name,start,end,label\nother.wav,10,20,BABYNAME\n")
    with pytest.raises(InputError, match=r"redactions.csv, line 2: redaction for 'other'"):
        read_corpus(files)


def test_a_recording_in_two_forms(files):
    header = "audio_name,speaker,utterance,grain,start,end,language,text\n"
    add(files, "flat.csv", header + f"{TWO}.wav,Child,u1,g1,100,900,Mandarin,好\n")
    with pytest.raises(InputError, match=r"is annotated in .* too"):
        read_corpus(files)
