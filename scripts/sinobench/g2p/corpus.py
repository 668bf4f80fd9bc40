"""Readers of G2P corpora: sentences with one anchored character, and the annotated Du Fu.

A reader returns items (rows of ``g2p_items`` without corpus and n_readings) and the lines that it set aside.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path

from sinobench.errors import InputError
from sinobench.g2p.reasons import Reason
from sinobench.g2p.syllables import decompose, parse_labels
from sinobench.results.tables import Growing
from sinobench.text import read_lines, stream_lines

POS_TAGS = ("N", "V", "T", "I", "D", "P", "C", "UNK")
ANCHORS = "▁_"  # upstream's files use U+2581, its README writes an underscore

HAN = re.compile(r"[\u3006\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
# A token by itself: the letters and digits of an address are no reading.
_READING = re.compile(r"(?<!\S)[a-z]+[0-9]\b|\bunknown\b")


@dataclass
class Corpus:
    """What a reader found: rows of items, and rows of lines that can't be used with their reason."""

    items: list[dict] = field(default_factory=list)
    set_aside: list[dict] = field(default_factory=list)

    def put_aside(self, file: Path, line: int, text: str, reason: Reason, detail: str = "") -> None:
        self.set_aside.append(
            {"file": file.name, "line": line, "text": text, "reason": reason, "detail": detail or None}
        )


def read_anchored(
    sent: str | Path, lb: str | Path, pos: str | Path | None, register: str, corpus: Corpus | None = None
) -> Corpus:
    """Sentences with the target between two anchors, readings line by line, and optionally one POS tag a line.

    Source: data/*.sent, *.lb, *.pos of the benchmark. Raises InputError where the files' lines do not correspond, an
    anchor is missing or doubled, a reading is no Jyutping or a tag is unknown. Nothing is set aside: a benchmark's
    published count must not depend on what a reader skips.
    """
    sent, lb = Path(sent), Path(lb)
    sentences, labels = read_lines(sent), read_lines(lb)
    _same_length(sent, sentences, lb, labels)
    tags: Sequence[str | None] = [None] * len(sentences)
    if pos is not None:
        tags = read_lines(pos)
        _same_length(sent, sentences, Path(pos), tags)
    corpus = corpus or Corpus()
    for line, (sentence, readings, tag) in enumerate(zip(sentences, labels, tags, strict=True), start=1):
        text, position = _split_anchored(sentence, sent, line)
        if tag is not None and tag not in POS_TAGS:
            raise InputError(f"POS tag '{tag}' is not one of {' '.join(POS_TAGS)}", pos, line)
        corpus.items.append(
            {
                "item_id": f"{line:06d}",
                "unit": f"{line:06d}",
                "line": line,
                "register": register,
                "text": text,
                "position": position,
                "character": text[position],
                "labels": parse_labels(readings, lb, line),
                "pos": tag,
            }
        )
    return corpus


def read_dufu(text: str | Path, register: str, corpus: Corpus | None = None) -> Corpus:
    """The whole Du Fu: a line of Han characters (or a poem's title) directly followed by its syllable line.

    Every character of a pair is an item; the unit is the poem. Titles count: they carry readings too. A bracket in a
    title has the token ``unknown`` and is no character. Set aside: ``not_text`` (notes, separators, preamble),
    ``length_mismatch`` (the pair, never guessed), ``no_reading`` (a character with ``unknown``), ``invalid_syllable``.
    Raises InputError where the file holds no pair at all.
    """
    path = Path(text)
    corpus, poem, is_taken = corpus or Corpus(), "", False
    for number, (line, following) in enumerate(pairwise(chain(stream_lines(path), [""])), start=1):
        if is_taken or not line.strip():
            is_taken = False
            continue
        heading = re.match(r"(\d{4,}) +(?=\S)", line)
        if heading:
            poem = heading[1]
        verse = line[heading.end() :] if heading else line
        if not HAN.search(verse) or not _READING.search(following) or HAN.search(following):
            corpus.put_aside(path, number, line, Reason.NOT_TEXT)
            continue
        _add_pair(corpus, path, number, verse, following, poem, register)
        is_taken = True
    if not corpus.items:
        raise InputError("holds no line of Han characters followed by its line of Jyutping syllables", path)
    return corpus


