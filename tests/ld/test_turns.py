import numpy as np
import pytest

from sinobench.errors import InputError
from sinobench.ld.rttm import write_rttm
from sinobench.ld.turns import (
    ENGLISH,
    MANDARIN,
    NON_EVALUATED,
    NON_SPEECH,
    evaluated_spans,
    named_turns,
    read_intervals,
    read_turns,
    turn_table,
)


@pytest.fixture
def folder(tmp_path):
    """folder(**files): a folder of text files; its path."""

    def folder(**files):
        (tmp_path / "turns").mkdir()
        for name, content in files.items():
            content = content if isinstance(content, bytes) else content.encode()
            (tmp_path / "turns" / f"{name}.txt").write_bytes(content)
        return tmp_path / "turns"

    return folder


def rows(table):
    columns = (table.recording, table.start_ms, table.end_ms, table.language)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_a_folder_is_read_in_the_order_of_names_and_lines(folder):
    table = read_turns(folder(b="7 9 English\n3 4 Mandarin\n", a="1 2 English", c=""))
    assert table.recordings == ["a", "b", "c"]
    assert rows(table) == [(0, 1, 2, ENGLISH), (1, 7, 9, ENGLISH), (1, 3, 4, MANDARIN)]
    assert [table.recording.dtype, table.start_ms.dtype, table.language.dtype] == [np.int64, np.int64, np.int8]
    assert table.is_unsorted().tolist() == [False, True, False]
    assert table.has_speech().tolist() == [True, True, False]


@pytest.mark.parametrize(
    "content",
    [
        b"1425.0 2000.0 English\n3000 4000 Mandarin\n",
        b"\xef\xbb\xbf1425 2000. English\r\n3000.0\t4000.00\tMandarin\r\n\r\n",
        b"  1425  2000 english \n\n3000 4000 MANDARIN",
    ],
)
def test_forms_of_a_file(folder, content):
    assert rows(read_turns(folder(a=content))) == [(0, 1425, 2000, ENGLISH), (0, 3000, 4000, MANDARIN)]


def test_times_are_rounded_half_to_even(folder):
    table = read_turns(folder(a="0.5 1.5 English\n2.5 2.500001 English\n4.4999 4.5 English"))
    assert rows(table) == [(0, 0, 2, ENGLISH), (0, 2, 3, ENGLISH), (0, 4, 4, ENGLISH)]


def test_other_labels_are_kept_apart_from_speech(folder):
    spellings = ("NON_SPEECH", "Non-Speech", "NON_EVALUATED", "Non-Evaluated-Speech")
    table = read_turns(folder(a="".join(f"{9 - i} 10 {tag}\n" for i, tag in enumerate(spellings))))
    assert table.language.tolist() == [NON_SPEECH, NON_SPEECH, NON_EVALUATED, NON_EVALUATED]
    assert not table.has_speech().any() and not table.is_unsorted().any()
    assert table.spans(NON_EVALUATED).tolist() == [[0, 7, 10], [0, 6, 10]]


@pytest.mark.parametrize("content", ["", "\n \n", b"\xef\xbb\xbf"])
def test_a_file_without_turns(folder, content):
    table = read_turns(folder(a=content))
    assert table.recordings == ["a"] and not len(table.start_ms)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1 2 English\n5 4 English\n", r"a\.txt, line 2: end 4 is before start 5"),
        ("1 2 French\n", "line 1: language 'French' is unknown; expected one of English, Mandarin"),
        ("nan 2 English\n", "'nan' is no time"),
        ("1 inf English\n", "'inf' is no time"),
        ("-1 2 English\n", "'-1' is no time"),
        ("1e3 2e3 English\n", "'1e3' is no time"),
        ("1 12345678901 English\n", "'12345678901' is no time"),
        ("١ 2 English\n", "is no time"),
        ("1,2,English\n", "expected start, end and language, found '1,2,English'"),
        ("1 2\n", "line 1: expected start, end and language"),
        ("1 2 English x\n", "line 1: expected start, end and language"),
        (b"1 2 English\n\xff\xfe\n", "line 2: byte 1 is not UTF-8"),
        ("1 2 English\n\0", "line 2: holds a NUL"),
    ],
)
def test_broken_files(folder, content, message):
    with pytest.raises(InputError, match=message):
        read_turns(folder(a=content))


def test_what_else_lies_in_a_folder(folder, tmp_path):
    place = folder(a="1 2 English\n")
    (place / ".DS_Store").write_bytes(b"\xff")
    assert read_turns(place).recordings == ["a"]
    for name in ("notes.csv", "b.TXT", "c.rttm"):
        (place / name).write_text("")
        with pytest.raises(InputError, match=f"{name}: is not expected here"):
            read_turns(place)
        (place / name).unlink()
    (place / "nested.txt").mkdir()
    with pytest.raises(InputError, match="is not expected here"):
        read_turns(place)


