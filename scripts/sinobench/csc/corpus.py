"""Readers of spelling-check corpora. Each gives items (rows of ``csc_items`` without corpus) and what it set aside."""

import csv
import logging
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from sinobench.csc.pairs import check_pair, is_header, note_official_header
from sinobench.csc.reasons import Reason
from sinobench.errors import InputError, short
from sinobench.text import stream_lines, whole_number

# SIGHAN's elements are found in any case, over several lines.
_SGML = re.DOTALL | re.IGNORECASE
_PASSAGE_OPENS = re.compile(r"<(?:PASSAGE|DOC)\b", _SGML)
_PASSAGE = re.compile(
    r"<PASSAGE\s+id=\"?([^\">\s]+)\"?\s*>(.*?)</PASSAGE>|<DOC\s+Nid=\"?([^\">\s]+)\"?\s*>\s*<P>(.*?)</P>", _SGML
)
_MISTAKE_OPENS = re.compile(r"<MISTAKE\b", _SGML)
_MISTAKE = re.compile(
    r"<MISTAKE\b(?=[^>]*?\s(?:location|wrong_position)=\"?([0-9]{1,9})[\">\s])(?:(?=[^>]*?\sid=\"?([^\">\s]+)))?[^>]*>"
    r"\s*<WRONG>(?>(.*?)</WRONG>)\s*<CORRECT(?:ION)?>(?>(.*?)</CORRECT(?:ION)?>)",
    _SGML,
)
_LONGEST_WORD = 100

log = logging.getLogger(__name__)


@dataclass
class Corpus:
    """What a reader found; ``wrong_error_counts`` are the lines whose declared number of errors is not the real one."""

    items: list[dict] = field(default_factory=list)
    set_aside: list[dict] = field(default_factory=list)
    wrong_error_counts: list[int] = field(default_factory=list)

    def add(self, item_id: str, line: int, source: str, golds: list[str] | None, declared: int | None = None) -> None:
        row = {"item_id": item_id, "line": line, "input": source, "golds": golds, "declared_errors": declared}
        self.items.append(row)
        if declared is not None and golds and declared != sum(a != b for a, b in zip(source, golds[0], strict=True)):
            self.wrong_error_counts.append(line)

    def add_references(
        self, file: Path, line: int, source: str, references: Sequence[str], item_id: str | None = None
    ) -> None:
        """Add a sentence with the references that keep its length; others, and a sentence without, are set aside."""
        if not source or any(character in source for character in "\t\r\n"):
            reason = Reason.TAB_OR_LINE_END if source else Reason.EMPTY_INPUT
            self.put_aside(file, line, source, reason, " ".join(references))
            return
        if not references:
            self.put_aside(file, line, source, Reason.NOT_ANNOTATED, "")
        golds = [reference for reference in references if len(reference) == len(source)]
        for reference in references:
            if len(reference) != len(source):
                self.put_aside(file, line, source, Reason.LENGTH_CHANGE, reference)
        if golds:
            self.add(item_id or f"{line:06d}", line, source, list(dict.fromkeys(golds)))

    def put_aside(self, file: Path, line: int, text: str, reason: Reason, detail: str) -> None:
        self.set_aside.append({"file": file.name, "line": line, "text": text, "reason": reason, "detail": detail})


def read_pairs_table(
    file: str | Path,
    columns: Sequence[str],
    delimiter: str = "\t",
    lenient: bool = False,
    remove_blanks: bool = False,
    golds: str | Path | None = None,
    corpus: Corpus | None = None,
) -> Corpus:
    """One line an item, columns named in their order: ``input``, ``gold``, ``errors`` (their count), ``id``, ``-``.

    Without a gold column the corpus has no gold. A first line whose input is 原文, or that repeats the column names, is
    a header and set aside. Comma-separated files may quote fields, within one line; tab-separated ones are taken
    literally. Rows that change length or have no input are set aside where lenient, else InputError, as is any other
    wrong row: file, line and value are named. remove_blanks: take all white space out of input and gold first. golds: a
    file with the gold of each line, for columns ``input``, ``gold``. corpus: what the items are added to.
    """
    path = Path(file)
    lines = stream_lines(path) if golds is None else _side_by_side(path, Path(golds))
    corpus, ids, first = corpus or Corpus(), {}, None
    for number, line in enumerate(lines, start=1):
        fields = line.split("\t") if delimiter == "\t" else _quoted(line, delimiter, path, number)
        if number == 1 and _is_header(fields, columns):
            log.info("%s, line 1: header skipped", path)
            corpus.put_aside(path, number, line, Reason.HEADER, "")
            continue
        if len(fields) != len(columns):
            raise InputError(
                f"expected {len(columns)} fields ({', '.join(columns)}), found {len(fields)} in "
                f"'{short(line)}'; is a {'tab' if delimiter == chr(9) else repr(delimiter)} missing?",
                path,
                number,
            )
        row = dict(zip(columns, fields, strict=True))
        if remove_blanks:
            row |= {name: "".join(row[name].split()) for name in ("input", "gold") if name in row}
        gold = row.get("gold")
        if lenient and (not row["input"] or (gold is not None and len(gold) != len(row["input"]))):
            reason = Reason.LENGTH_CHANGE if row["input"] else Reason.EMPTY_INPUT
            detail = f"input has {len(row['input'])} characters" + ("" if gold is None else f", gold {len(gold)}")
            corpus.put_aside(path, number, line, reason, detail)
            continue
        check_pair(row["input"], row["input"] if gold is None else gold, path, number)
        item_id = row.get("id", f"{number:06d}")
        if "id" in row and ids.setdefault(item_id, number) != number:
            raise InputError(
                f"id '{item_id}' stands twice, first on line {ids[item_id]}; give each row its own", path, number
            )
        first = first or (number, row["input"])
        corpus.add(item_id, number, row["input"], None if gold is None else [gold], _error_count(row, path, number))
    if first is None:
        raise InputError("holds no usable item", path)
    note_official_header(path, *first)
    return corpus


