import codecs

import numpy as np
import pytest
import soundfile

from sinobench.errors import InputError
from sinobench.merlion.training.corpora import (
    MANIFEST_COLUMNS,
    READERS,
    read_aishell,
    read_librispeech,
    read_manifest,
    read_nsc,
    read_seame,
)
from sinobench.merlion.training.tables import Utterance
from sinobench.merlion.training.textgrid import read_textgrid

RATE = 16_000


@pytest.fixture
def audio(tmp_path):
    """audio(path, ms=1000, channels=1): a file of noise below tmp_path."""

    def audio(path, ms=1000, channels=1):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        samples = np.random.default_rng(0).integers(-99, 99, (ms * RATE // 1000, channels), dtype=np.int16)
        soundfile.write(tmp_path / path, samples, RATE)
        return tmp_path / path

    return audio


@pytest.fixture
def place(tmp_path):
    """place(path, content): a file of text or bytes below tmp_path."""

    def place(path, content):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / path

    return place


def grid(*intervals, short=False, kind="IntervalTier", count=None, tiers=1):
    """A TextGrid whose tiers have (start, end, text) each; in the format that Praat calls short without the words."""
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "xmin = 0", "xmax = 9", "tiers? <exists>"]
    lines += [f"size = {tiers}", "item []:"]
    for number in range(1, tiers + 1):
        lines += [f"    item [{number}]:", f'        class = "{kind}"', f'        name = "{number}"']
        lines += ["        xmin = 0", "        xmax = 9", f"        intervals: size = {count or len(intervals)}"]
        for place, (start, end, text) in enumerate(intervals, start=1):
            text = text.replace('"', '""')
            lines += [f"        intervals [{place}]:", f"            xmin = {start}", f"            xmax = {end}"]
            lines += [f'            text = "{text}"']
    if short:
        lines = [line.split("= ")[-1].replace("tiers? ", "").strip() for line in lines if "]:" not in line]
    return "\n".join(lines) + "\n"


def spans(utterances):
    return [(u.recording, u.start_ms, u.end_ms, u.language) for u in utterances]


def reasons(set_aside):
    return [(row["file"], row["line"], row["reason"]) for row in set_aside]


SPEECH = grid((0, 1, "<S>"), (1, 2.5, 'say "hi" now\nintervals [9]:'), (2.5, 3, ""), (3, 4.25, "bye"))


# --- LibriSpeech, AISHELL


@pytest.mark.parametrize("root", ["LibriSpeech/train-clean-100", "train-clean-100"])
def test_librispeech(audio, tmp_path, root):
    audio(f"{root}/103/1240/103-1240-0001.flac", 1500)
    audio(f"{root}/103/1240/103-1240-0000.flac", 2000)
    audio(f"{root}/stray.flac")
    audio("LibriSpeech/test-clean/1/2/1-2-0000.flac")
    aside = []
    utterances = read_librispeech(tmp_path, aside)
    path = f"{root}/103/1240/103-1240-0000.flac"
    assert utterances[0] == Utterance("librispeech", "103-1240-0000", "103", path, 0, 2000, "English")
    assert spans(utterances)[1] == ("103-1240-0001", 0, 1500, "English")
    assert reasons(aside) == [(f"{root}/stray.flac", None, "unexpected_place")]


def test_length_is_rounded_down_to_whole_milliseconds(tmp_path):
    folder = tmp_path / "train-clean-100/1/2"
    folder.mkdir(parents=True)
    soundfile.write(folder / "1-2-0.flac", np.zeros(RATE + 15, np.int16), RATE)
    assert read_librispeech(tmp_path)[0].end_ms == 1000


def test_samples_are_not_read(audio, tmp_path, monkeypatch):
    audio("train-clean-100/1/2/1-2-0.flac")
    monkeypatch.setattr(soundfile, "read", None)
    monkeypatch.setattr(soundfile.SoundFile, "read", None)
    assert len(read_librispeech(tmp_path)) == 1


def test_aishell_with_and_without_a_list(audio, place, tmp_path):
    for name in ("S0002/BAC009S0002W0122", "S0002/BAC009S0002W0123", "S0003/BAC009S0003W0121"):
        audio(f"data_aishell/wav/train/{name}.wav")
    assert [u.speaker for u in read_aishell(tmp_path)] == ["S0002", "S0002", "S0003"]
    listed = place("ids.txt", "\ufeffBAC009S0003W0121\r\n\r\nwav/train/S0002/BAC009S0002W0123.wav\r\n")
    aside = []
    utterances = read_aishell(tmp_path, listed, aside)
    assert spans(utterances) == [
        ("BAC009S0003W0121", 0, 1000, "Mandarin"),
        ("BAC009S0002W0123", 0, 1000, "Mandarin"),
    ]
    assert utterances[0].path == "data_aishell/wav/train/S0003/BAC009S0003W0121.wav"
    assert aside[0]["reason"] == "not_listed" and aside[0]["detail"].startswith("1 files")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\nb\n", "ids.txt, line 2: 'b' has no audio"),
        ("a\nx/a.WAV\n", "ids.txt, line 2: 'a' stands in line 1 already"),
        ("\n \n", "ids.txt: holds no name"),
    ],
)
def test_wrong_lists(audio, place, tmp_path, content, message):
    audio("wav/train/S1/a.wav")
    with pytest.raises(InputError, match=message):
        read_aishell(tmp_path, place("ids.txt", content))


