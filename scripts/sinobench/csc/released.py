"""Readers of public error-correction sets in the form their owners release them in.

They are made for grammatical correction: sentences whose correction changes the length are set aside. Items are named
by their line where the form has no id of its own. What each reader finds it adds to the corpus that it is given.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from sinobench.csc.corpus import Corpus
from sinobench.csc.reasons import Reason
from sinobench.errors import InputError, short
from sinobench.text import stream_lines, whole_number

# MuCGEC's annotators write these in place of a reference.
_NO_ERROR, _NOT_ANNOTATED = "没有错误", "无法标注"

# CGED's files are no XML. A tag ends before the next one begins, so that an unclosed one is not searched to the end.
_CGED_TAG = re.compile(r"<(/?(?:TEXT|CORRECTION))\b[^<>]*>", re.IGNORECASE)
_LINES_AT_ONCE = 2**13


def read_mucgec(file: str | Path, corpus: Corpus | None = None) -> Corpus:
    """MuCGEC's multi-reference form, ``id⇥input⇥reference⇥reference…``.

    References that change the length are set aside, so is a sentence that keeps none; 没有错误 stands for the input.
    """
    path = Path(file)
    corpus, ids = corpus or Corpus(), set()
    for number, line in enumerate(stream_lines(path), start=1):
        item_id, *texts = line.split("\t")
        if len(texts) < 2 or not texts[0]:
            raise InputError(
                f"expected id, input and references with tabs between, found '{short(line)}'", path, number
            )
        if item_id in ids:
            raise InputError(f"id '{item_id}' stands twice; give each row its own", path, number)
        ids.add(item_id)
        source, *references = (texts[0] if text == _NO_ERROR else text for text in texts)
        for _ in range(references.count(_NOT_ANNOTATED)):
            corpus.put_aside(path, number, source, Reason.NOT_ANNOTATED, _NOT_ANNOTATED)
        if references := [reference for reference in references if reference != _NOT_ANNOTATED]:
            corpus.add_references(path, number, source, references, item_id)
    if not corpus.items:
        raise InputError("holds no sentence with a reference of its length", path)
    return corpus


def read_lang8(file: str | Path, corpus: Corpus | None = None) -> Corpus:
    """Lang-8 as NLPCC 2018 Task 2 released it (``data.train``): ``id⇥n⇥sentence``, and n corrections after tabs.

    A sentence without correction may be right or only unread: it is set aside.
    """
    path, corpus = Path(file), corpus or Corpus()
    for number, line in enumerate(stream_lines(path), start=1):
        _, n, source, *corrections = [*line.split("\t"), *("", "", "")][: max(3, line.count("\t") + 1)]
        if whole_number(n) != len(corrections):
            expected = "expected id, number of corrections, sentence and its corrections with tabs between"
            raise InputError(f"{expected}, found '{short(line)}'", path, number)
        corpus.add_references(path, number, source, corrections)
    return _whole(corpus, path)


def read_yaclc(file: str | Path, corpus: Corpus | None = None) -> Corpus:
    """YACLC's JSON lines (``valid.jsonl``): the grammatical corrections of a sentence; fluent ones are left out."""
    path, corpus = Path(file), corpus or Corpus()
    for number, row in _json_lines(path):
        source = _text(row, "sentence_text", path, number)
        annotations = row.get("sentence_annos")
        if not (isinstance(annotations, list) and all(isinstance(one, dict) for one in annotations)):
            raise InputError("has no list 'sentence_annos'; the test set is released without corrections", path, number)
        grammatical = [one for one in annotations if one.get("is_grammatical") == 1]
        corpus.add_references(path, number, source, [_text(one, "correction", path, number) for one in grammatical])
    return _whole(corpus, path)


