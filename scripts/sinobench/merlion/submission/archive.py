"""Read the zip of a submission that anybody may have made: nothing is unpacked to disk, and what is read is bounded.

What is wrong with it goes into a report. Source of the zip's form: plan, Appendix C.
"""

import os
import re
import stat
import struct
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from sinobench.errors import InputError, short
from sinobench.guard import regular

SHOWN = 20  # findings of a kind

# Records of the zip format (APPNOTE 4.3): the end of the central directory, and the head of a member.
_END, _LOCAL = struct.Struct("<4s4H2LH"), struct.Struct("<4s3H4xL2L2H")
_SIZES_FOLLOW, _ZIP64 = 1 << 3, 1

# The evaluation set's prediction.txt has 98,478 lines in 11 MB, and there are 154 recordings.
MAX_ZIP_BYTES = 32 * 2**20
MAX_UNPACKED_BYTES = 64 * 2**20
MAX_MEMBERS = 10_000
MAX_RATIO = 200  # of what is over 1 MiB
MAX_LINES = 500_000


@dataclass(frozen=True)
class Finding:
    """What is wrong, and what was expected; ``member`` is the file in the zip, None for the zip itself."""

    kind: str
    message: str
    member: str | None = None
    line: int | None = None


@dataclass
class Report:
    """All that was found: the first ``SHOWN`` findings of each kind, and how many there are of each.

    n: segments or recordings of the reference. warnings: what is allowed and yet likely to harm, in the same way.
    """

    n: int
    findings: list[Finding] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    warnings: list[Finding] = field(default_factory=list)
    warning_counts: dict[str, int] = field(default_factory=dict)

    @property
    def valid(self) -> bool:
        return not self.counts

    def add(self, kind: str, message: str, member: str | None = None, line: int | None = None) -> None:
        _add(self.findings, self.counts, Finding(kind, message, member, line))

    def warn(self, kind: str, message: str, member: str | None = None, line: int | None = None) -> None:
        _add(self.warnings, self.warning_counts, Finding(kind, message, member, line))


def _add(findings: list[Finding], counts: dict[str, int], finding: Finding) -> None:
    counts[finding.kind] = counts.get(finding.kind, 0) + 1
    if counts[finding.kind] <= SHOWN:
        findings.append(finding)


def read_texts(path: str | Path, expected: Sequence[str], report: Report) -> Iterator[tuple[str, list[str]]]:
    """Name and lines of each expected text that is in the zip, one at a time; findings on all members come first.

    Line endings, LF or CRLF, are off. Raises InputError for a file that can't be read.
    """
    path = Path(path)
    if path.suffix != ".zip" or re.search(r"\s", path.name):
        report.add("name", f"the zip is named {shown(path.name)}; expected a name as results.zip, without spaces")
    try:
        size = regular(path).stat().st_size
        file = path.open("rb")
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror}); give the zip of the submission", path) from None
    with file:
        if size > MAX_ZIP_BYTES:
            report.add("size", f"the zip has {size} bytes; expected at most {MAX_ZIP_BYTES // 2**20} MiB")
            return
        try:
            archive = zipfile.ZipFile(file)
        except Exception as error:  # a damaged zip fails in zipfile in a dozen ways
            report.add("zip", f"is no zip that can be read ({shown(str(error))}); zip the files anew")
            return
        if odd := _read_in_two_ways(file, archive):
            report.add("zip", f"{odd}; zip the files anew")
            return
        members = _members(archive.infolist(), size, set(expected), report)
        if members is None:
            return
        for name in expected:
            if name not in members:
                report.add("missing", f"{shown(name)} is not directly in the zip; add it", name)
            elif (info := members[name]) is not None and (lines := _lines(archive, info, report)) is not None:
                yield name, lines


def _read_in_two_ways(file: BinaryIO, archive: zipfile.ZipFile) -> str | None:
    """Where another program would find something else in the zip: parts on other disks or before it, two sizes."""
    infos = archive.infolist()
    file.seek(-_END.size - len(archive.comment), os.SEEK_END)
    _, *disks, on_disk, in_all, _, _, _ = _END.unpack(file.read(_END.size))
    if any(disks) or on_disk != in_all or in_all != len(infos) or any(info.volume for info in infos):
        return "is one part of a zip on several disks, or says so"
    for info in infos:
        if info.header_offset < 0:
            return f"says that {shown(info.orig_filename)} begins before the file does"
        file.seek(info.header_offset)
        header = file.read(_LOCAL.size)
        if len(header) < _LOCAL.size:
            continue  # damaged: reading it says so
        _, _, flags, _, _, packed, size, name, extra = _LOCAL.unpack(header)
        if flags & _SIZES_FOLLOW:
            continue
        file.seek(name, os.SEEK_CUR)
        for kind, length, content in _extra_fields(file.read(extra)):
            if kind == _ZIP64 and length >= 16:
                size, packed = struct.unpack("<QQ", content[:16])
        if (packed, size) != (info.compress_size, info.file_size):
            return f"has two sizes of {shown(info.orig_filename)}"
    return None