# --- NSC


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode(),
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.encode("utf-16"),
        lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.replace("\n", "\r\n").encode("utf-16"),
    ],
    ids=["utf-8", "bom", "utf-16", "utf-16-be", "no-bom", "crlf"],
)
@pytest.mark.parametrize("short", [False, True])
def test_nsc_in_every_encoding(audio, place, tmp_path, encode, short):
    content = grid((0, 1, "<S>"), (1, 2.5, 'say "hi" 12 啊'), (2.5, 3, " <Z> "), (3, 4.25, "bye"), short=short)
    audio("3000-1.wav", 5000)
    place("3000-1.TextGrid", encode(content))
    aside = []
    utterances = read_nsc(tmp_path, aside)
    assert spans(utterances) == [("3000-1", 1000, 2500, "English"), ("3000-1", 3000, 4250, "English")]
    assert {u.speaker for u in utterances} == {"3000-1"}
    assert [(row["file"], row["reason"], row["detail"]) for row in aside] == [
        ("3000-1.TextGrid", "silence", "2 of 1500 ms together")
    ]


def test_quotes_and_lines_within_a_text(place):
    (tier,) = read_textgrid(place("a.TextGrid", SPEECH))
    assert [i.text for i in tier.intervals] == ["<S>", 'say "hi" now\nintervals [9]:', "", "bye"]
    assert [i.line for i in tier.intervals] == [18, 22, 27, 31]


def test_speaker_of_the_separate_room_names(audio, place, tmp_path):
    audio("conf_2501_2501_00862025.wav", 5000)
    place("conf_2501_2501_00862025.TextGrid", SPEECH)
    assert read_nsc(tmp_path)[0].speaker == "00862025"
    assert read_nsc(tmp_path, speaker=r"conf_(?P<speaker>\d+)_.*")[0].speaker == "2501"
    with pytest.raises(InputError, match="does not match"):
        read_nsc(tmp_path, speaker="(?P<speaker>F.*)")


def test_last_interval_is_cut_at_the_end_of_the_audio(audio, place, tmp_path):
    audio("a.wav", 4000)
    place("a.TextGrid", SPEECH)
    aside = []
    assert spans(read_nsc(tmp_path, aside))[-1] == ("a", 3000, 4000, "English")
    assert aside[0]["reason"] == "beyond_audio" and aside[0]["line"] == 31
    assert aside[0]["detail"] == "cut at the audio's end"


def test_speech_wholly_beyond_the_audio_is_refused_or_quarantined(audio, place, tmp_path):
    audio("a.wav", 2900)
    place("a.TextGrid", SPEECH)
    with pytest.raises(InputError, match=r"a.TextGrid, line 31: 3000 to 4250 ms; expected .* 2900"):
        read_nsc(tmp_path)
    aside = []
    assert spans(read_nsc(tmp_path, aside, on_bad="quarantine")) == [("a", 1000, 2500, "English")]
    assert ("a.TextGrid", 31, "invalid") in reasons(aside)


def test_audio_and_annotation_without_partner(audio, place, tmp_path):
    audio("a.wav", 5000), audio("b.wav")
    place("a.TextGrid", SPEECH), place("c.TextGrid", SPEECH)
    aside = []
    read_nsc(tmp_path, aside)
    assert reasons(aside)[-1] == ("c.TextGrid", None, "no_audio")
    assert ("b.wav", None, "no_annotation") in reasons(aside)