def blank_separated(counts: Iterable[tuple[int, int]]) -> bool:
    """Whether most characters stand alone between blanks, as in sets that are released cut into characters.

    counts: of parts of the texts, as ``alone_between_blanks`` has them.
    """
    alone, characters = map(sum, zip(*counts, strict=True))
    return 2 * alone > characters


def alone_between_blanks(inputs: Iterable[str]) -> tuple[int, int]:
    """How many characters stand alone between blanks, and how many there are."""
    alone = characters = 0
    for text in inputs:
        parts = text.split()
        characters += sum(map(len, parts))
        if len(parts) > 1:
            alone += sum(len(part) == 1 for part in parts)
    return alone, characters


def read_sighan(file: str | Path, truth: str | Path | None = None, corpus: Corpus | None = None) -> Corpus:
    """SIGHAN's own files: SGML passages with their mistakes, or ``(pid=ID)⇥text`` lines with a truth file.

    Locations are 1-based characters of the passage. A truth line is ``ID, 0`` or ``ID, location, character, …``; in
    SGML WRONG and CORRECTION are the words around the location. Passages whose correction changes the length, or whose
    mistake is not what stands at its location, are set aside. InputError for a doubled or unknown id, and for
    a passage or mistake that can't be read.
    """
    path = Path(file)
    is_sgml = any(map(_PASSAGE_OPENS.search, stream_lines(path)))
    passages = _sgml_passages if is_sgml else _pid_lines
    seen: dict[str, int] = {}
    for number, pid, _ in passages(path):
        if pid in seen:
            raise InputError(f"passage id '{pid}' stands twice, first on line {seen[pid]}", path, number)
        seen[pid] = number
    mistakes = {}
    if truth is not None:
        mistakes = _truth(Path(truth), seen)
    elif is_sgml:
        mistakes = _sgml_mistakes(path, seen)
    corpus = corpus or Corpus()
    for number, pid, text in passages(path):
        gold, problem = _apply(text, mistakes.get(pid, ()))
        if gold is None:
            corpus.put_aside(path, number, text, *problem)
        else:
            corpus.add(pid, number, text, [gold])
    if not corpus.items:
        raise InputError("holds no passage; expected <PASSAGE id=…> elements or '(pid=ID)⇥text' lines", path)
    return corpus


def _is_header(fields: Sequence[str], columns: Sequence[str]) -> bool:
    names = [field.strip().lower() for field in fields]
    return names == list(columns) or (len(fields) == len(columns) and is_header(fields[columns.index("input")]))


def _error_count(row: dict[str, str], path: Path, line: int) -> int | None:
    value = row.get("errors")
    if value is None:
        return None
    if (count := whole_number(value)) is None:
        raise InputError(f"count of errors '{short(value)}' is no whole number", path, line)
    return count


def _side_by_side(path: Path, golds: Path) -> Iterator[str]:
    n_lines, n_gold_lines = (sum(1 for _ in stream_lines(file)) for file in (path, golds))
    if n_gold_lines != n_lines:
        message = f"has {n_gold_lines} lines where {path} has {n_lines}; line N of one belongs to line N of the other"
        raise InputError(message, golds)
    return map("{}\t{}".format, stream_lines(path), stream_lines(golds))


def _quoted(line: str, delimiter: str, path: Path, number: int) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True))
    except csv.Error as error:
        message = f"wrong quotes in '{short(line)}' ({error}); a quoted field ends on its line, a quote in it is \"\""
        raise InputError(message, path, number) from None


