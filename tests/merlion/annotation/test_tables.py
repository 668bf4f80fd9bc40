import logging
import zipfile

import pytest
from openpyxl import Workbook

from sinobench.errors import InputError
from sinobench.merlion.annotation import workbook as sheets
from sinobench.merlion.annotation.eaf import read_eaf
from sinobench.merlion.annotation.flat import read_flat
from sinobench.merlion.annotation.tables import REDACTION_LABELS, read_redactions, read_regions
from sinobench.merlion.tables import Grain, Redaction, Region

TABLE_4 = [["Audio1.wav", 1170, 1500], ["Audio2.wav", 0, 800], ["Audio2.wav", 2500, 490000]]
HEADER = ["audio", "start", "end"]
FLAT_HEADER = ["audio_name", "speaker", "utterance", "grain", "start", "end", "language", "text"]
FLAT = [
    ["x.wav", "Mother", "u1", "g1", 0, 500, "Mandarin", "你看"],
    ["x.wav", "Mother", "u1", "g2", 500, 700, "Red Dot", ":d:lor"],
    ["x.wav", "Father", "u1", "g1", 600, 900, "English", 'the "moon"'],
    ["b.wav", "Mother", "u1", "g1", 0, 500, "Vocal Sounds", ""],
]


@pytest.fixture(params=["csv", "tab", "xlsx"])
def table(request, tmp_path):
    """table(rows): a file with these rows, as comma- or tab-separated text and as a workbook."""

    def table(rows):
        if request.param == "xlsx":
            return workbook(tmp_path / "table.xlsx", rows)
        path = tmp_path / "table.csv"
        delimiter = "," if request.param == "csv" else "\t"
        path.write_text("".join(delimiter.join("" if c is None else str(c) for c in row) + "\n" for row in rows))
        return path

    return table


def workbook(path, rows):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize("header", [[], [HEADER], [["", "start (ms)", "end (ms)"]]])
def test_regions_with_or_without_a_header(table, header):
    n = len(header)
    assert read_regions(table(header + TABLE_4)) == [
        Region("Audio1", 1170, 1500, n + 1),
        Region("Audio2", 0, 800, n + 2),
        Region("Audio2", 2500, 490000, n + 3),
    ]


def test_regions_keep_their_row_under_blank_ones(table):
    assert [r.row for r in read_regions(table([HEADER, [None] * 3, TABLE_4[0]]))] == [3]


def test_regions_as_excel_writes_numbers(tmp_path):
    rows = [["Audio1.wav", 1170.0, "1500", "a note"], ["Audio2.wav", 0, 800.0]]
    assert [(r.start_ms, r.end_ms) for r in read_regions(workbook(tmp_path / "r.xlsx", rows))] == [
        (1170, 1500),
        (0, 800),
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([HEADER, ["a.wav", 20, 10]], "line 2: end 10 is before start 20"),
        ([HEADER, ["a.wav", 10, 10]], "line 2: end 10 is at start 10"),
        ([HEADER, ["a.wav", 10, 10.5]], "line 2: end '10.5' is no time"),
        ([["a.wav", 10, "ten"]], "line 1: end 'ten' is no time"),
        ([["a.wav", -5, 10]], "line 1: start '-5' is no time"),
        ([HEADER, ["../a.wav", 1, 10]], "line 2: audio_name '../a.wav' is no plain file name"),
        ([HEADER], "holds no region"),
        (
            [["a.wav", "ten", "twenty"], ["a.wav", 1, 2]],
            "line 1: 'a.wav | ten | twenty' is neither a region nor a header",
        ),
        ([["a.wav", "1.170", "1:50"], ["a.wav", 1, 2]], "line 1: start '1.170' is no time"),
        ([["a.wav", "O", "l50O"], ["a.wav", 1, 2]], "line 1: 'a.wav | O | l50O' is neither a region nor a header"),
        ([["a.wav", 1], ["a.wav", 1]], "line 1: expected file, start, end, found"),
        (
            [["a.wav", 0, 10], ["b.wav", 0, 10], ["a.wav", 9, 20]],
            "line 3: region 9-20 of 'a' overlaps 0-10 on line 1",
        ),
    ],
)
def test_wrong_regions_are_named_with_their_row(table, rows, message):
    with pytest.raises(InputError) as error:
        read_regions(table(rows))
    assert message in str(error.value)