def test_several_tiers_need_a_name(audio, place, tmp_path):
    audio("a.wav", 5000)
    place("a.TextGrid", grid((1, 2, "x"), tiers=2))
    with pytest.raises(InputError, match="2 interval tiers"):
        read_nsc(tmp_path)
    assert len(read_nsc(tmp_path, tier="2")) == 1
    with pytest.raises(InputError, match="0 interval tiers named 3"):
        read_nsc(tmp_path, tier="3")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "ends after line 1 where the file type"),
        ("not a grid", "ends after line 1"),
        ('"ooTextFile" "PitchTier"', "is no TextGrid"),
        (SPEECH[: SPEECH.index("intervals [3]")], "ends after line 22 where a start, a number was expected"),
        (SPEECH.encode("utf-16")[:-1], "is not UTF-16"),
        (SPEECH.replace("bye", "再见").encode("gbk"), "is not UTF-8;"),
        (SPEECH.replace("xmax = 2.5", "xmax = nan"), "line 22: expected an end, a number, found"),
        (SPEECH.replace("xmax = 2.5", "xmax = 1e999"), "line 21: expected an end, a number below"),
        (SPEECH.replace("xmax = 2.5", "xmax = 0.5"), "line 20: interval 1 to 0.5 s; expected an end after"),
        (SPEECH.replace("xmin = 3\n", "xmin = 2\n"), "line 29: interval from 2 s overlaps the one before it"),
        (grid((0, 1, "x"), count=-1), "line 14: -1 intervals; expected a whole number"),
        (grid((0, 1, "x"), (1, 2, "y"), count=1), "line 20: 1 follows the last declared tier"),
        (grid((0, 1, "x"), kind="Other"), "line 10: tier class 'Other'|line 10: tier class"),
        (SPEECH.replace("size = 4", "size = 999999"), "ends after line 31"),
    ],
)
def test_broken_textgrids(audio, place, tmp_path, content, message):
    audio("a.wav", 5000)
    place("a.TextGrid", content)
    with pytest.raises(InputError, match=message) as error:
        read_nsc(tmp_path)
    assert "a.TextGrid" in str(error.value)


# --- SEAME


def test_seame(audio, place, tmp_path):
    audio("data/conversation/audio/31NC50XFB_0101.flac", 9000)
    audio("data/interview/audio/NI01MAX_0101.flac", 9000)
    place(
        "data/conversation/transcript/phaseII/31NC50XFB_0101.txt",
        "31nc50xfb_0101\t0\t1500\tEN\tokay lah\n31nc50xfb_0101\t1500\t2000\tCS\tokay 好\n"
        "31nc50xfb_0101\t2000\t3000\tZH\t\n",
    )
    place(
        "data/interview/transcript/phaseII/NI01MAX_0101.txt", "NI01MAX_0101\t10\t20\tZH\t好\nother_0101\t1\t2\tEN\tno\n"
    )
    place("data/interview/transcript/phaseII/NI02FAX_0101.txt", "NI02FAX_0101\t10\t20\tZH\t好\n")
    aside = []
    utterances = read_seame(tmp_path, aside)
    assert spans(utterances) == [
        ("31NC50XFB_0101", 0, 1500, "English"),
        ("31NC50XFB_0101", 2000, 3000, "Mandarin"),
        ("NI01MAX_0101", 10, 20, "Mandarin"),
    ]
    assert [u.speaker for u in utterances] == ["NC50", "NC50", "NI01"]
    assert [(row["reason"], row["line"], row["detail"]) for row in aside] == [
        ("code_switched", None, "1 of 500 ms together"),
        ("other_recording", 2, "the id is not the file's name"),
        ("no_audio", None, "annotation without its audio"),
    ]
    assert not any("好" in str(row) for row in aside)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a\t0\t100\tMS\tx", "language 'MS'; expected EN, ZH or CS"),
        ("a\t100\t100\tEN\tx", "end 100 is at start 100"),
        ("a\t0\tnan\tEN\tx", "end 'nan' is no time"),
        ("a\t-5\t100\tEN\tx", "start '-5'"),
        ("a\t0\t1001\tEN\tx", "0 to 1001 ms; expected 0 <= start < end <= 1000"),
        ("a\t0\t100", "3 columns; expected id, start, end"),
    ],
)
def test_wrong_lines_of_seame(audio, place, tmp_path, row, message):
    audio("conversation/audio/a.flac")
    place("conversation/transcript/phaseII/a.txt", f"a\t0\t1000\tEN\tx\n{row}\n")
    with pytest.raises(InputError, match=f"a.txt, line 2: {message}"):
        read_seame(tmp_path)
    aside = []
    assert len(read_seame(tmp_path, aside, on_bad="quarantine")) == 1
    assert reasons(aside) == [("conversation/transcript/phaseII/a.txt", 2, "invalid")]


# --- manifest

HEADER = ",".join(MANIFEST_COLUMNS) + "\n"