def read_ctc2021(file: str | Path, truth: str | Path | None = None, corpus: Corpus | None = None) -> Corpus:
    """CTC 2021: JSON lines with source and target (``train_large_v2.json``), or ``pid⇥text`` lines with a truth file.

    A truth line (``qua.solution``) is ``pid, -1`` or ``pid, start, type, wrong, right, …`` with starts counted from 0.
    """
    path, corpus = Path(file), corpus or Corpus()
    if truth is None:
        for number, row in _json_lines(path):
            source, target = (_text(row, key, path, number) for key in ("source", "target"))
            corpus.add_references(path, number, source, [target])
        return _whole(corpus, path)
    edits = _ctc2021_truth(Path(truth))
    for number, line in enumerate(stream_lines(path), start=1):
        pid, tab, source = line.partition("\t")
        if not tab:
            raise InputError(f"expected 'pid⇥text', found '{short(line)}'", path, number)
        if pid not in edits:
            raise InputError(f"'{short(pid)}' stands twice, or not in {truth}", path, number)
        problem, gold = None, list(source)
        for start, wrong, right in edits.pop(pid):
            if not source.startswith(wrong, start):
                problem = problem or (Reason.LOCATION_MISMATCH, f"{start}: '{wrong}' → '{right}'")
            elif len(wrong) != len(right):
                problem = problem or (Reason.LENGTH_CHANGE, f"{start}: '{wrong}' → '{right}'")
            gold[start : start + len(right)] = right
        if problem:
            corpus.put_aside(path, number, source, *problem)
        else:
            corpus.add_references(path, number, source, ["".join(gold)])
    if edits:
        raise InputError(f"{len(edits)} lines have no text in {path}, the first is '{short(min(edits))}'", truth)
    return _whole(corpus, path)


def read_cged(file: str | Path, corpus: Corpus | None = None) -> Corpus:
    """CGED of 2016 to 2021: a TEXT element and its CORRECTION, one after the other; where errors are is not read."""
    path, corpus = Path(file), corpus or Corpus()
    expected, source = iter(()), ""
    for number, tag, between in _cged_tags(path):
        name, wanted = tag[1].upper(), next(expected, "TEXT")
        if name != wanted:
            raise InputError(f"expected <{wanted}>, found '{short(tag[0])}'", path, number)
        if name == "TEXT":
            expected, line = iter(("/TEXT", "CORRECTION", "/CORRECTION")), number
        elif name == "/TEXT":
            source = between
        elif name == "/CORRECTION":
            corpus.add_references(path, line, source, [between])
    if wanted := next(expected, None):
        raise InputError(f"expected <{wanted}>, found the end of the file", path, number)
    return _whole(corpus, path)


def _cged_tags(path: Path) -> Iterator[tuple[int, re.Match, str]]:
    """Each tag, with its line and what stands between it and the tag before."""
    lines, held, number = stream_lines(path), "", 1
    while some := list(islice(lines, _LINES_AT_ONCE)):
        held, end = held + "\n".join([*some, ""]), 0
        for tag in _CGED_TAG.finditer(held):
            between = held[end : tag.start()]
            number += between.count("\n")
            yield number, tag, between.strip()
            number, end = number + tag[0].count("\n"), tag.end()
        held = held[end:]


def _whole(corpus: Corpus, path: Path) -> Corpus:
    if not corpus.items:
        raise InputError("holds no sentence with a correction of its length", path)
    return corpus


def _json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(stream_lines(path), start=1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise InputError(f"expected a JSON object, found '{short(line)}'", path, number)
        yield number, row


def _text(row: dict[str, Any], key: str, path: Path, number: int) -> str:
    if not isinstance(row.get(key), str):
        raise InputError(f"has no text '{key}', only {', '.join(map(short, row)) or 'nothing'}", path, number)
    return row[key]


def _ctc2021_truth(path: Path) -> dict[str, list[tuple[int, str, str]]]:
    edits: dict[str, list[tuple[int, str, str]]] = {}
    for number, line in enumerate(stream_lines(path), start=1):
        pid, *fields = (field.strip() for field in line.split(","))
        right = fields == ["-1"]
        if right or not fields or fields.pop():  # a line with edits ends in a comma
            fields = []
        starts = fields[0::4]
        whole = fields and len(fields) % 4 == 0 and None not in map(whole_number, starts)
        if not right and not whole:
            raise InputError(
                f"expected 'pid, -1' or 'pid, start, type, wrong, right, …', found '{short(line)}'", path, number
            )
        if pid in edits:
            raise InputError(f"'{short(pid)}' stands twice", path, number)
        found = zip(starts, fields[2::4], fields[3::4], strict=True)
        edits[pid] = [(int(start), wrong, correction) for start, wrong, correction in found]
    return edits