def test_redactions(table):
    rows = [["audio_name", "start", "end", "label"], ["a.wav", 20, 30, "babyname"], ["a.wav", 10, 20, "CONFIDENTIAL"]]
    assert read_redactions(table(rows)) == [
        Redaction("a", 20, 30, "BABYNAME", 2),
        Redaction("a", 10, 20, "CONFIDENTIAL", 3),
    ]
    assert read_redactions(table(rows[:1])) == []


def test_overlapping_redactions_are_merged(table, caplog):
    header = ["audio_name", "start", "end", "label"]
    rows = [[5, 9, "BABYNAME"], [1, 6, "ADULTNAME"], [8, 12, "BABYNAME"], [12, 13, "BABYNAME"], [30, 40, "ADULTNAME"]]
    found = read_redactions(table([header, ["b.wav", 1, 6, "BABYNAME"], *(["a.wav", *row] for row in rows)]))
    assert found == [
        Redaction("b", 1, 6, "BABYNAME", 2),
        Redaction("a", 1, 12, "ADULTNAME+BABYNAME", 3),
        Redaction("a", 12, 13, "BABYNAME", 6),
        Redaction("a", 30, 40, "ADULTNAME", 7),
    ]
    assert "line 5: overlaps the redaction of line 3" in caplog.text


@pytest.mark.parametrize("label", REDACTION_LABELS)
def test_every_label_of_the_convention_is_known(table, label):
    assert read_redactions(table([["audio_name", "start", "end", "label"], ["a.wav", 1, 2, label]]))[0].label == label


def test_an_undecided_redaction_is_kept_with_a_warning(table, caplog):
    with caplog.at_level(logging.WARNING):
        found = read_redactions(table([["audio_name", "start", "end", "label"], ["a.wav", 1, 2, ":PROTECTION-CHECK"]]))
    assert [r.label for r in found] == [":PROTECTION-CHECK"]
    assert "line 2: :PROTECTION-CHECK is undecided" in caplog.text


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["a.wav", 1, 2, "BABYNAMES"]], "line 2: 'BABYNAMES' is no label of a redaction; did you mean 'BABYNAME'?"),
        ([["a.wav", 1, 2, ""]], "line 2: '' is no label"),
        ([["a.wav", 2, 1, "BABYNAME"]], "line 2: end 1 is before start 2"),
        ([["/a.wav", 1, 2, "BABYNAME"]], "line 2: audio_name '/a.wav'"),
    ],
)
def test_wrong_redactions_are_named_with_their_row(table, rows, message):
    with pytest.raises(InputError) as error:
        read_redactions(table([["audio_name", "start", "end", "label"], *rows]))
    assert message in str(error.value)


def test_a_workbook_that_unpacks_to_too_much_is_refused_unopened(tmp_path):
    path = workbook(tmp_path / "bomb.xlsx", TABLE_4)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet2.xml", bytes(sheets.MAX_UNPACKED_BYTES))
    assert path.stat().st_size < 10**6
    with pytest.raises(InputError, match=r"bomb.xlsx: unpacks to 128 MiB, more than the 128 MiB"):
        read_regions(path)


def test_a_workbook_with_one_far_cell_is_refused_at_no_cost(tmp_path):
    book = Workbook()
    book.active["A1"], book.active["XFD1048576"] = "a.wav", 1
    book.save(tmp_path / "far.xlsx")
    with pytest.raises(InputError, match="has more than 200000 rows"):
        read_regions(tmp_path / "far.xlsx")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"a.wav,1,2\n"])