def test_manifest(audio, place, tmp_path):
    audio("sub/a.wav", 3000)
    place(
        "manifest.csv", "language,speaker,recording,path,start_ms,end_ms,note\nMandarin,s1,r 1,sub/a.wav,0,3000.0,x\n"
    )
    assert read_manifest(tmp_path, corpus="mine") == [Utterance("mine", "r 1", "s1", "sub/a.wav", 0, 3000, "Mandarin")]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("../out.wav,0,10,English,s,r", r"path '../out.wav' leaves the folder"),
        ("in/../../out.wav,0,10,English,s,r", "leaves the folder"),
        ("/etc/a.wav,0,10,English,s,r", "leaves the folder"),
        (r"C:\a.wav,0,10,English,s,r", "leaves the folder"),
        (r"..\out.wav,0,10,English,s,r", "leaves the folder"),
        ("link.wav,0,10,English,s,r", "leaves the folder"),
        ("none.wav,0,10,English,s,r", "names no file"),
        ("a.wav,0,10,english,s,r", "language 'english' is not known; did you mean 'English'"),
        ("a.wav,0,nan,English,s,r", "end 'nan' is no time"),
        ("a.wav,0,1e9,English,s,r", "end '1e9' is no time"),
        ("a.wav,5,5,English,s,r", "end 5 is at start 5"),
        ("a.wav,0,1001,English,s,r", "0 to 1001 ms"),
        ("a.wav,0,10,English,,r", "speaker is empty"),
        ("a.wav,0,10,English,s", "expected 6 cells, found 5"),
    ],
)
def test_wrong_rows_of_a_manifest(audio, place, tmp_path, row, message):
    outside = audio("out.wav")
    audio("corpus/a.wav")
    (tmp_path / "corpus/link.wav").symlink_to(outside)
    place("corpus/manifest.csv", f"{HEADER}a.wav,0,10,English,s,r\n{row}\n")
    with pytest.raises(InputError, match=f"manifest.csv, line 3: .*{message}"):
        read_manifest(tmp_path / "corpus")


@pytest.mark.parametrize(
    ("content", "message"),
    [(HEADER, "holds no usable utterance"), ("path,speaker\na,b\n", "column 'start_ms' is missing")],
)
def test_wrong_manifests(place, tmp_path, content, message):
    place("manifest.csv", content)
    with pytest.raises(InputError, match=message):
        read_manifest(tmp_path)


# --- all readers


@pytest.mark.parametrize("reader", READERS)
def test_folder_that_is_none_or_empty(tmp_path, reader):
    with pytest.raises(InputError, match="is no folder"):
        READERS[reader](tmp_path / "none")
    with pytest.raises(InputError):
        READERS[reader](tmp_path)
    with pytest.raises(InputError, match="on_bad"):
        READERS[reader](tmp_path, on_bad="ignore")


def test_wrong_audio_is_refused_or_quarantined(audio, place, tmp_path):
    folder = "train-clean-100/1/2"
    audio(f"{folder}/1-2-0.flac")
    wrong = {
        "1-2-1.flac": "is no readable audio",
        "1-2-2.flac": "has 2 channels; expected mono",
        "1-2-3.wav": "less than a millisecond",
        "1-2-4.wav": "is no readable audio",
    }
    place(f"{folder}/1-2-1.flac", b"fLaC not really")
    audio(f"{folder}/1-2-2.flac", channels=2)
    audio(f"{folder}/1-2-3.wav", ms=0)
    place(f"{folder}/1-2-4.wav", b"")
    aside = []
    assert len(read_librispeech(tmp_path, aside, on_bad="quarantine")) == 1
    assert {row["file"].split("/")[-1] for row in aside} == set(wrong)
    assert all(wrong[row["file"].split("/")[-1]] in row["detail"] for row in aside)
    assert not any(str(tmp_path) in row["detail"] for row in aside)
    with pytest.raises(InputError, match=r"1-2-1\.flac: is no readable audio"):
        read_librispeech(tmp_path)


def test_flac_without_a_length_in_its_header(audio, tmp_path):
    file = audio("train-clean-100/1/2/1-2-0.flac")
    data = bytearray(file.read_bytes())
    data[21] &= 0xF0  # the 36 bits of the number of samples in STREAMINFO
    data[22:26] = bytes(4)
    file.write_bytes(data)
    with pytest.raises(InputError, match="a header without a length"):
        read_librispeech(tmp_path)


def test_two_files_of_one_name(audio, tmp_path):
    audio("wav/train/S1/a.wav"), audio("wav/dev/S2/a.wav")
    with pytest.raises(InputError, match=r"S1/a.wav: has the name of .*dev/S2/a.wav"):
        read_aishell(tmp_path)


def test_what_was_set_aside_is_logged(audio, place, tmp_path, caplog):
    caplog.set_level("INFO")
    audio("a.wav", 5000), audio("b.wav")
    place("a.TextGrid", SPEECH)
    read_nsc(tmp_path)
    assert "nsc: 2 utterances, 0.00 h; set aside: 1 no_annotation, 1 silence" in caplog.text
