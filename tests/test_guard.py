"""Hostile files, each read in a process of its own: one clear message within 512 MB and seconds."""

import json
import os
import subprocess
import sys
import time
import zipfile

import pytest
from openpyxl import Workbook

from tests.merlion.annotation.test_tables import Elan

READ = """
import json, resource, sys
from sinobench.errors import InputError
module, name, path = sys.argv[1:]
read = getattr(__import__(module, fromlist=[name]), name)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read(path)
    message = None
except InputError as error:
    message = str(error)
print(json.dumps([message, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000]))
"""
LIMIT_MB, LIMIT_S = 512, 30


def read(module, name, path):
    """The message that a reader ends with, once its memory and time are checked."""
    start = time.monotonic()
    command = [sys.executable, "-c", READ, f"sinobench.{module}", name, path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    message, mb = json.loads(done.stdout)
    assert mb < LIMIT_MB and time.monotonic() - start < LIMIT_S
    return message


def with_part(path, name, content):
    """A workbook of one sheet with another part, or with other content of a part."""
    book = Workbook()
    book.active.append(["file", "start", "end"])
    book.active.append(["a.wav", 1, 2])
    book.save(path.with_suffix(".base"))
    with zipfile.ZipFile(path.with_suffix(".base")) as base, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for member in base.infolist():
            if member.filename != name:
                out.writestr(member, base.read(member))
        out.writestr(name, content)
    return path


MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
SHEET = f"<worksheet {MAIN}><sheetData>{{}}</sheetData></worksheet>"
CELL = '<c t="str"><v>x</v></c>'
BOMBS = {
    "shared strings": ("sharedStrings.xml", lambda: f"<sst {MAIN}>{'<si/>' * 14_000_000}</sst>", "14000002 tags"),
    "styles": ("styles.xml", lambda: f"<styleSheet {MAIN}><cellXfs>{'<xf/>' * 1_500_000}", "1500002 tags"),
    "entities": (
        "sharedStrings.xml",
        lambda: f'<!DOCTYPE s [<!ENTITY a "{"a" * 10_000}">]><sst {MAIN}><si><t>{"&a;" * 100_000}</t></si></sst>',
        "has a DTD",
    ),
    "entities in UTF-16": (
        "sharedStrings.xml",
        lambda: f'<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "a">]><sst {MAIN}/>'.encode("utf-16"),
        "is not UTF-8",
    ),
    "rows": ("worksheets/sheet1.xml", lambda: SHEET.format("<row/>" * 1_500_000), "more than 200000 rows"),
    "cells": ("worksheets/sheet1.xml", lambda: SHEET.format(f"<row>{CELL * 64}</row>" * 80_000), "tags"),
    "a sheet of long texts": (
        "worksheets/sheet1.xml",
        lambda: SHEET.format(f"<row>{CELL.replace('x', 'x' * 30_000) * 3}</row>" * 1_300),
        "",
    ),
    "strings in the place of sheets": (
        "worksheets/sheet1.xml",
        lambda: f"<sst {MAIN}>{'<si/>' * 7_900_000}</sst>",
        "",
    ),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_workbooks(tmp_path, bomb):
    part, content, message = BOMBS[bomb]
    path = with_part(tmp_path / "regions.xlsx", f"xl/{part}", content())
    assert message in read("merlion.annotation.tables", "read_regions", path)


EAFS = {
    "blanks in the name of a tier": (
        lambda: f'<TIER TIER_ID="A{" " * 10**6}x" LINGUISTIC_TYPE_REF="t"/>',
        "has no tier",
    ),
    "parentheses in it": (lambda: f'<TIER TIER_ID="{"(Chunk" * 10**5}" LINGUISTIC_TYPE_REF="t"/>', "has no tier"),
    "tiers": (lambda: "".join(f'<TIER TIER_ID="{i}" LINGUISTIC_TYPE_REF="t"/>' for i in range(300_000)), ""),
    "times": (lambda: "".join(f'<TIME_SLOT TIME_SLOT_ID="{i}"/>' for i in range(450_000)), ""),
    "levels": (lambda: "<a>" * 1_000_000 + "</a>" * 1_000_000, ""),
}


@pytest.mark.parametrize("case", EAFS)
def test_elan_files(tmp_path, case):
    make, message = EAFS[case]
    content = make()
    text = Elan().text().replace("</ANNOTATION_DOCUMENT>", content + "</ANNOTATION_DOCUMENT>")
    if case == "times":
        text = Elan().text().replace("<TIME_ORDER>", "<TIME_ORDER>" + content)
    (tmp_path / "a.eaf").write_text(text, encoding="utf-8")
    assert message in read("merlion.annotation.eaf", "read_eaf", tmp_path / "a.eaf")


SGML = {
    "passages": '<PASSAGE id="1">' * 300_000,
    "documents": '<DOC Nid="1"><P>' * 300_000,
    "mistakes": '<DOC Nid="1"><P>一</P>' + '<MISTAKE location="1"><WRONG>一' * 200_000,
    "corrections": '<DOC Nid="1"><P>一</P><MISTAKE location="1"><WRONG>' + "</WRONG><CORRECTION>" * 200_000,
    "tags": '<DOC Nid="1"><P>一</P><MISTAKE' + " location=" * 500_000,
    "a long number": f'<DOC Nid="1"><P>一</P><MISTAKE location="{"1" * 5000}"><WRONG>一</WRONG><CORRECTION>二',
    "many mistakes of one passage": '<DOC Nid="1"><P>一</P>\n'
    + '<MISTAKE location="1"><WRONG>一</WRONG><CORRECTION>二</CORRECTION></MISTAKE>\n' * 200_000
    + "<MISTAKE>",
    "one that is closed at the end": '<PASSAGE id="1">' * 200_000 + "</PASSAGE>",
}


@pytest.mark.parametrize("case", SGML)
def test_sgml_that_is_not_closed(tmp_path, case):
    (tmp_path / "a.sgml").write_text(SGML[case], encoding="utf-8")
    assert ": expected <" in read("csc.corpus", "read_sighan", tmp_path / "a.sgml")


@pytest.mark.parametrize(
    ("module", "name", "suffix"),
    [
        ("text", "read_lines", "txt"),
        ("schema", "load_yaml", "yaml"),
        ("merlion.annotation.tables", "read_regions", "xlsx"),
        ("merlion.annotation.tables", "read_regions", "csv"),
        ("merlion.annotation.eaf", "read_eaf", "eaf"),
        ("merlion.training.textgrid", "read_textgrid", "TextGrid"),
        ("merlion.audio.wav", "probe", "wav"),
        ("ld.rttm", "read_rttm", "rttm"),
    ],
)
def test_pipes_and_devices_are_not_opened(tmp_path, module, name, suffix):
    os.mkfifo(tmp_path / f"pipe.{suffix}")
    (tmp_path / f"endless.{suffix}").symlink_to("/dev/zero")
    for file in ("pipe", "endless"):
        assert "is a pipe, socket or device; give a regular file" in read(module, name, tmp_path / f"{file}.{suffix}")


CATALOGS = {
    "aliases": "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 40)),
    "merged aliases": "a0: &a0 {x: 1}\n"
    + "".join(f"a{i}: &a{i} {{b: *a{i - 1}, c: *a{i - 1}}}\n" for i in range(1, 40)),
    "an alias of itself": "a: &a [*a]\n",
    "levels": "a: " + "[" * 20_000,
    "levels of mappings": "a: " + "{a: " * 20_000,
    "size": "a: " + "x" * 20 * 2**20,
}


@pytest.mark.parametrize("case", CATALOGS)
def test_catalogs(tmp_path, case):
    (tmp_path / "corpora.yaml").write_text(CATALOGS[case], encoding="utf-8")
    found = read("schema", "load_yaml", tmp_path / "corpora.yaml")
    assert "corpora.yaml" in found and len(found) < 1000


DIGITS = "1" * 5000
NUMBERS = {
    "a setting": ("schema", "load_yaml", "a.yaml", f"a: {DIGITS}\n"),
    "a date": ("schema", "load_yaml", "a.yaml", "a: 2023-99-99\n"),
    "a position": (
        "g2p.table",
        "read_items",
        "a.tsv",
        f"text\tposition\tlabel\tprediction\n一\t{DIGITS}\tjat1\tjat1\n",
    ),
    "a length": (
        *("g2p.table", "read_items", "a.tsv"),
        "text\tposition\tlabel\tprediction\toutput_length\n一\t0\tjat1\tjat1\t3000000000\n",
    ),
    "a number of corrections": ("csc.released", "read_lang8", "a.tsv", f"1\t{DIGITS}\t一\t二\n"),
    "a TextGrid": (
        *("merlion.training.textgrid", "read_textgrid", "a.TextGrid"),
        '"ooTextFile"\n"TextGrid"\n0\n1e306\n<exists>\n1\n"IntervalTier"\n"x"\n0\n1e306\n1\n0\n1e306\n"hello"\n',
    ),
    "digits of a TextGrid": ("merlion.training.textgrid", "read_textgrid", "a.TextGrid", "1" * 10**6 + "x " + '"a'),
}


@pytest.mark.parametrize("case", NUMBERS)
def test_numbers(tmp_path, case):
    module, name, file, content = NUMBERS[case]
    (tmp_path / file).write_text(content, encoding="utf-8")
    found = read(module, name, tmp_path / file)
    assert file in found and len(found) < 1000
