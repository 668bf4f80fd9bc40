import argparse
import json
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.merlion.submission.archive import MAX_MEMBERS, SHOWN
from sinobench.merlion.submission.command import Rejected, add_arguments, run
from sinobench.merlion.submission.validation import read_reference, validate

IDS = ["rec1_a1_0_900", "rec1_a2_950_2000", "rec2_a1_5_70"]
STAMPS = "audio_name,utt_id,start,end\nrec1.wav,a1,0,900\nrec1.wav,a2,950,2000\nrec2.wav,a1,5.0,70.0\n"
LABELS = (
    "audio_name,utt_id,start,end,length,language_tag,overlap_diff_lang\n"
    "rec1.wav,a1,0,900,900,English,False\n"
    "rec1.wav,a2,950,2000,1050,Mandarin,False\n"
    "rec1.wav,a3,2000,2100,100,English,True\n"
    "rec1.wav,a4,2200,2300,100,Non-Speech,False\n"
    "rec2.wav,a1,5,70,65,Mandarin,False\n"
)
ONE = [f"{name} -1.5 {n}" for n, name in enumerate(IDS)]
TWO = [f"{name} {code} {code - 0.5}" for name in IDS for code in (0, 1)]
RTTM = {"rec1.txt": "0 900 English\n900.0 2000.0 Mandarin\n", "rec2.txt": "5 70 English\n"}


def text(lines):
    return "".join(f"{line}\n" for line in lines)


@pytest.fixture
def check(tmp_path, write):
    """check(members, task="lid", name="results.zip"): the report on a zip with these members.

    members: texts or bytes by name, or pairs of a ZipInfo or name and a text.
    """

    def check(members, task="lid", name="results.zip"):
        path = tmp_path / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in members.items() if isinstance(members, dict) else members:
                archive.writestr(member, content)
        return validate(path, task, write(STAMPS, "timestamps.csv"))

    return check


def places(report):
    return [(finding.kind, finding.line) for finding in report.findings]


# --- what is valid


@pytest.mark.parametrize(
    "content",
    [
        text(ONE),
        text(TWO),
        text(TWO)[:-1],
        text(TWO).replace("\n", "\r\n"),
        text(ONE).replace(" ", "      "),
        text(f"{name} {n % 2} 1" for n, name in enumerate(IDS)),  # scores that look like codes
        text(f"{name} 0 0" for name in IDS),
        text(f"{name} {code} {code}" for name in IDS for code in (0, 1)),
    ],
    ids=["one-line", "two-line", "no-last-newline", "crlf", "columns", "like-codes", "all-zero", "scores-like-codes"],
)
def test_both_formats_are_valid(check, content):
    report = check({"prediction.txt": content})
    assert report.valid and report.findings == [] and report.n == 3


def test_texts_of_recordings_are_valid(check):
    report = check(RTTM, "ld")
    assert report.valid and report.findings == report.warnings == [] and report.n == 2


def test_empty_text_is_valid_with_a_warning(check):
    report = check(RTTM | {"rec2.txt": ""}, "ld")
    assert report.valid and [(w.kind, w.member) for w in report.warnings] == [("empty", "rec2.txt")]


def test_turns_that_may_be_in_seconds_are_a_warning(check):
    report = check({"rec1.txt": "413 415 English\n", "rec2.txt": "0 1 Mandarin\n"}, "ld")
    assert report.valid and [w.kind for w in report.warnings] == ["seconds"]
    assert not check({"rec1.txt": "413 415 English\n", "rec2.txt": "0 1000 Mandarin\n"}, "ld").warnings


# --- scores


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (ONE[:2], [("missing", None)]),
        (TWO[2:], [("missing", None)]),
        ([*ONE, "rec9_a1_0_1 1 2"], [("extra", 4)]),
        ([ONE[0], ONE[1], f"{IDS[2].upper()} 1 2"], [("extra", 3), ("missing", None)]),
        ([*ONE, ONE[0]], [("duplicate", 4)]),
        ([*TWO, *TWO[:2]], [("duplicate", 7)]),
        ([ONE[1], ONE[0], ONE[2]], [("order", 1)]),
        ([*TWO[2:4], *TWO[:2], *TWO[4:]], [("order", 1)]),
        ([TWO[1], TWO[0], *TWO[2:]], [("pair", 1)]),
        (TWO[:5], [("pair", 5)]),
        ([TWO[0], TWO[0], TWO[1], *TWO[2:]], [("pair", 1)]),
        ([*TWO[:4], f"{IDS[2]} 0 1", f"{IDS[2]} 2 1"], [("pair", 5)]),
        ([f"{IDS[0]} nan 1", f"{IDS[1]} 1 -inf", f"{IDS[2]} 1e999 1"], [("score", 1), ("score", 2), ("score", 3)]),
        ([*TWO[:3], f"{IDS[1]} 1 high", *TWO[4:]], [("score", 4)]),
        ([f"{IDS[0]} 1_0 1", ONE[1], f"{IDS[2]} \uff11 1"], [("score", 1), ("score", 3)]),
        ([ONE[0], f"{IDS[1]} 1", ONE[2]], [("fields", 2), ("missing", None)]),
        ([ONE[0].replace(" ", "\t"), *ONE[1:]], [("fields", 1), ("missing", None)]),
        ([*ONE, ""], [("fields", 4)]),
        (["\ufeff" + ONE[0], *ONE[1:]], [("encoding", 1)]),
        ([], [("missing", None)] * 3),
    ],
)
def test_wrong_scores_are_found(check, lines, expected):
    report = check({"prediction.txt": text(lines)})
    assert places(report) == expected and not report.valid


