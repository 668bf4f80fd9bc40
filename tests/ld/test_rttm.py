import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.ld.rttm import NamedTurn, read_rttm, read_uem, write_rttm, write_uem
from sinobench.merlion.tables import Region

LINE = "SPEAKER r 1 1.440 11.872 <NA> <NA> English <NA> <NA>\n"
PARTS = {"train": (77, 10), "development": (17, 2), "test": (27, 2)}


@pytest.mark.parametrize("part", PARTS)
def test_meetings_are_read_completely_and_written_back(mirror, tmp_path, part):
    n_turns, n_regions = PARTS[part]
    folder = mirror / "speech" / "meetings"
    turns, regions = read_rttm(folder / f"debug.{part}.rttm"), read_uem(folder / f"debug.{part}.uem")
    lines = (folder / f"debug.{part}.rttm").read_text(encoding="utf-8").splitlines()
    assert len(turns) == len(lines) == n_turns and len(regions) == n_regions
    for turn, line in zip(turns, lines, strict=True):
        _, recording, _, onset, duration, _, _, name, *_ = line.split()
        assert (turn.recording, turn.name) == (recording, name)
        assert turn.start_ms == pytest.approx(float(onset) * 1000)
        assert turn.end_ms - turn.start_ms == pytest.approx(float(duration) * 1000)
    assert {turn.recording for turn in turns} <= {region.recording for region in regions}
    write_rttm(turns, tmp_path / "copy.rttm")
    write_uem(regions, tmp_path / "copy.uem")
    assert read_rttm(tmp_path / "copy.rttm") == turns and read_uem(tmp_path / "copy.uem") == regions
    assert (tmp_path / "copy.rttm").read_text(encoding="utf-8").splitlines() == lines


names = st.text("ABCxyz019_-.é", min_size=1).filter(lambda name: name.strip(".") and not name.endswith(".wav"))
times = st.tuples(st.integers(0, 10**8), st.integers(0, 10**8)).map(sorted)


@given(st.lists(st.builds(lambda r, t, n: (r, *t, n), names, times, names), max_size=5))
def test_rttm_round_trip(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("rttm") / "turns.rttm"
    turns = [NamedTurn(*row, line) for line, row in enumerate(rows, start=1)]
    write_rttm(turns, path)
    assert read_rttm(path) == turns


@given(st.lists(st.tuples(names, st.integers(0, 10**8), st.integers(1, 10**8)), min_size=1, unique_by=lambda r: r[0]))
def test_uem_round_trip(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("uem") / "regions.uem"
    regions = [Region(name, start, start + length, row) for row, (name, start, length) in enumerate(rows, start=1)]
    write_uem(regions, path)
    assert read_uem(path) == regions


def test_comments_blank_lines_tabs_and_files_without_turns(write):
    text = f";; a comment\r\n\r\nSPKR-INFO r 1 <NA> <NA> <NA> unknown English <NA> <NA>\r\n{LINE.replace(' ', chr(9))}"
    assert read_rttm(write(text)) == [NamedTurn("r", 1440, 13312, "English", 4)]
    assert read_rttm(write("")) == read_rttm(write(b"\xef\xbb\xbf")) == []
    assert read_uem(write(";; none\nr NA 0 1.5")) == [Region("r", 0, 1500, 2)]


@pytest.mark.parametrize(
    ("onset", "duration", "bounds"),
    [("0.0005", "1", (0, 1000)), ("0.0015", "1", (2, 1002)), (".5", "0", (500, 500)), ("0.0004", "0.0004", (0, 1))],
)
def test_bounds_are_rounded_half_to_even_after_adding(write, onset, duration, bounds):
    (turn,) = read_rttm(write(f"SPEAKER r 1 {onset} {duration} <NA> <NA> English"))
    assert (turn.start_ms, turn.end_ms) == bounds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LINE + LINE.replace("11.872", "NaN"), r"line 2: duration 'NaN' is no time"),
        (LINE.replace("1.440", "inf"), "onset 'inf' is no time"),
        (LINE.replace("1.440", "-1.440"), "onset '-1.440' is no time"),
        (LINE.replace("1.440", "1e400"), "onset '1e400' is no time"),
        (LINE.replace("11.872", "-1.0"), "duration '-1.0' is no time"),
        (LINE.replace("SPEAKER", "LEXEME"), "line 1: expected SPEAKER file channel"),
        (LINE + "SPEAKER r 1 1.0\n", "line 2: expected SPEAKER file channel"),
        (LINE + "1440.0 13312.0 English\n", "line 2: expected SPEAKER file channel"),
        (LINE.replace(" r ", " ../r "), "is no plain file name"),
        (LINE + LINE.replace(" r 1 ", " r 2 "), "line 2: 'r' has the channels '1' and '2'"),
        (LINE.encode() + b"SPEAKER \xff", "line 2: byte 9 is not UTF-8"),
    ],
)
def test_broken_rttm(write, text, message):
    with pytest.raises(InputError, match=message):
        read_rttm(write(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("r 1 0.0 1.0\nr 1 2.0\n", "line 2: expected file channel start end"),
        ("r 1 0.0 nan\n", "line 1: end 'nan' is no time"),
        ("r 1 2.0 1.0\n", "end 1.0 is not after start 2.0"),
        ("r 1 1.0 1.0\n", "end 1.0 is not after start 1.0"),
        ("r 1 0.0 1.0\nr 1 0.5 2.0\n", "line 2: region 500-2000 of 'r' overlaps 0-1000"),
        ("/r 1 0.0 1.0\n", "is no plain file name"),
        (";; nothing\n", "holds no region"),
        ("", "holds no region"),
    ],
)
def test_broken_uem(write, text, message):
    with pytest.raises(InputError, match=message):
        read_uem(write(text))


def test_a_file_that_is_absent_or_far_too_large(tmp_path):
    with pytest.raises(InputError, match="can't be read"):
        read_rttm(tmp_path / "none.rttm")
    with (tmp_path / "large.rttm").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(InputError, match="MiB, more than"):
        read_rttm(tmp_path / "large.rttm")