def test_what_is_no_workbook_is_refused(write, content):
    with pytest.raises(InputError, match="is no readable Excel workbook"):
        read_regions(write(content, "regions.xlsx"))
    with pytest.raises(InputError, match="can't be read"):
        read_regions("none.xlsx")


def test_only_the_first_sheet_is_read(tmp_path, caplog):
    book = Workbook()
    book.active.append(TABLE_4[0])
    book.create_sheet("more").append(TABLE_4[1])
    book.save(tmp_path / "two.xlsx")
    assert len(read_regions(tmp_path / "two.xlsx")) == 1
    assert "only the first of its 2 sheets is read" in caplog.text


def flat_grains(recording):
    return [
        Grain(row[0][:-4], *row[1:3], *row[4:8], number)
        for number, row in enumerate(FLAT, start=2)
        if row[0] == f"{recording}.wav"
    ]


def test_flat_table(table):
    recordings = read_flat(table([FLAT_HEADER, *FLAT[::-1]]))
    assert list(recordings) == ["b", "x"]
    assert [g.row for g in recordings["x"].grains] == [5, 4, 3]
    recordings = read_flat(table([FLAT_HEADER, *FLAT]))
    assert {name: r.grains for name, r in recordings.items()} == {"b": flat_grains("b"), "x": flat_grains("x")}


def test_flat_table_without_speakers(table):
    rows = [row[:1] + row[2:] for row in (FLAT_HEADER, *FLAT[:2])]
    assert [g.speaker for g in read_flat(table(rows))["x"].grains] == [None, None]


def changed(row, **cells):
    return [cells.get(name, cell) for name, cell in zip(FLAT_HEADER, row, strict=True)]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([changed(FLAT[0], language="Mandarn")], "line 2: language 'Mandarn' is unknown; did you mean 'Mandarin'?"),
        ([changed(FLAT[0], language="")], "line 2: grain without a language"),
        ([changed(FLAT[0], end=0)], "line 2: end 0 is at start 0"),
        ([changed(FLAT[0], start="soon")], "line 2: start 'soon' is no time"),
        ([changed(FLAT[0], audio_name="../x.wav")], "line 2: audio_name '../x.wav'"),
        ([changed(FLAT[0], speaker="")], "line 2: speaker is blank"),
        ([changed(FLAT[0], utterance="")], "line 2: utterance is blank"),
        ([FLAT[0], FLAT[0]], "line 3: grain 'g1' of utterance 'u1' stands twice, first on line 2"),
        ([FLAT[0], changed(FLAT[1], start=600)], "line 3: grain 600-700 of utterance 'u1' does not follow on 500"),
        ([FLAT[0], changed(FLAT[1], start=400)], "line 3: grain 400-700 of utterance 'u1' does not follow on 500"),
        ([], "has a header and no grain below it"),
    ],
)
def test_wrong_flat_tables_are_named_with_their_row(table, rows, message):
    with pytest.raises(InputError) as error:
        read_flat(table([FLAT_HEADER, *rows]))
    assert message in str(error.value)