def test_a_link_out_of_the_folder_is_not_followed(folder, write):
    place = folder(a="1 2 English\n")
    (place / "b.txt").symlink_to(write("3 4 English\n", "secret.txt"))
    with pytest.raises(InputError, match="link to a file outside"):
        read_turns(place)


def test_names_that_are_no_recording_and_two_files_of_one(folder):
    place = folder(**{"a b": ""})
    with pytest.raises(InputError, match="is no plain file name"):
        read_turns(place)
    (place / "a b.txt").unlink()
    for name in ("a.txt", "a.wav.txt"):
        (place / name).write_text("")
    with pytest.raises(InputError, match="second file of the recording 'a'"):
        read_turns(place)


def test_absent_folders_and_other_files(tmp_path, write):
    for path in (tmp_path / "none", write("1 2 English", "turns.txt")):
        with pytest.raises(InputError, match="neither a folder"):
            read_turns(path)


def test_rttm_is_read_as_the_folder_is(folder, tmp_path):
    table = read_turns(folder(a="7 9 English\n3 4 Mandarin\n8 12 NON_EVALUATED\n", b="1 2 Mandarin\n"))
    write_rttm(named_turns(table), tmp_path / "turns.rttm")
    again = read_turns(tmp_path / "turns.rttm")
    assert again.recordings == table.recordings and rows(again) == rows(table)
    with (tmp_path / "turns.rttm").open("a") as file:
        file.write("SPEAKER a 1 0 1 <NA> <NA> MEE001 <NA> <NA>\n")
    with pytest.raises(InputError, match="line 5: language 'MEE001' is unknown"):
        read_turns(tmp_path / "turns.rttm")


def test_alignment_with_a_reference():
    table = turn_table(["b", "a"], ["a", "b"], [1, 2], [3, 4], ["English", "Mandarin"])
    assert rows(table.aligned(["a", "b", "c"])) == [(0, 1, 3, ENGLISH), (1, 2, 4, MANDARIN)]
    with pytest.raises(InputError, match=r"pred: has 'b', which the reference does not have .* did you mean 'bb'"):
        table.aligned(["a", "bb"], "pred")
    with pytest.raises(InputError, match="turns of 'x'"):
        turn_table(["a"], ["x"], [1], [2], ["English"])


@pytest.mark.parametrize("name", ["regions.csv", "regions.uem"])
def test_evaluated_regions_are_of_the_recordings_of_the_reference(write, name):
    line = "{},{},{}\n" if name.endswith("csv") else "{} 1 0.{:03} 0.{:03}\n"
    path = write("".join(line.format(*row) for row in (("b", 10, 20), ("a", 0, 5), ("b", 30, 40))), name)
    assert evaluated_spans(read_intervals(path), ["a", "b"], path).tolist() == [[1, 10, 20], [0, 0, 5], [1, 30, 40]]
    with pytest.raises(InputError, match="line 2: 'a' is no recording of the reference"):
        evaluated_spans(read_intervals(path), ["b"], path)
    with pytest.raises(InputError, match=r"has no region for 'c' \(1 recordings"):
        evaluated_spans(read_intervals(path), ["a", "b", "c"], path)


@pytest.mark.parametrize("kind", ["rttm", "folder"])
def test_plain_files_are_read_by_column_as_they_are_by_line(folder, tmp_path, monkeypatch, kind):
    tags = ("English", "mandarin", "Non-Speech")
    lines = {name: [(10 * n, 10 * n + n % 4, tags[n % 3]) for n in range(9)] for name in "ab"}
    if kind == "folder":
        path = folder(**{name: "".join(f"{a} {b} {tag}\n" for a, b, tag in each) for name, each in lines.items()})
    else:
        path = tmp_path / "turns.rttm"
        form = "SPEAKER {}.wav 1 {:.3f} {:.3f} <NA> <NA> {} <NA> <NA>\n"
        turns = [form.format(n, a / 1000, (b - a) / 1000, tag) for n, each in lines.items() for a, b, tag in each]
        path.write_text("".join(turns), encoding="utf-8")
    by_column = read_turns(path)
    for module in ("sinobench.ld.turns", "sinobench.ld.rttm"):
        monkeypatch.setattr(f"{module}.cells_by_column", lambda lines, n: None)
    by_line = read_turns(path)
    assert by_column.recordings == by_line.recordings == ["a", "b"] and rows(by_column) == rows(by_line)
    expected = [(a, b) for each in lines.values() for a, b, _ in each]
    assert [(start, end) for _, start, end, _ in rows(by_column)] == expected


def test_an_rttm_file_of_two_channels_is_refused_though_its_lines_are_plain(tmp_path):
    path = tmp_path / "turns.rttm"
    form = "SPEAKER {} {} 1.000 1.000 <NA> <NA> English <NA> <NA>\n"
    path.write_text(form.format("a", 1) + form.format("a.wav", 2), encoding="utf-8")
    with pytest.raises(InputError, match=r"turns\.rttm, line 2: .* has the channels"):
        read_turns(path)