def _sgml_passages(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line, id and text of each passage.

    The files are no XML (no root, bare ampersands), and regular expressions expand no entity.
    """
    for number, text in _by_passage(path):
        if _PASSAGE_OPENS.match(text):
            match = _PASSAGE.match(text)
            if match is None:
                expected = '<PASSAGE id="…">…</PASSAGE> or <DOC Nid="…"><P>…</P>'
                raise InputError(f"expected {expected}, found '{short(text[:100])}'", path, number)
            yield number, match[1] or match[3], (match[2] or match[4] or "").strip()


def _sgml_mistakes(path: Path, known: Container[str]) -> dict[str, list[tuple[int, str, str]]]:
    """By the passages' ids their mistakes (location, wrong, right); one without id is of the passage before it."""
    mistakes: dict[str, list[tuple[int, str, str]]] = {}
    before = ""
    for line, text in _by_passage(path):
        if match := _PASSAGE.match(text):
            before = match[1] or match[3]
        counted = 0
        starts = [opening.start() for opening in _MISTAKE_OPENS.finditer(text)]
        # A mistake ends before the next one opens: one that never ends is not looked for in all the rest.
        for start, end in pairwise([*starts, len(text)]):
            line, counted = line + text.count("\n", counted, start), start
            match = _MISTAKE.match(text, start, end)
            if match is None:
                expected = '<MISTAKE id="…" location="…"> with <WRONG> and <CORRECTION>'
                raise InputError(f"expected {expected}, found '{short(text[start : start + 100])}'", path, line)
            pid = match[2] or before
            if pid not in known:
                raise InputError(f"id '{pid}' is not among the passages", path, line)
            mistakes.setdefault(pid, []).append((int(match[1]), match[3].strip(), match[4].strip()))
    return mistakes


def _by_passage(path: Path) -> Iterator[tuple[int, str]]:
    """What stands before the first passage, then from where each one opens to the next, and the line it begins on."""
    first, held = 1, []
    for number, line in enumerate(stream_lines(path), start=1):
        starts = [opening.start() for opening in _PASSAGE_OPENS.finditer(line)]
        before, *opened = (line[start:end] for start, end in pairwise([0, *starts, len(line)]))
        held.append(before)
        for text in opened:
            yield first, "\n".join(held)
            first, held = number, [text]
    yield first, "\n".join(held)


def _pid_lines(path: Path) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(stream_lines(path), start=1):
        match = re.fullmatch(r"\((?:pid|nid)=([^)\s]+)\)\s+(\S.*)", line, re.IGNORECASE)
        if match is None:
            raise InputError(f"expected '(pid=ID)⇥text', found '{short(line)}'", path, number)
        yield number, match[1], match[2]


def _truth(path: Path, known: Mapping[str, int]) -> dict[str, list[tuple[int, str, str]]]:
    mistakes: dict[str, list[tuple[int, str, str]]] = {}
    for number, line in enumerate(stream_lines(path), start=1):
        pid, *fields = (part.strip() for part in line.split(","))
        if pid not in known:
            raise InputError(f"id '{pid}' is not among the passages", path, number)
        if pid in mistakes:
            raise InputError(f"id '{pid}' stands twice", path, number)
        locations, characters = fields[0::2], fields[1::2]
        if fields != ["0"] and (
            len(locations) != len(characters) or not fields or None in map(whole_number, locations)
        ):
            raise InputError(f"expected 'ID, 0' or 'ID, location, character, …', found '{short(line)}'", path, number)
        mistakes[pid] = [(int(at), "", right) for at, right in zip(locations, characters, strict=False)]
    if absent := sorted(known.keys() - mistakes.keys()):
        raise InputError(f"{len(absent)} passages have no line, the first is '{absent[0]}'", path)
    return mistakes


def _apply(text: str, mistakes: Iterable[tuple[int, str, str]]) -> tuple[str | None, tuple[Reason, str] | None]:
    """The corrected text; or None, with reason and detail."""
    characters = list(text)
    for location, wrong, right in mistakes:
        at, detail = location - 1, f"location {location}: '{short(wrong)}' → '{short(right)}'"
        if len(right) != max(len(wrong), 1):
            return None, (Reason.LENGTH_CHANGE, detail)
        if not 0 <= at < len(text) or len(wrong) > _LONGEST_WORD:
            return None, (Reason.LOCATION_MISMATCH, detail)
        if not wrong:
            characters[at] = right
            continue
        fits = [
            right[at - start]
            for start in range(max(0, at - len(wrong) + 1), at + 1)
            if text.startswith(wrong, start) and wrong[at - start] != right[at - start]
        ]
        if not fits:
            return None, (Reason.LOCATION_MISMATCH, detail)
        characters[at] = fits[0]
    return "".join(characters), None