class Elan:
    """An ELAN file in the making: tiers of annotations, each on a line of its own."""

    def __init__(self):
        self.slots, self.tiers, self.count = [], {}, 0

    def add(self, tier, start, end, value, annotation=None):
        self.count += 1
        annotation = annotation or f"a{self.count}"
        for time in (start, end):
            value_of = "" if time is None else f' TIME_VALUE="{time}"'
            self.slots.append(f'<TIME_SLOT TIME_SLOT_ID="ts{len(self.slots) + 1}"{value_of}/>')
        n = len(self.slots)
        self._append(
            tier,
            f'<ALIGNABLE_ANNOTATION ANNOTATION_ID="{annotation}" TIME_SLOT_REF1="ts{n - 1}" TIME_SLOT_REF2="ts{n}">'
            f"<ANNOTATION_VALUE>{value}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>",
        )
        return annotation

    def refer(self, tier, chunk, value):
        self.count += 1
        self._append(
            tier,
            f'<REF_ANNOTATION ANNOTATION_ID="a{self.count}" ANNOTATION_REF="{chunk}">'
            f"<ANNOTATION_VALUE>{value}</ANNOTATION_VALUE></REF_ANNOTATION>",
        )

    def chunk(self, start, end, text, language, person="Mother"):
        self.refer(f"{person} (Language)", self.add(f"{person} (Chunk)", start, end, text), language)

    def _append(self, tier, annotation):
        self.tiers.setdefault(tier, []).append(f"<ANNOTATION>{annotation}</ANNOTATION>")

    def text(self, before="", units="milliseconds"):
        tiers = "".join(
            f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="t">\n' + "\n".join(found) + "\n</TIER>\n"
            for name, found in self.tiers.items()
        )
        return (
            f'<?xml version="1.0" encoding="UTF-8"?>\n{before}<ANNOTATION_DOCUMENT VERSION="3.0" '
            'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="EAFv3.0.xsd">\n'
            f'<HEADER TIME_UNITS="{units}"/>\n<TIME_ORDER>{"".join(self.slots)}</TIME_ORDER>\n{tiers}'
            "</ANNOTATION_DOCUMENT>\n"
        )


@pytest.fixture
def elan():
    """Two utterances of a mother, one of a father across the first."""
    elan = Elan()
    elan.add("Mother (Utterance)", 1000, 2000, "你看 :d:lor", "u1")
    elan.add("Mother (Utterance)", 3000, 3500, "oh", "u2")
    elan.add("Father (Utterance)", 900, 1500, "hello", "u3")
    elan.chunk(1000, 1700, "你看", "Mandarin")
    elan.chunk(1700, 2000, ":d:lor", "Red Dot")
    elan.chunk(3000, 3500, "oh", "Languageless")
    elan.chunk(900, 1500, "hello", "English", "Father")
    elan.add("Mother (Sensitive_Masking)", 1200, 1400, "BABYNAME")
    elan.add("Father (Sensitive_Masking)", 1300, 1500, "SIBLINGNAME")
    elan.refer("Mother (Translation)", "u1", "look")
    return elan


def test_elan(write, elan):
    raw = read_eaf(write(elan.text(), "rec.eaf"))
    assert raw.recording == "rec"
    assert [(g.speaker, g.utterance, g.start_ms, g.end_ms, g.language, g.text) for g in raw.grains] == [
        ("Father", "u3", 900, 1500, "English", "hello"),
        ("Mother", "u1", 1000, 1700, "Mandarin", "你看"),
        ("Mother", "u1", 1700, 2000, "Red Dot", ":d:lor"),
        ("Mother", "u2", 3000, 3500, "Languageless", "oh"),
    ]
    assert [(r.start_ms, r.end_ms, r.label) for r in raw.redactions] == [
        (1200, 1400, "BABYNAME"),
        (1300, 1500, "SIBLINGNAME"),
    ]
    lines = elan.text().splitlines()
    assert all(g.text in lines[g.row - 1] for g in raw.grains)


