import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.merlion.statistics import (
    PLAN_TABLE_1,
    RECORDING_BIN_MS,
    SEGMENT_BIN_MS,
    figure_2_rows,
    figure_3_rows,
    length_rows,
    recording_rows,
    table_1,
)
from sinobench.merlion.statistics_figures import figure_2, figure_3, figure_4
from sinobench.merlion.tables import Segment
from sinobench.results.drawing import Names, save

NAMES = Names({}, {"dev": "Development", "eval": "Evaluation"}, None)
FIRST, SECOND, THIRD = "TTS_P10040TT_01", "TTS_P10040TT_02", "TTS_P10041TT_01"
DURATIONS = {SECOND: 20_000, FIRST: 10_000, THIRD: 5_500}


def segments(recording, *spans):
    return [
        Segment(recording, f"a{number}", start, start + length, language, False, "", number + 1)
        for number, (language, start, length) in enumerate(spans, start=1)
    ]


def table(rows):
    """The table that the workflow has of segments; of an evaluation set, they have no language."""
    columns = ["recording", "utt_id", "start_ms", "end_ms", "language", "row"]
    return pd.DataFrame([[getattr(row, name) for name in columns] for row in rows], columns=columns)


# The second English segment lies wholly within the first: sums count both.
LABELS = table(
    [
        *segments(
            FIRST, ("English", 0, 1000), ("English", 500, 300), ("Mandarin", 1000, 650), ("NON_SPEECH", 1600, 900)
        ),
        *segments(SECOND, ("English", 0, 2000), ("NON_EVALUATED", 3000, 70)),
    ]
)


def values(rows):
    return {row["statistic"]: (row["value"], row["n"]) for row in rows}


def test_table_1():
    rows = table_1(LABELS, recording_rows("dev", LABELS, DURATIONS))
    assert [row["line"] for row in rows] == list(range(1, len(PLAN_TABLE_1) + 1))
    assert values(rows) == {
        "audio_duration": (35.5, 3),
        "n_recordings": (3, 3),
        "n_pairs": (2, 3),
        "n_recordings_one_language": (1, 3),
        "n_recordings_two_languages": (1, 3),
        "english_duration": (3.3, 3),
        "mandarin_duration": (0.65, 1),
        "non_evaluated_duration": (0.07, 1),
        "n_segments": (6, 6),
        "n_english_segments": (3, 3),
        "n_mandarin_segments": (1, 1),
        "median_english_segment": (1000.0, 3),
        "median_mandarin_segment": (650.0, 1),
        "mean_english_segment": (1100.0, 3),
        "mean_mandarin_segment": (650.0, 1),
        "mean_mandarin_english_ratio": (0.25, 2),
    }
    assert all(row["corpus"] == "dev" and row["unit"] == PLAN_TABLE_1[row["statistic"]][0] for row in rows)


@pytest.mark.parametrize("language", ["english", "mandarin"])
@pytest.mark.parametrize("column", [1, 2])
def test_the_plan_sums_whole_segments(language, column):
    n, mean = (PLAN_TABLE_1[key][column] for key in (f"n_{language}_segments", f"mean_{language}_segment"))
    assert PLAN_TABLE_1[f"{language}_duration"][column] == pytest.approx(n * mean / 1000, abs=1)


def test_recordings():
    rows = recording_rows("dev", LABELS, DURATIONS)
    assert [row["recording"] for row in rows] == [FIRST, SECOND, THIRD]
    assert rows[0] == {
        "corpus": "dev",
        "recording": FIRST,
        "pair": "P10040",
        "duration_ms": 10_000,
        "n_segments": 4,
        "n_english": 2,
        "n_mandarin": 1,
        "english_ms": 1300,
        "mandarin_ms": 650,
        "non_evaluated_ms": 0,
        "mandarin_share": pytest.approx(1 / 3),
        "place": 2,
    }
    assert [row["mandarin_share"] for row in rows[1:]] == [0.0, None]
    assert [row["place"] for row in rows] == [2, 1, 3]


def test_segment_without_audio():
    with pytest.raises(InputError, match=r"segment a1 of row 2 is of 'other', which has no audio"):
        recording_rows("dev", table(segments("other", ("English", 0, 5))), DURATIONS)


def test_evaluation_set_has_durations_and_counts_only():
    stamps = table(segments(FIRST, (None, 0, 500), (None, 600, 300)))
    rows = recording_rows("eval", stamps, DURATIONS)
    assert [row["n_segments"] for row in rows] == [2, 0, 0]
    assert rows[0]["english_ms"] is rows[0]["mandarin_share"] is rows[0]["n_mandarin"] is None
    found = values(table_1(stamps, rows))
    assert {name: value for name, (value, _) in found.items() if value is not None} == {
        "audio_duration": 35.5,
        "n_recordings": 3,
        "n_pairs": 2,
        "n_segments": 2,
    }
    assert figure_2_rows("eval", stamps) == figure_3_rows(rows) == []


def test_corpus_without_segments():
    found = values(table_1(table([]), recording_rows("dev", table([]), DURATIONS)))
    assert found["english_duration"] == (0.0, 0) and found["mean_english_segment"] == (None, 0)
    assert found["mean_mandarin_english_ratio"] == (None, 0)
    assert values(table_1(table([]), []))["n_recordings"] == (0, 0)


