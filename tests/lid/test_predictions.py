import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.lid.predictions import read_both, read_predictions, read_reference, write_predictions

IDS = ["TTS_P10000TT_a1_0_921", "TTS_P10000TT_a2_1500_2730", "TTS_P10001TT_a1_3000_5287"]
ONE = "".join(f"{name} 0 {i}.5\n{name} 1 -{i}\n" for i, name in enumerate(IDS))
TWO = "".join(f"{name} {i}.5 -{i}\n" for i, name in enumerate(IDS))
LABELS = (
    "audio_name,utt_id,start,end,length,language_tag,overlap_diff_lang,dev_eval_status\n"
    "b.wav,a1,0,900,900,Mandarin,False,Dev\n"
    "a.wav,a1,0,900,900,English,False,Dev\n"
    "a.wav,a2,800,1700,900,Mandarin,True,Dev\n"
    "a.wav,a3,2000,2900,900,NON_SPEECH,False,Dev\n"
    "a.wav,a4,3000,3900,900,Non-Evaluated-Speech,False,Dev\n"
)


def scores(found):
    return list(zip(found.english.tolist(), found.mandarin.tolist(), strict=True))


EXPECTED = [(0.5, 0), (1.5, -1), (2.5, -2)]


def test_vectors_are_read_in_their_format(vectors):
    for case in sorted((vectors / "lid").iterdir()):
        expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
        reference = read_reference(case / "reference.txt")
        found = read_predictions(case / "prediction.txt", reference.ids)
        assert (found.format, found.order_differs, len(reference.ids)) == (expected["format"], False, expected["n"])


@pytest.mark.parametrize("text", [ONE, TWO], ids=["1", "2"])
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace(" ", "   "),
        lambda text: "\ufeff" + text,
        lambda text: text.removesuffix("\n"),
    ],
    ids=["plain", "crlf", "tabs", "wide", "bom", "no-last-newline"],
)
def test_both_formats_as_people_write_them(write, text, change):
    found = read_predictions(write(change(text)), IDS)
    assert scores(found) == EXPECTED and found.format == (1 if text == ONE else 2) and not found.order_differs


@pytest.mark.parametrize("text", [ONE, TWO], ids=["1", "2"])
def test_lines_are_joined_by_id(write, text):
    found = read_predictions(write("".join(reversed(text.splitlines(keepends=True)))), IDS)
    assert scores(found) == EXPECTED and found.order_differs


def test_mandarin_before_english_is_another_order(write):
    lines = ONE.splitlines(keepends=True)
    found = read_predictions(write("".join([lines[1], lines[0], *lines[2:]])), IDS)
    assert scores(found) == EXPECTED and found.order_differs


@pytest.mark.parametrize("first", ["0", "0.0", "1"])
def test_first_score_does_not_decide_the_format(write, first):
    found = read_predictions(write(f"{IDS[0]} {first} 0.5\n{IDS[1]} 0.25 1\n{IDS[2]} 3 4\n"), IDS)
    assert found.format == 2 and scores(found) == [(float(first), 0.5), (0.25, 1), (3, 4)]


