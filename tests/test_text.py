import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.errors import InputError, short
from sinobench.text import cells_by_column, read_lines, stream_lines


@pytest.mark.parametrize(
    "content",
    [
        "一\n二\n".encode(),
        "一\n二".encode(),
        "一\r\n二\r\n".encode(),
        "一\r\n二".encode(),
        "一\r\n二\n".encode(),
        codecs.BOM_UTF8 + "一\n二\n".encode(),
        codecs.BOM_UTF8 + "一\r\n二".encode(),
    ],
    ids=["plain", "no-last-newline", "crlf", "crlf-no-last-newline", "mixed", "bom", "bom-crlf"],
)
def test_bom_and_line_endings_are_no_text(write, content):
    assert read_lines(write(content)) == ["一", "二"]


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\u0085", "\u3000", "\x0c", "\x0b", "\x1c", "\r", "\t", " "])
@pytest.mark.parametrize("place", ["{}一", "一{}二", "一{}"])
def test_nothing_else_ends_or_leaves_a_line(write, character, place):
    line = place.format(character)
    if line.endswith("\r"):
        line += "。"  # before a line feed it is half of CRLF
    assert read_lines(write(f"{line}\n三\n")) == [line, "三"]


def test_only_the_first_bom_is_dropped(write):
    assert read_lines(write("\ufeff\ufeff一\n\ufeff二\n")) == ["\ufeff一", "\ufeff二"]


@pytest.mark.parametrize(("content", "expected"), [("\n", [""]), ("一\n\n", ["一", ""]), ("\n\n一", ["", "", "一"])])
def test_empty_lines_count(write, content, expected):
    assert read_lines(write(content)) == expected


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named(write, encoding):
    bom = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}.get(encoding, b"")
    path = write(bom + "一\n".encode(encoding))
    with pytest.raises(InputError, match=r"file\.txt, line 1: is UTF-16"):
        read_lines(path)


@pytest.mark.parametrize("encoding", ["gbk", "big5"])
def test_other_encodings_are_refused_with_their_line(write, encoding):
    path = write("好\n好\n".encode() + "錯誤\n".encode(encoding))
    with pytest.raises(InputError, match=r"file\.txt, line 3: byte 1 is not UTF-8"):
        read_lines(path)


@pytest.mark.parametrize("content", [b"", codecs.BOM_UTF8], ids=["nothing", "bom-only"])
def test_empty_file(write, content):
    with pytest.raises(InputError, match=r"file\.txt: is empty"):
        read_lines(write(content))


def test_missing_file(tmp_path):
    with pytest.raises(InputError, match=r"absent\.txt: can't be read \(No such file"):
        read_lines(tmp_path / "absent.txt")


def test_folder_in_place_of_a_file(tmp_path):
    with pytest.raises(InputError, match="is a folder; give a regular file"):
        read_lines(tmp_path)


def test_long_values_are_cut_in_messages():
    assert short("一" * 60) == "一" * 60
    assert short("一" * 61) == "一" * 59 + "…"


def test_utf16_without_a_bom_is_refused_by_its_nul_characters(write):
    with pytest.raises(InputError, match="line 1: holds a NUL character"):
        read_lines(write("ab\ncd\n".encode("utf-16-le")))


@given(st.lists(st.text(st.sampled_from("ab \t\r\x1cé\u2028"), max_size=5), min_size=1, max_size=4), st.integers(1, 3))
def test_cells_by_column_are_those_of_each_line_or_none(lines, n):
    columns = cells_by_column(lines, n)
    rows = [line.split() for line in lines]
    if all(line.isascii() and line == " ".join(row) and len(row) == n for line, row in zip(lines, rows, strict=True)):
        assert columns == [list(column) for column in zip(*rows, strict=True)]
    else:
        assert columns is None


@pytest.mark.parametrize(
    "content",
    [
        *(b"\n", b"a", b"a\r\nb\r\n", b"a\rb\r", b"a\n\n\r\n\n", b"a\r\r\nb", "一\n二\u2028三\n".encode()),
        *(
            codecs.BOM_UTF8 + b"a\nb",
            codecs.BOM_UTF8,
            b"",
            b"a\nb\0\n",
            "一\n".encode("utf-16"),
            "一\n".encode() + b"\xff\n",
        ),
    ],
)
def test_lines_read_some_at_a_time_are_those_read_at_once(write, monkeypatch, content):
    monkeypatch.setattr("sinobench.text._BYTES_AT_ONCE", 2)
    path, found = write(content), []
    for read in (read_lines, lambda path: list(stream_lines(path))):
        try:
            found.append(read(path))
        except InputError as error:
            found.append(str(error))
    assert found[0] == found[1]


def test_a_file_that_is_not_there_is_said_where_lines_are_read_some_at_a_time(tmp_path):
    with pytest.raises(InputError, match="can't be read"):
        list(stream_lines(tmp_path / "none.txt"))