def test_everything_is_reported_and_each_kind_only_so_often(check):
    wrong = [f"rec9_a{n}_0_1 nan 0" for n in range(SHOWN + 5)]
    report = check({"prediction.txt": text([*wrong, ONE[1], ONE[0]]), "notes.txt": "", "__MACOSX/x": ""})
    assert report.counts == {
        "extra": SHOWN + 6,
        "folder": 1,
        "score": SHOWN + 5,
        "missing": 1,
        "order": 1,
    }
    assert sum(finding.kind == "score" for finding in report.findings) == SHOWN


def test_bytes_that_are_no_text(check):
    report = check({"prediction.txt": text(ONE[:1]).encode() + b"\xd6\xd0"})
    assert places(report) == [("encoding", 2)] and "d6 d0" in report.findings[0].message


# --- turns


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("10 20 English\n0 5 English\n", [("unsorted", 2)]),
        ("10 20 English\n5 11 English\n", [("unsorted", 2)]),
        ("5 5 English\n", [("time", 1)]),
        ("9 5 English\n", [("time", 1)]),
        ("-1 5 English\n", [("time", 1)]),
        ("0.5 1e3 English\n", [("time", 1), ("time", 1)]),
        ("nan inf English\n", [("time", 1), ("time", 1)]),
        ("0 5 english\n", [("language", 1)]),
        ("0 5 NON_SPEECH\n", [("language", 1)]),
        ("0,5,English\n", [("fields", 1)]),
        ("SPEAKER rec1 1 0.0 1.0 <NA> <NA> English <NA> <NA>\n", [("fields", 1)]),
        ("0 5 English\r6 7 English\r", [("fields", 1)]),
    ],
)
def test_wrong_turns_are_found(check, content, expected):
    report = check(RTTM | {"rec1.txt": content}, "ld")
    assert places(report) == expected and {f.member for f in report.findings} == {"rec1.txt"}


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("0 50 English\n40 90 Mandarin\n", [2]),
        ("0 90 English\n10 20 English\n30 40 English\n", [2, 3]),
        ("0 50 English\n0 50 English\n", [2]),
    ],
)
def test_turns_that_overlap_are_a_warning(check, content, lines):
    report = check(RTTM | {"rec1.txt": content}, "ld")
    assert report.valid and [(w.kind, w.line) for w in report.warnings] == [("overlap", line) for line in lines]


spans = st.lists(st.tuples(st.integers(0, 20), st.integers(-1, 6)).map(lambda t: (t[0], t[0] + t[1])), max_size=6)


@given(spans)
def test_turns_are_judged_as_by_comparing_all_of_them(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("turns")
    with zipfile.ZipFile(folder / "results.zip", "w") as archive:
        archive.writestr("rec.txt", text(f"{start} {end} English" for start, end in drawn))
    (folder / "list.txt").write_text("rec")
    sound = [span for span in drawn if span[0] < span[1]]
    kinds = {"time"} if len(sound) < len(drawn) else set()
    kinds |= {"unsorted"} if sound != sorted(sound) else set()
    overlapping = any(
        start < other_end and other_start < end
        for n, (start, end) in enumerate(sound)
        for other_start, other_end in sound[:n]
    )
    report = validate(folder / "results.zip", "ld", folder / "list.txt")
    assert report.counts.keys() == kinds and ("overlap" in report.warning_counts) == overlapping


# --- the zip


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("../prediction.txt", "escape"),
        ("..\\prediction.txt", "escape"),
        ("/etc/prediction.txt", "escape"),
        ("\\prediction.txt", "escape"),
        ("C:prediction.txt", "escape"),
        ("results/prediction.txt", "folder"),
        ("results\\prediction.txt", "folder"),
        ("results/", "folder"),
        ("prediction .txt", "name"),
        ("prediction\x1b[31m.txt", "name"),
        ("Prediction.txt", "extra"),
        ("predictions.txt", "extra"),
        (".DS_Store", "extra"),
    ],
)
def test_wrong_names_are_found(check, name, kind):
    report = check({name: text(ONE)})
    assert [finding.kind for finding in report.findings] == [kind, "missing"]
    assert "\x1b" not in "".join(finding.message for finding in report.findings)