def read_corpus(
    entry: Mapping, files: Mapping[str, str], written: Callable[[list[dict]], None] | None = None
) -> Corpus:
    """The corpus of a catalog entry, from its files by part; items have ``n_readings`` too.

    written: takes the items some at a time, of which the corpus then keeps none.
    """
    known: dict[str, int] = {}

    def complete(items: list[dict]) -> None:
        known.update(known_readings({item["character"] for item in items} - known.keys()))
        for item in items:
            item["n_readings"] = known[item["character"]]
        if written:
            written(items)

    corpus = Corpus(Growing(complete)) if written else Corpus()
    if entry["reader"] == "anchored":
        read_anchored(files["sent"], files["lb"], files.get("pos"), entry["register"], corpus)
    else:
        read_dufu(files["text"], entry["register"], corpus)
    if isinstance(corpus.items, Growing):
        corpus.items.finish()
    else:
        complete(corpus.items)
    return corpus


def known_readings(characters: set[str]) -> dict[str, int]:
    """How many readings ToJyutping's dictionary knows of each character."""
    import ToJyutping

    candidates = ToJyutping.get_jyutping_candidates("".join(sorted(characters)))
    return {character: len(readings) for character, readings in candidates}


def _add_pair(corpus: Corpus, path: Path, line: int, verse: str, syllables: str, poem: str, register: str) -> None:
    positions = [i for i, character in enumerate(verse) if HAN.match(character) or character in "[]"]
    tokens = [re.sub(r"[^\w/]", "", token) for token in syllables.split()]
    if len(positions) != len(tokens):
        detail = f"{len(positions)} characters, {len(tokens)} syllables"
        corpus.put_aside(path, line, f"{verse}\n{syllables}", Reason.LENGTH_MISMATCH, detail)
        return
    for position, token in zip(positions, tokens, strict=True):
        labels = list(dict.fromkeys(token.split("/")))
        character = verse[position]
        if character in "[]" and token == "unknown":
            continue
        if token == "unknown":
            corpus.put_aside(path, line, verse, Reason.NO_READING, f"{character} at {position}")
        elif character in "[]" or not all(map(decompose, labels)):
            corpus.put_aside(path, line, verse, Reason.INVALID_SYLLABLE, f"{character} at {position}: {token}")
        else:
            corpus.items.append(
                {
                    "item_id": f"{line:06d}-{position:03d}",
                    "unit": poem,
                    "line": line,
                    "register": register,
                    "text": verse,
                    "position": position,
                    "character": character,
                    "labels": labels,
                    "pos": None,
                }
            )


def _same_length(first: Path, first_lines: Sequence[str], second: Path, second_lines: Sequence[str]) -> None:
    if len(first_lines) != len(second_lines):
        raise InputError(
            f"has {len(second_lines)} lines where {first.name} has {len(first_lines)}; line N of one belongs to line N "
            "of the other, so add or remove the lines in which they differ",
            second,
        )


def _split_anchored(sentence: str, file: Path, line: int) -> tuple[str, int]:
    anchors = [i for i, character in enumerate(sentence) if character in ANCHORS]
    if len(anchors) != 2 or anchors[1] != anchors[0] + 2:
        raise InputError(
            f"'{sentence}' has {len(anchors)} anchors; expected one character between two '▁', as in '伯公▁神▁壇'",
            file,
            line,
        )
    return sentence[: anchors[0]] + sentence[anchors[0] + 1] + sentence[anchors[1] + 1 :], anchors[0]