def test_figure_2_counts_segments_in_bins():
    rows = figure_2_rows("dev", LABELS)
    counted = {(row["language"], row["start_ms"]): row["n"] for row in rows if row["n"]}
    assert counted == {("English", 300): 1, ("English", 1000): 1, ("English", 2000): 1, ("Mandarin", 640): 1}
    assert {row["end_ms"] - row["start_ms"] for row in rows} == {SEGMENT_BIN_MS}
    assert {(row["corpus"], row["unit"]) for row in rows} == {("dev", "segment")}


def test_figure_3_counts_recordings_that_have_the_language():
    rows = figure_3_rows(recording_rows("dev", LABELS, DURATIONS))
    assert sum(row["n"] for row in rows if row["language"] == "English") == 2
    assert sum(row["n"] for row in rows if row["language"] == "Mandarin") == 1
    assert {row["end_ms"] - row["start_ms"] for row in rows} == {RECORDING_BIN_MS}


@given(st.lists(st.integers(1, 40_000), min_size=1, max_size=60))
def test_density_is_one(lengths):
    rows = length_rows("dev", "segment", {"English": lengths}, SEGMENT_BIN_MS)
    assert sum(row["n"] for row in rows) == len(lengths)
    assert sum(row["density"] * (row["end_ms"] - row["start_ms"]) for row in rows) == pytest.approx(1)
    assert min(row["density"] for row in rows) >= 0
    assert [row["start_ms"] for row in rows[1:]] == [row["end_ms"] for row in rows[:-1]] and rows[0]["start_ms"] == 0


def test_density_of_a_known_distribution():
    lengths = np.random.default_rng(0).normal(3000, 400, 20_000).astype(int)
    rows = length_rows("dev", "segment", {"English": lengths.tolist()}, SEGMENT_BIN_MS)
    centre = [(row["start_ms"] + row["end_ms"]) / 2 for row in rows]
    expected = np.exp(-0.5 * ((np.array(centre) - 3000) / 400) ** 2) / (400 * np.sqrt(2 * np.pi))
    assert np.abs(np.array([row["density"] for row in rows]) - expected).max() < 0.05 * expected.max()


def test_one_extreme_length_does_not_make_millions_of_bins():
    rows = length_rows("dev", "segment", {"English": [100, 200, 10**10]}, SEGMENT_BIN_MS)
    assert len(rows) <= 20_001 and sum(row["n"] for row in rows) == 3


@pytest.fixture
def rows():
    """Rows of Figures 2, 3 and 4 for two corpora."""
    made = ([], [], [])
    for corpus, labels in (("dev", LABELS), ("eval", LABELS[:4])):
        recordings = recording_rows(corpus, labels, DURATIONS)
        for own, added in zip(
            made, (figure_2_rows(corpus, labels), figure_3_rows(recordings), recordings), strict=True
        ):
            own.extend(added)
    return made


@pytest.mark.parametrize(
    ("place", "draw", "expected"),
    [
        (0, figure_2, {"English: 3 segments": 3 * [100 / 3], "English: 2 segments": [50, 50]}),
        (1, figure_3, {"English: 2 recordings": [100], "Mandarin: 1 recording": [100]}),
    ],
)
def test_lengths_are_drawn_as_they_were_counted(rows, place, draw, expected):
    panels = draw(rows[place], NAMES).to_dict()["concat"]
    shares = {}
    for panel in panels:
        bars = panel["data"]["values"]
        assert panel["mark"]["type"] == "bar" and all(bar["start"] >= 0 for bar in bars)
        shares[panel["title"]["subtitle"]] = pytest.approx([bar["share"] for bar in bars if bar["share"]])
    assert {name: shares[name] for name in expected} == expected
    for axis in ("x", "y"):
        domains = [panel["encoding"][axis]["scale"]["domain"] for panel in panels]
        assert all(domain == domains[0] for domain in domains)


def test_bars_of_recordings_have_the_shortest_names_that_differ(rows, tmp_path):
    other = recording_rows("dev", pd.concat([LABELS, table(segments(THIRD, ("English", 0, 9)))]), DURATIONS)
    for drawn, names in (
        (rows[2][:3], ["01", "02"]),
        (other, ["P10040TT 01", "P10040TT 02", "P10041TT 01"]),
        ([row | {"recording": row["recording"].replace("_", "-")} for row in other], list(DURATIONS)),
    ):
        save(figure_4(drawn, NAMES), tmp_path / "a.png", tmp_path / "a.svg")
        svg = (tmp_path / "a.svg").read_text().replace("-", "_")
        assert all(f">{name}<" in svg for name in names)


@pytest.mark.parametrize(("place", "draw"), list(enumerate([figure_2, figure_3, figure_4])))
def test_pictures(rows, tmp_path, place, draw):
    for attempt in "ab":
        save(draw(rows[place], NAMES), tmp_path / f"{attempt}.png", tmp_path / f"{attempt}.svg")
    svg = (tmp_path / "a.svg").read_text()
    assert all(text in svg for text in ("Development", "Evaluation", "English", "Mandarin"))
    assert "TTS_" not in svg and "NaN" not in svg
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert "No results" in json.dumps(draw([], NAMES).to_dict())


def test_pictures_of_one_language(tmp_path):
    labels = table(segments(FIRST, ("Mandarin", 0, 900), ("Mandarin", 1000, 400)))
    recordings = recording_rows("dev", labels, DURATIONS)
    for draw, own in (
        (figure_2, figure_2_rows("dev", labels)),
        (figure_3, figure_3_rows(recordings)),
        (figure_4, recordings),
    ):
        save(draw(own, NAMES), tmp_path / "a.png", tmp_path / "a.svg")
        assert "NaN" not in (tmp_path / "a.svg").read_text()