def test_elan_in_utf_16(write, elan):
    content = elan.text().replace("UTF-8", "UTF-16").encode("utf-16")
    assert len(read_eaf(write(content, "rec.eaf")).grains) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda e: e.add("Mother (Utterance)", 5000, 6000, ""),
            "utterance 5000-6000 of tier 'Mother (Utterance)' has no",
        ),
        (lambda e: e.add("Mother (Utterance)", 6000, 5000, ""), "end 5000 is before start 6000"),
        (lambda e: e.add("Mother (Utterance)", 6000, None, ""), "has a border without a time"),
        (lambda e: e.chunk(5000, 6000, "", "English"), "chunk 5000-6000 of tier 'Mother (Chunk)' lies in no utterance"),
        (
            lambda e: e.chunk(2500, 2600, "", "English"),
            "chunk 2500-2600 of tier 'Mother (Chunk)' does not follow on 3000",
        ),
        (
            lambda e: e.chunk(1900, 2000, "", "English"),
            "chunk 1900-2000 of tier 'Mother (Chunk)' does not follow on 2000",
        ),
        (
            lambda e: e.chunk(1, 2, "", "English", "Aunt"),
            "chunk 1-2 of tier 'Aunt (Chunk)' lies in no utterance of its person",
        ),
        (lambda e: e.refer("Mother (Language)", "u1", "English"), "refers to 'u1', which is no chunk"),
        (lambda e: e.refer("Mother (Language)", "a4", "English"), "is the second language of chunk a4"),
        (lambda e: e.add("Mother (Language)", 1000, 1700, "English"), "has times of its own"),
        (lambda e: e.add("Mother (Sensitive_Masking)", 3000, 3100, "NAME"), "'NAME' is no label of a redaction"),
        (lambda e: e.add("Other", 1, 2, "", "u1"), "ANNOTATION_ID 'u1' stands twice, first on line"),
    ],
)
def test_wrong_elan_annotations_are_named_with_their_line(write, elan, change, message):
    change(elan)
    with pytest.raises(InputError) as error:
        read_eaf(write(elan.text(), "rec.eaf"))
    assert message in str(error.value)
    assert "rec.eaf, line " in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (">Mandarin<", "><", "line 13: grain without a language"),
        (">Mandarin<", ">Mandrin<", "language 'Mandrin' is unknown; did you mean 'Mandarin'?"),
        ('"Father (Chunk)"', '"Mother (Chunk)"', "TIER_ID 'Mother (Chunk)' stands twice"),
        ('"Father (Chunk)"', '"Mother  (Chunk)"', "has two tiers 'Mother (Chunk)'"),
        ('_ID="ts2"', '_ID="ts1"', "TIME_SLOT_ID 'ts1' stands twice"),
        ("</TIER>", "", "is broken XML (mismatched tag)"),
        ("</ANNOTATION_DOCUMENT>", "", "is broken XML (no element found)"),
        ("ANNOTATION_DOCUMENT", "DOCUMENT", "begins with <DOCUMENT>; expected an ELAN file"),
        ("(Utterance)", "(Utterances)", "has no tier 'Person (Utterance)', only 'Mother (Utterances)'"),
        (' VERSION="3.0"', "", "is complete"),
        ('"ts1" TIME_VALUE="1000"', '"ts1" TIME_VALUE="soon"', "is no complete ELAN file (ValueError"),
        ("<ANNOTATION_VALUE>hello</ANNOTATION_VALUE>", "", "is no complete ELAN file (IndexError"),
        ("milliseconds", "PAL-frames", "has times in 'PAL-frames'"),
    ],
)
def test_broken_elan_files_are_one_error(write, elan, old, new, message):
    text = elan.text()
    assert old in text
    path = write(text.replace(old, new), "rec.eaf")
    if message == "is complete":
        assert len(read_eaf(path).grains) == 4
        return
    with pytest.raises(InputError) as error:
        read_eaf(path)
    assert message in str(error.value)
    assert "rec.eaf" in str(error.value)


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE d [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>\n',
        '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n',
        '<!DOCTYPE d SYSTEM "http://example.org/d.dtd">\n',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(write, elan, doctype, encoding):
    content = elan.text(before=doctype).replace("UTF-8", encoding).encode(encoding)
    with pytest.raises(InputError, match=r"rec.eaf, line 2: declares a DOCTYPE"):
        read_eaf(write(content, "rec.eaf"))


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"not xml", b"<a>" * 100_000])
def test_what_is_no_elan_file_is_refused(write, content):
    with pytest.raises(InputError, match=r"rec\.eaf"):
        read_eaf(write(content, "rec.eaf"))
    with pytest.raises(InputError, match="can't be read"):
        read_eaf("none.eaf")