def test_hard_decisions_in_format_2(write):
    found = read_predictions(write(f"{IDS[0]} 0 1\n{IDS[1]} 1 0\n{IDS[2]} 0 1\n"), IDS)
    assert found.format == 2 and scores(found) == [(0, 1), (1, 0), (0, 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TWO.replace("1.5", "nan"), r"p\.txt, line 2: score 'nan'; expected a finite number"),
        (TWO.replace("-1", "-inf"), r"line 2: score '-inf'"),
        (TWO.replace("1.5", "1e999"), r"line 2: score '1e999'"),
        (TWO.replace("1.5", "1_5"), r"line 2: score '1_5'"),
        (TWO.replace("-1", "high").replace("2.5", "low"), r"line 2: score 'high'"),
        (TWO.replace("1.5", "--1"), r"line 2: score '--1'"),
        (ONE.replace("2.5", "inf"), r"line 5: score 'inf'"),
        (TWO.replace(" -1\n", "\n"), r"line 2: expected id, 0 or 1, and score, .*3 fields; found 'TTS_P10000TT_a2"),
        (TWO.replace(" -1\n", " -1 7\n"), r"line 2: expected .*3 fields"),
        (TWO.replace("\n", "\n\n"), r"line 2: expected .*found an empty line"),
        (TWO.replace(IDS[1], "other"), rf"line 2: segment 'other' is not one of the 3 to score; '{IDS[1]}' is missing"),
        (TWO + "other 0 0\n", r"line 4: segment 'other' is not one of the 3 to score$"),
        (ONE + "other 0 0\nother 1 0\n", r"line 7: segment 'other' is not one of the 3"),
        ("".join(TWO.splitlines(keepends=True)[::2]), rf"lacks scores for segment '{IDS[1]}', number 2 of 3"),
        ("".join(ONE.splitlines(keepends=True)[:-1]), rf"lacks the line with label 1 for segment '{IDS[2]}', number 3"),
        ("".join(ONE.splitlines(keepends=True)[1:]), rf"lacks the line with label 0 for segment '{IDS[0]}', number 1"),
        ("".join(ONE.splitlines(keepends=True)[:-2]), rf"lacks the line with label 0 for segment '{IDS[2]}'"),
        (TWO + TWO.splitlines()[1], rf"line 4: segment '{IDS[1]}' stands in line 2 already"),
        (ONE + ONE.splitlines()[2], rf"line 7: segment '{IDS[1]}' with label 0 stands in line 3 already"),
        (ONE.replace(f"{IDS[1]} 1", f"{IDS[1]} 2"), r"line 4: label '2'; expected 0 for English or 1 for Mandarin"),
        (ONE.replace(f"{IDS[1]} 1", f"{IDS[1]} 0"), rf"line 4: segment '{IDS[1]}' with label 0 stands in line 3"),
        ("", r"is empty"),
    ],
)
def test_wrong_predictions_are_refused(write, text, message):
    with pytest.raises(InputError, match=message):
        read_predictions(write(text, "p.txt"), IDS)


FINITE = st.floats(-1e299, 1e299)


@given(data=st.data(), n=st.integers(1, 8))
def test_every_layout_gives_the_same_scores(tmp_path_factory, data, n):
    ids = [f"r_a{i}_0_{i}" for i in range(n)]
    pairs = data.draw(st.lists(st.tuples(FINITE | st.sampled_from([0.0, 1.0]), FINITE), min_size=n, max_size=n))
    path = tmp_path_factory.mktemp("scores") / "p.txt"
    two = [f"{name} {english!r} {mandarin!r}" for name, (english, mandarin) in zip(ids, pairs, strict=True)]
    one = [f"{name} {i} {pair[i]!r}" for name, pair in zip(ids, pairs, strict=True) for i in (0, 1)]
    for number, lines in ((1, one), (2, two)):
        shuffled = data.draw(st.permutations(lines))
        path.write_text("\n".join(shuffled), encoding="utf-8")
        found = read_predictions(path, ids)
        assert scores(found) == pairs and found.format == number and found.order_differs == (shuffled != lines)


def test_written_scores_are_read_back_exactly(tmp_path):
    chance = np.random.default_rng(1)
    english, mandarin = chance.standard_normal((2, 3))
    english[0] = 0
    write_predictions(tmp_path / "p.txt", IDS, english, mandarin)
    found = read_predictions(tmp_path / "p.txt", IDS)
    assert (found.format, found.order_differs) == (2, False)
    assert found.english.tolist() == english.tolist() and found.mandarin.tolist() == mandarin.tolist()


@pytest.mark.parametrize("score", [np.nan, np.inf, -np.inf])
def test_scores_that_are_not_finite_are_not_written(tmp_path, score):
    with pytest.raises(InputError, match=IDS[1]):
        write_predictions(tmp_path / "p.txt", IDS, [0, score, 0], [0, 0, 0])
    assert not (tmp_path / "p.txt").exists()


def test_reference_of_lines(write):
    reference = read_reference(write(f"{IDS[0]} 0\r\n{IDS[1]}\t1\r\n{IDS[2]} 0"))
    assert reference.ids == IDS and reference.is_english.tolist() == [True, False, True]
    assert reference.recordings == ["TTS_P10000TT", "TTS_P10000TT", "TTS_P10001TT"]


