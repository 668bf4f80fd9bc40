import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.merlion.annotation import labels, plain
from sinobench.merlion.annotation.labels import (
    label_columns,
    read_labels,
    read_timestamps,
    segment_id,
    segment_ids,
    write_labels,
)
from sinobench.merlion.languages import LANGUAGES
from sinobench.merlion.tables import Segment, Timestamp

NAME = "TTS_P91182TT_VCST_ECxxx_01_AO_48503281_v001_R004_CRR_MERLIon-CCS"
RELEASED = f"""\
audio_name,utt_id,start,end,length,language_tag,overlap_diff_lang,dev_eval_status
{NAME}.wav,a1,1170,2750,1580,English,False,dev
{NAME}.wav,a2,2600,3000,400,Mandarin,True,dev
{NAME}.wav,a3,3000,3100,100,NON_SPEECH,False,dev
other.wav,a1,0,10,10,Non-Evaluated-Speech,False,
"""
SEGMENTS = [
    Segment(NAME, "a1", 1170, 2750, "English", False, "dev"),
    Segment(NAME, "a2", 2600, 3000, "Mandarin", True, "dev"),
    Segment(NAME, "a3", 3000, 3100, "NON_SPEECH", False, "dev"),
    Segment("other", "a1", 0, 10, "NON_EVALUATED", False, ""),
]


@pytest.mark.parametrize(
    "text",
    [
        RELEASED,
        "\ufeff" + RELEASED.replace("\n", "\r\n"),
        RELEASED.replace(",", "\t"),
        RELEASED.replace("1170", "1170.0").replace("2750", "2750.").replace(",10,", ",10.00,"),
        RELEASED.replace("False", "FALSE").replace("True", "TRUE"),
        RELEASED.replace("False", "false").replace("True", "true"),
        RELEASED.replace("audio_name,utt_id", "Audio_Name , UTT_ID"),
        RELEASED.replace(".wav", ".WAV").replace("other.WAV", "other"),
        RELEASED + "\n,,,,,,,\n",
        RELEASED.replace(f"{NAME}.wav", f'"{NAME}.wav"'),
    ],
    ids=["plain", "bom-crlf", "tab", "decimals", "TRUE", "true", "header", "no-wav", "blank-rows", "quotes"],
)
def test_spellings_of_the_released_form(write, text):
    segments = read_labels(write(text, "labels.csv"))
    assert segments == SEGMENTS
    assert [s.row for s in segments] == [2, 3, 4, 5]


def test_columns_are_found_by_name_and_two_may_be_missing(write):
    text = "language_tag,end,start,comment,utt_id,audio_name,overlap_diff_lang\nEnglish,20,10,hm,a1,x.wav,False\n"
    assert read_labels(write(text)) == [Segment("x", "a1", 10, 20, "English", False, "")]


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("ENGLISH", "English"),
        ("mandarin", "Mandarin"),
        ("Non-Speech", "NON_SPEECH"),
        ("non speech", "NON_SPEECH"),
        ("NON_EVALUATED", "NON_EVALUATED"),
        ("Non-evaluated speech", "NON_EVALUATED"),
    ],
)
def test_tags_are_folded(write, tag, language):
    text = f"audio_name,utt_id,start,end,language_tag,overlap_diff_lang\nx.wav,a1,1,2,{tag},True\n"
    assert read_labels(write(text))[0].language == language


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Mandarin", "Chinese", "line 3: language tag 'Chinese' is unknown; expected one of English, Mandarin"),
        ("Mandarin", "", "line 3: language tag ''"),
        ("2600,3000", "3000,2600", "line 3: end 2600 is before start 3000"),
        ("2600,3000", "3000,3000", "line 3: end 3000 is at start 3000"),
        ("2600", "2600.5", "line 3: start '2600.5' is no time; expected whole milliseconds"),
        ("2600", "-1", "line 3: start '-1'"),
        ("2600", "nan", "line 3: start 'nan'"),
        ("2600", "２６００", "line 3: start '２６００'"),
        ("2600", "9" * 400, "line 3: start '999"),
        (",3000,400", ",,400", "line 3: end ''"),
        ("True", "1", "line 3: overlap_diff_lang '1' is neither True nor False"),
        ("a2", "a1", f"line 3: utt_id 'a1' of '{NAME}' stands twice, first on line 2"),
        ("a2", "", "line 3: utt_id ''"),
        ("a2", "a 2", "line 3: utt_id 'a 2'"),
        ("a2", "../a2", "line 3: utt_id '../a2'"),
        ("a2", "a\u202e2", "line 3: utt_id 'a\\u202e2'"),
        ("a2", "a" * 250, "line 3: utt_id 'aaa"),
        ("2600", "9" * 5000, "line 3: start '999"),
        ("other.wav", "o" * 250 + ".wav", "line 5: audio_name 'ooo"),
        ("other.wav", "../other.wav", "line 5: audio_name '../other.wav' is no plain file name"),
        ("other.wav", "/data/other.wav", "line 5: audio_name '/data/other.wav'"),
        ("other.wav", "a/other.wav", "line 5: audio_name"),
        ("other.wav", "a\\other.wav", "line 5: audio_name"),
        ("other.wav", "C:other.wav", "line 5: audio_name"),
        ("other.wav", "..", "line 5: audio_name '..'"),
        ("other.wav", ".wav", "line 5: audio_name '.wav'"),
        ("other.wav", "", "line 5: audio_name ''"),
        ("other.wav", "my other.wav", "line 5: audio_name 'my other.wav' is no plain file name"),
        ("other.wav", "a\x01.wav", "line 5: audio_name"),
        ("language_tag", "language", "line 1: column 'language_tag' is missing in"),
        ("length", "start", "line 1: column 'start' stands twice"),
        ("dev\nother", "dev,more\nother", "line 4: expected 8 cells, found 9"),
        ("other.wav,a1,0", "other.wav,0", "line 5: expected 8 cells, found 7"),
        ("other.wav", '"other.wav', "line 5: can't be split into cells"),
    ],
)
def test_wrong_labels_are_named_with_their_line(write, old, new, message):
    assert old in RELEASED
    with pytest.raises(InputError) as error:
        read_labels(write(RELEASED.replace(old, new, 1), "labels.csv"))
    assert f"labels.csv, {message}" in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (RELEASED.splitlines()[0] + "\n", "has a header and no segment below it"),
        ("\n\n", "is empty; expected columns audio_name"),
        ("", "is empty"),
        (RELEASED.encode("utf-16"), "is UTF-16"),
    ],
)
def test_tables_without_segments_are_refused(write, content, message):
    with pytest.raises(InputError, match=message):
        read_labels(write(content))