def test_name_that_hides_its_end_behind_a_nul(check, tmp_path, write):
    check({"prediction.txt0evil": text(ONE)})
    path = write((tmp_path / "results.zip").read_bytes().replace(b".txt0evil", b".txt\0evil"), "nul.zip")
    assert [f.kind for f in validate(path, "lid", tmp_path / "timestamps.csv").findings] == ["name", "missing"]


def test_recordings_that_lack_a_text_or_are_no_recordings(check):
    report = check({"rec1.txt": RTTM["rec1.txt"], "rec2.wav.txt": ""}, "ld")
    assert [(f.kind, f.member) for f in report.findings] == [("extra", "rec2.wav.txt"), ("missing", "rec2.txt")]


def test_name_that_stands_twice(check):
    with pytest.warns(UserWarning, match="Duplicate name"):
        report = check([("prediction.txt", text(ONE)), ("prediction.txt", text(ONE))])
    assert [f.kind for f in report.findings] == ["duplicate"]


def test_link_is_not_followed(check):
    link = zipfile.ZipInfo("prediction.txt")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    assert [f.kind for f in check([(link, "/etc/passwd")]).findings] == ["link"]


@pytest.mark.parametrize("name", ["my results.zip", "results.tar"])
def test_name_of_the_zip(check, name):
    assert [f.kind for f in check({"prediction.txt": text(ONE)}, name=name).findings] == ["name"]


def test_encrypted_text(check, tmp_path, write):
    check({"prediction.txt": text(ONE)})
    data = bytearray((tmp_path / "results.zip").read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    report = validate(write(bytes(data), "locked.zip"), "lid", tmp_path / "timestamps.csv")
    assert [f.kind for f in report.findings] == ["encrypted"]


def test_bomb_is_not_unpacked(check):
    report = check({"prediction.txt": b"0" * (8 * 2**20)})
    assert [f.kind for f in report.findings] == ["size"] and "times its size" in report.findings[0].message


def test_bomb_that_lies_about_its_size(check, tmp_path, write):
    check({"prediction.txt": b"0" * (8 * 2**20)})
    data = bytearray((tmp_path / "results.zip").read_bytes())
    for place in (22, data.index(b"PK\x01\x02") + 24):
        data[place : place + 4] = struct.pack("<I", 100)
    report = validate(write(bytes(data), "lying.zip"), "lid", tmp_path / "timestamps.csv")
    assert [f.kind for f in report.findings] == ["zip"]


@pytest.mark.parametrize("place", [4, 6, 8, 10])
def test_part_of_a_zip_on_several_disks(check, tmp_path, write, place):
    check({"prediction.txt": text(ONE)})
    data = bytearray((tmp_path / "results.zip").read_bytes())
    end = data.rindex(b"PK\5\6")
    struct.pack_into("<H", data, end + place, 3)
    report = validate(write(bytes(data), "results.zip"), "lid", write(STAMPS, "timestamps.csv"))
    assert not report.valid and "several disks" in report.findings[0].message


def test_member_whose_own_head_has_another_size(check, tmp_path, write):
    path = tmp_path / "results.zip"
    with zipfile.ZipFile(path, "w") as archive, archive.open("prediction.txt", "w", force_zip64=True) as member:
        member.write(text(ONE).encode())
    stamps = write(STAMPS, "timestamps.csv")
    assert validate(path, "lid", stamps).valid
    size = struct.pack("<Q", len(text(ONE)))
    data = path.read_bytes()
    assert data.count(size) >= 1
    report = validate(write(data.replace(size, struct.pack("<Q", 2**63), 1), "results.zip"), "lid", stamps)
    assert not report.valid and "has two sizes of 'prediction.txt'" in report.findings[0].message


def test_a_member_that_begins_before_the_file(write):
    path = Path(write(b"", "results.zip"))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("prediction.txt", text(ONE))
    data = bytearray(path.read_bytes())
    of_directory = data.rfind(b"PK\x05\x06") + 16
    struct.pack_into("<I", data, of_directory, struct.unpack_from("<I", data, of_directory)[0] + 5)
    report = validate(write(bytes(data), "results.zip"), "lid", write(STAMPS, "timestamps.csv"))
    assert [f.kind for f in report.findings] == ["zip"]
    assert "'prediction.txt' begins before the file does" in report.findings[0].message


def test_too_many_files(check):
    report = check({f"{n}.txt": "" for n in range(MAX_MEMBERS + 1)})
    assert [f.kind for f in report.findings] == ["size"]


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x05\x06" + bytes(10)])
def test_file_that_is_no_zip(write, content):
    report = validate(write(content, "results.zip"), "lid", write(STAMPS, "timestamps.csv"))
    assert [f.kind for f in report.findings] == ["zip"]


@given(st.data())
def test_damaged_zips_are_reported(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("damaged")
    path, reference = folder / "results.zip", folder / "list.txt"
    reference.write_text("rec1\nrec2")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in RTTM.items():
            archive.writestr(zipfile.ZipInfo(name), content * 3, zipfile.ZIP_DEFLATED)
    content = bytearray(path.read_bytes())
    for place, value in data.draw(st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)))):
        content[place] = value
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    assert not validate(path, "ld", reference).valid  # the texts are unsorted to begin with