@pytest.mark.parametrize("name", ["labels.csv", "labels.txt"])
@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_reference_of_released_labels(write, name, delimiter):
    reference = read_reference(write(LABELS.replace(",", delimiter), name))
    assert reference.ids == ["b_a1_0_900", "a_a1_0_900"] and reference.recordings == ["b", "a"]
    assert reference.is_english.tolist() == [False, True]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{IDS[0]} 0\n{IDS[1]} 2\n", r"r\.txt, line 2: label '2'; expected 0 for English or 1 for Mandarin"),
        (f"{IDS[0]} 0\n{IDS[1]} English\n", r"line 2: label 'English'"),
        (f"{IDS[0]} 0\n{IDS[0]} 0\n", rf"line 2: segment '{IDS[0]}' stands in line 1 already"),
        (f"{IDS[0]} 0\nsegment2 1\n", r"line 2: id 'segment2' is not <recording>_<utt_id>_<start>_<end>"),
        (f"{IDS[0]} 0 0.5\n", r"line 1: expected id and label, .* 2 fields"),
        (f"{IDS[0]}\n", r"line 1: expected id and label"),
        ("", r"is empty"),
        (LABELS.splitlines()[0] + "\n", r"no segment below it"),
        (LABELS.replace("False", "True"), r"no English or Mandarin segment with overlap_diff_lang False"),
        (LABELS.replace("Mandarin", "Hokkien"), r"line 2: language tag 'Hokkien' is unknown"),
    ],
)
def test_wrong_references_are_refused(write, text, message):
    with pytest.raises(InputError, match=message):
        read_reference(write(text, "r.txt"))


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4, 5], [0, 2, 4, 1, 3, 5], [5, 1, 2, 4, 0, 3]])
def test_plain_lines_are_read_by_column_as_they_are_by_line(tmp_path, monkeypatch, order):
    reference, predictions = tmp_path / "reference.txt", tmp_path / "predictions.txt"
    ids = [f"A_x_{n}_a{n}_{n}_{n + 9}" for n in range(3)]
    reference.write_text("".join(f"{name} {n % 2}\n" for n, name in enumerate(ids)), encoding="utf-8")
    lines = [f"{name} {label} {2 * n + label - 1.5}\n" for n, name in enumerate(ids) for label in (0, 1)]
    predictions.write_text("".join(lines[n] for n in order), encoding="utf-8")

    def read():
        truth = read_reference(reference)
        return truth, read_predictions(predictions, truth.ids)

    truth, given = read()
    assert truth.recordings == [f"A_x_{n}" for n in range(3)] and truth.is_english.tolist() == [True, False, True]
    assert given.english.tolist() == [-1.5, 0.5, 2.5] and given.mandarin.tolist() == [-0.5, 1.5, 3.5]
    assert given.format == 1 and given.order_differs == (order != sorted(order))
    monkeypatch.setattr("sinobench.lid.predictions.columns", lambda data, n, between: None)
    monkeypatch.setattr("sinobench.lid.predictions._recordings", lambda names: None)
    monkeypatch.setattr("sinobench.lid.predictions._joined", lambda *columns: None)
    others, other = read()
    assert (others.ids, others.recordings) == (truth.ids, truth.recordings)
    assert other.english.tolist() == given.english.tolist() and other.mandarin.tolist() == given.mandarin.tolist()


CHANGES = [
    lambda line: "",
    lambda line: f"{line} 7",
    lambda line: f" {line}",
    lambda line: line.replace(" ", "\t", 1),
    lambda line: line.replace(" ", "  ", 1),
    lambda line: line.replace("_", "", 1),
    lambda line: line.replace("_", "\u3000", 1),
    lambda line: line.replace("a", "é", 1),
    lambda line: line.rpartition(" ")[0],
    *(
        lambda line, score=score: f"{line.rpartition(' ')[0]} {score}"
        for score in ("nan", "1_0", "1-2", "٣", "1e999", "0")
    ),
]


@given(data=st.data(), n=st.integers(1, 6), as_pairs=st.booleans())
def test_whole_columns_give_and_refuse_what_lines_do(tmp_path_factory, data, n, as_pairs):
    ids = [f"r{i % 2}_a{i}_{10 ** (i % 4)}_{i}" for i in range(n)]
    lines = [f"{name} {i} {i - 0.5}" for name in ids for i in (0, 1)] if as_pairs else [f"{i} 0.5 -1" for i in ids]
    lines = data.draw(st.just(lines) | st.permutations(lines))
    for place in data.draw(st.lists(st.integers(0, len(lines) - 1), max_size=2)):
        lines = [*lines[:place], data.draw(st.sampled_from(CHANGES))(lines[place]), *lines[place + 1 :]]
    folder = tmp_path_factory.mktemp("columns")
    for name, rows in (("reference.txt", [f"{name} {i % 2}" for i, name in enumerate(ids)]), ("scores.txt", lines)):
        (folder / name).write_text("\n".join(rows), encoding="utf-8")

    def read():
        try:
            truth, given = read_both(folder / "reference.txt", folder / "scores.txt")
        except InputError as error:
            return error.shown
        return list(truth.recordings), truth.is_english.tolist(), scores(given), given.format, given.order_differs

    found = read()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("columns", "_recordings", "_joined"):
            patch.setattr(f"sinobench.lid.predictions.{name}", lambda *arguments: None)
        assert read() == found