def test_written_as_released(write, tmp_path):
    write_labels(read_labels(write(RELEASED)), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == RELEASED.encode()


NAMES = st.text("abcXYZ019_-.", min_size=1).filter(lambda s: s.strip(".") and not s.lower().endswith(".wav"))


@st.composite
def many_segments(draw):
    keys = draw(st.lists(st.tuples(NAMES, st.integers(1, 99)), min_size=1, max_size=9, unique=True))
    segments = []
    for recording, number in keys:
        start, length = draw(st.integers(0, 10**8)), draw(st.integers(1, 10**6))
        language, overlap = draw(st.sampled_from(LANGUAGES)), draw(st.booleans())
        status = draw(st.sampled_from(["", "dev", "eval"]))
        segments.append(Segment(recording, f"a{number}", start, start + length, language, overlap, status))
    return segments


@given(many_segments())
def test_what_is_written_is_read_again(tmp_path_factory, segments):
    path = tmp_path_factory.mktemp("labels") / "labels.csv"
    write_labels(segments, path)
    assert read_labels(path) == segments


QUOTED = '"x.wav",a1,1,2,2,English,False,dev'


@pytest.mark.parametrize("odd", [None, QUOTED, ",,,,,,,"], ids=["plain", "quotes", "blank"])
def test_many_lines_at_a_time_are_what_each_line_is(write, monkeypatch, odd):
    tags = ("English", "non-speech", "MANDARIN ")
    rows = [f"r{i // 40}.wav, u{i % 40} ,{i}.00,{i + 9},9,{tags[i % 3]},FALSE," for i in range(200)]
    path = write("\n".join([RELEASED.splitlines()[0], *rows[:150], *filter(None, [odd]), *rows[150:]]))
    whole = read_labels(path)
    monkeypatch.setattr(plain, "_LINES_AT_ONCE", 20)
    for found in (read_labels(path), labels._labels_by_line(path)):
        assert [vars(segment) for segment in found] == [vars(segment) for segment in whole]
    assert segment_ids(label_columns(path)) == [segment_id(segment) for segment in whole]
    assert (None in plain.blocks_of(path, ("audio_name",))) == (odd == QUOTED)


def test_timestamps_and_segment_ids(write):
    stamps = read_timestamps(write(f"audio_name\tutt_id\tstart\tend\n{NAME}.wav\ta1\t1170\t2750\n"))
    assert stamps == [Timestamp(NAME, "a1", 1170, 2750)]
    assert segment_id(stamps[0]) == segment_id(SEGMENTS[0]) == f"{NAME}_a1_1170_2750"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x.wav,a1,5,3", "line 2: end 3 is before start 5"),
        ("x.wav,a1,5,9\nx.wav,a1,9,12", "line 3: utt_id 'a1'"),
        ("", "has a header and no segment below it"),
    ],
)
def test_wrong_timestamps(write, row, message):
    with pytest.raises(InputError, match=message):
        read_timestamps(write(f"audio_name,utt_id,start,end\n{row}\n"))
