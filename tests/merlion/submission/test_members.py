import logging
import math
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.archive import write_zip
from sinobench.errors import InputError
from sinobench.merlion.submission.members import ld_predictions, lid_prediction, refuse_several_corpora
from sinobench.merlion.submission.validation import validate

SEGMENTS = [{"segment_id": "rec_a1_0_900"}, {"segment_id": "rec_a2_950_2000"}]
SCORES = [
    {"segment_id": "rec_a2_950_2000", "english_score": -0.1, "mandarin_score": 0.1},
    {"segment_id": "rec_a1_0_900", "english_score": 1e-17, "mandarin_score": 0.0},
]
TURNS = [
    {"recording": "b", "start_ms": 900, "end_ms": 1000, "language": "Mandarin"},
    {"recording": "b", "start_ms": 0, "end_ms": 900, "language": "English"},
    {"recording": "a", "start_ms": 5, "end_ms": 6, "language": "English"},
]

floats = st.floats(allow_nan=False, allow_infinity=False)
lengths = st.lists(st.tuples(st.integers(0, 500), st.integers(1, 500), st.sampled_from(["English", "Mandarin"])))


def test_scores_are_written_in_the_order_of_the_segments_english_first():
    assert lid_prediction(SEGMENTS, SCORES) == (
        "rec_a1_0_900 0 1e-17\nrec_a1_0_900 1 0.0\nrec_a2_950_2000 0 -0.1\nrec_a2_950_2000 1 0.1\n"
    )


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (SCORES[:1], "segment 'rec_a1_0_900' has no prediction"),
        ([*SCORES, SCORES[0]], "segment 'rec_a2_950_2000' has two predictions"),
        ([*SCORES, SCORES[0] | {"segment_id": "x"}], "prediction for 'x', which is no segment"),
        ([SCORES[0], SCORES[1] | {"mandarin_score": math.nan}], "'rec_a1_0_900': Mandarin score nan is not finite"),
        ([SCORES[0], SCORES[1] | {"english_score": None}], "'rec_a1_0_900': English score None is not finite"),
    ],
)
def test_nothing_but_whole_scores_is_packed(scores, message):
    with pytest.raises(InputError, match=message):
        lid_prediction(SEGMENTS, scores)


def test_turns_are_sorted_into_a_text_a_recording(caplog):
    with caplog.at_level(logging.WARNING):
        texts = ld_predictions(["b", "a", "silent"], TURNS)
    assert texts == {"b.txt": "0 900 English\n900 1000 Mandarin\n", "a.txt": "5 6 English\n", "silent.txt": ""}
    assert [record.getMessage().partition(",")[0] for record in caplog.records] == ["text 3 of 3 is empty"]


def test_turns_that_overlap_are_packed_with_a_warning(caplog):
    with caplog.at_level(logging.WARNING):
        texts = ld_predictions(["a", "b"], [TURNS[0] | {"start_ms": 899}, *TURNS[1:]])
    assert texts["b.txt"] == "0 900 English\n899 1000 Mandarin\n"
    assert "text 2 of 2, line 2: overlaps the line before" in caplog.text and "899" not in caplog.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"recording": "c"}, "turn 900-1000 of 'c', which is no recording"),
        ({"start_ms": 1000}, "'b', turn 1000-1000: expected a start from 0 and an end after it"),
        ({"language": "NON_SPEECH"}, "language 'NON_SPEECH', expected English or Mandarin"),
    ],
)
def test_nothing_but_sound_turns_is_packed(change, message):
    with pytest.raises(InputError, match=message):
        ld_predictions(["a", "b"], [TURNS[0] | change, *TURNS[1:]])


@given(st.lists(st.tuples(floats, floats), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_written_scores_are_valid_and_read_back_the_same(tmp_path_factory, drawn, random):
    folder = tmp_path_factory.mktemp("lid")
    ids = [f"rec_a{n}_{n}_{n + 1}" for n in range(len(drawn))]
    scores = [
        {"segment_id": name, "english_score": english, "mandarin_score": mandarin}
        for name, (english, mandarin) in zip(ids, drawn, strict=True)
    ]
    random.shuffle(scores)
    text = lid_prediction([{"segment_id": name} for name in ids], scores)
    assert [float(line.split()[2]) for line in text.splitlines()] == [score for pair in drawn for score in pair]
    write_zip(folder / "results.zip", {"prediction.txt": text})
    (folder / "ids.txt").write_text("\n".join(ids))
    assert validate(folder / "results.zip", "lid", folder / "ids.txt").findings == []


@given(st.dictionaries(st.sampled_from(["rec1", "rec2", "rec3"]), lengths, min_size=1), st.randoms())
def test_written_turns_are_valid(tmp_path_factory, drawn, random):
    folder = tmp_path_factory.mktemp("ld")
    turns = []
    for recording, spans in drawn.items():
        end_ms = 0
        for pause_ms, length_ms, language in spans:
            start_ms, end_ms = end_ms + pause_ms, end_ms + pause_ms + length_ms
            turns.append({"recording": recording, "start_ms": start_ms, "end_ms": end_ms, "language": language})
    in_order = ld_predictions(list(drawn), turns)
    random.shuffle(turns)
    assert ld_predictions(list(drawn), turns) == in_order
    write_zip(folder / "results.zip", in_order)
    (folder / "recordings.txt").write_text("\n".join(drawn))
    report = validate(folder / "results.zip", "ld", folder / "recordings.txt")
    assert report.valid and report.n == len(drawn)
    empty = [w.member for w in report.warnings if w.kind == "empty"]
    assert empty == [f"{name}.txt" for name in drawn if not drawn[name]]


def test_a_submission_is_for_one_evaluation_set():
    refuse_several_corpora([{"corpus": "one"}, {"corpus": "one"}])
    with pytest.raises(InputError, match="evaluation sets one, two"):
        refuse_several_corpora([{"corpus": "two"}, {"corpus": "one"}])


def test_a_submission_has_the_same_bytes_whenever_it_is_written(tmp_path):
    for name in ("one.zip", "two.zip"):
        write_zip(tmp_path / name, ld_predictions(["b", "a"], TURNS))
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert archive.namelist() == ["b.txt", "a.txt"]