# --- the reference


def test_references_of_all_kinds(write):
    assert read_reference(write(STAMPS), "lid") == IDS
    assert read_reference(write(STAMPS.replace(",", "\t")), "lid") == IDS
    assert read_reference(write(LABELS), "lid") == IDS
    assert read_reference(write(text(IDS)), "lid") == IDS
    assert read_reference(write(text(f"{name} {n % 2}" for n, name in enumerate(IDS))), "lid") == IDS
    for content in (STAMPS, LABELS, "rec1\nrec2\n", "rec1.wav\r\nrec2.wav\r\n", "rec1.wav,0,5\nrec1,7,9\nrec2,0,1\n"):
        assert read_reference(write(content), "ld") == ["rec1", "rec2"]


def test_evaluated_regions_as_a_workbook(tmp_path):
    from openpyxl import Workbook

    book = Workbook()
    for row in (("file", "start", "end"), ("rec1.wav", 0, 5), ("rec1.wav", 7, 9), ("rec2.wav", 0, 1)):
        book.active.append(row)
    book.save(tmp_path / "regions.xlsx")
    assert read_reference(tmp_path / "regions.xlsx", "ld") == ["rec1", "rec2"]


@pytest.mark.parametrize(
    ("content", "task", "message"),
    [
        ("rec1.wav,0,5\n", "lid", "column 'audio_name' is missing"),
        ("a1\na1\n", "lid", "line 2: 'a1' stands in line 1 already"),
        ("a1\na2,1\n", "lid", "line 2: expected one cell as on the lines before, found 2"),
        ("a1 2\n", "lid", "'a1 2' is neither an id nor an id with 0 or 1"),
        ("../rec1.wav\n", "ld", "is no plain file name"),
        (LABELS.replace("False", "True"), "lid", "no English or Mandarin segment that is scored"),
        ("", "lid", "is empty"),
        ("\n", "ld", "holds no region"),
    ],
)
def test_files_that_are_no_reference(write, content, task, message):
    with pytest.raises(InputError, match=message):
        read_reference(write(content), task)


def test_zip_that_does_not_exist(tmp_path, write):
    with pytest.raises(InputError, match=r"results.zip: can't be read"):
        validate(tmp_path / "results.zip", "lid", write(STAMPS))


# --- the command


def command(*arguments):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args([*map(str, arguments)]))


def test_command_says_what_is_wrong_and_where(check, tmp_path):
    check({"prediction.txt": text(ONE)})
    path, reference = tmp_path / "results.zip", tmp_path / "timestamps.csv"
    arguments = (path, "--task", "lid", "--reference", reference)
    assert command(*arguments) == "valid: 3 segments"
    assert json.loads(command(*arguments, "--format", "json"))["valid"] is True
    check({"prediction.txt": text([ONE[1], *(f"x_{n} 1 1" for n in range(SHOWN + 2)), ONE[0], ONE[2]])})
    with pytest.raises(Rejected) as rejection:
        command(*arguments)
    lines = str(rejection.value).splitlines()
    assert lines[0].startswith("not valid: 23 findings") and "extra: 2 more" in lines
    assert lines[-2].startswith("order: prediction.txt, line 1: 'rec1_a2_950_2000' stands where the reference has")
    with pytest.raises(Rejected) as rejection:
        command(*arguments, "--format", "json")
    assert json.loads(str(rejection.value))["counts"] == {"extra": SHOWN + 2, "order": 1}