def _extra_fields(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    while len(data) >= 4:
        field, length = struct.unpack("<HH", data[:4])
        yield field, length, data[4 : 4 + length].ljust(16, b"\0")
        data = data[4 + length :]


def shown(text: str) -> str:
    """Quoted, cut, and without characters that a terminal would obey."""
    safe = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:200])
    return f"'{short(safe, 100)}'"


def _members(
    infos: Sequence[zipfile.ZipInfo], zip_bytes: int, expected: set[str], report: Report
) -> dict[str, zipfile.ZipInfo | None] | None:
    """Members by their name, None for one that must not be read; None in place of all for a zip that is too large."""
    size = sum(info.file_size for info in infos)
    if len(infos) > MAX_MEMBERS:
        report.add("size", f"the zip has {len(infos)} files; expected at most {MAX_MEMBERS}")
        return None
    if size > MAX_UNPACKED_BYTES or (size > 2**20 and size > MAX_RATIO * zip_bytes):
        report.add(
            "size",
            f"the zip of {zip_bytes} bytes unpacks to {size}; expected at most {MAX_UNPACKED_BYTES // 2**20} MiB and "
            f"{MAX_RATIO} times its size",
        )
        return None
    members: dict[str, zipfile.ZipInfo | None] = {}
    for info in infos:
        name = info.orig_filename  # as written; filename ends at a NUL
        problem = _problem(info)
        if problem:
            report.add(*problem, name)
        elif name in members:
            report.add("duplicate", f"{shown(name)} stands twice in the zip; keep one", name)
        elif name not in expected:
            wanted = ", ".join(map(shown, sorted(expected)[:2])) + (", …" if len(expected) > 2 else "")
            report.add("extra", f"{shown(name)} does not belong in the zip; expected {wanted}", name)
        members.setdefault(name, None if problem else info)
    return members


def _problem(info: zipfile.ZipInfo) -> tuple[str, str] | None:
    """Kind and message of what forbids to read a member, or to unpack it."""
    name, mode = info.orig_filename, info.external_attr >> 16
    quoted = shown(name)
    parts = re.split(r"[/\\]", name)
    if name.startswith(("/", "\\")) or ".." in parts or re.match("[A-Za-z]:", name):
        return "escape", f"{quoted} leads out of the folder that the zip is unpacked in; give plain file names"
    if len(parts) > 1:
        return "folder", f"{quoted} is or stands in a folder; put the texts directly in the zip"
    if not name.isprintable() or re.search(r"\s", name):
        return "name", f"{quoted} has a space or control character in its name; expected none"
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "link", f"{quoted} is a link or device; expected a plain file"
    if info.flag_bits & 1:
        return "encrypted", f"{quoted} is encrypted; zip it without a password"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "zip", f"{quoted} is compressed by method {info.compress_type}; expected deflate"
    return None


def _lines(archive: zipfile.ZipFile, info: zipfile.ZipInfo, report: Report) -> list[str] | None:
    """Lines of a member less their endings, LF or CRLF; None, with a finding, where it is no text."""
    name = info.orig_filename
    try:
        with archive.open(info) as file:
            # A length keeps a member that lies about its size from being unpacked whole.
            data = file.read(info.file_size + 1)
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        report.add("encoding", f"bytes {data[error.start : error.start + 4].hex(' ')} are not UTF-8", name, line)
        return None
    except Exception as error:  # a damaged member fails in zipfile and zlib in a dozen ways
        report.add("zip", f"{shown(name)} can't be unpacked ({shown(str(error))}); zip the files anew", name)
        return None
    if text.startswith("\ufeff"):
        report.add("encoding", "begins with a byte order mark; save it as UTF-8 without", name, 1)
        text = text[1:]
    n_lines = text.count("\n") + 1
    if n_lines > MAX_LINES:
        report.add("size", f"{shown(name)} has {n_lines} lines; expected at most {MAX_LINES}", name)
        return None
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]
