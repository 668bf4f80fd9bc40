"""docs/recoding.md: what its examples show before a rule becomes what they show after it."""

import importlib
import re
from collections import defaultdict
from functools import reduce

import numpy as np
import pytest
import soundfile

from sinobench.errors import InputError
from sinobench.merlion.annotation.recode import recode
from sinobench.merlion.annotation.regions import strict_regions
from sinobench.merlion.audio.redact import mask, verify
from sinobench.merlion.tables import Grain, Redaction
from tests.documents import ROOT, tables

DOCUMENT = "docs/recoding.md"
TEXT = (ROOT / DOCUMENT).read_text(encoding="utf-8")
NUMBERS = [*(f"R{n}" for n in range(1, 11)), *(f"P{n}" for n in range(1, 5))]
RECODED = NUMBERS[:11]  # P1 too

# Kinds of tables by their headers, those of the database's tables where there is one.
GRAINS = ("speaker", "utterance", "start_ms", "end_ms", "text", "raw_language", "language", "rule")
REDACTIONS = ("label", "start_ms", "end_ms")
SEGMENTS = ("utt_id", "start_ms", "end_ms", "language", "overlap_diff_lang")
LABELS = ("label", "speaker", "utterance", "start_ms", "end_ms", "language")
SAMPLES, CHECKS = ("sample", "before", "after"), ("sample", "changed to", "the check")
BEFORE, AFTER = ("before", "start_ms", "end_ms"), ("after", "start_ms", "end_ms")

EXAMPLES = defaultdict(dict)
for table in tables(DOCUMENT):
    EXAMPLES[table.heading.partition(":")[0]][table.header] = table
SECTIONS = dict(re.findall(r"^## ([RP]\d+):(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))


def spans(table, chosen=None):
    return [(int(start), int(end)) for what, start, end in table.rows if chosen in (None, what)]


@pytest.fixture
def example(request):
    """The grains and redactions of an example, and what recoding makes of them."""
    shown = EXAMPLES[request.param]
    grains = [
        Grain("a", row["speaker"], row["utterance"], *times(row), row["raw_language"], row["text"], number)
        for number, row in enumerate(shown[GRAINS].dicts(), start=1)
    ]
    listed = shown[REDACTIONS].dicts() if REDACTIONS in shown else []
    redactions = [Redaction("a", *times(row), row["label"], number) for number, row in enumerate(listed, start=1)]
    return shown, recode(grains, redactions)


def times(row):
    return int(row["start_ms"]), int(row["end_ms"])


def test_each_rule_has_its_section_in_order():
    assert list(SECTIONS) == NUMBERS


@pytest.mark.parametrize("example", RECODED, indirect=True)
def test_grains_become_what_the_example_shows(example):
    shown, recoded = example
    found = [(str(r.grain.start_ms), r.grain.text, r.language, r.rule) for r in recoded.grains]
    columns = ("start_ms", "text", "language", "rule")
    assert found == sorted((tuple(row[c] for c in columns) for row in shown[GRAINS].dicts()), key=lambda r: int(r[0]))


@pytest.mark.parametrize("number", RECODED[:9])
def test_an_example_shows_its_own_rule(number):
    assert number in {row["rule"] for row in EXAMPLES[number][GRAINS].dicts()}


@pytest.mark.parametrize("example", ["R10"], indirect=True)
def test_grains_are_merged_to_the_segments_shown(example):
    shown, recoded = example
    found = [(s.utt_id, str(s.start_ms), str(s.end_ms), s.language, str(s.overlap_diff_lang)) for s in recoded.segments]
    assert found == shown[SEGMENTS].rows


@pytest.mark.parametrize("example", ["P1"], indirect=True)
def test_redactions_get_the_labels_shown(example):
    shown, recoded = example
    found = [
        (r.redaction.label, r.speaker, r.utterance, str(r.start_ms), str(r.end_ms), r.language)
        for r in recoded.redaction_labels
    ]
    assert found == shown[LABELS].rows


@pytest.fixture
def masked(tmp_path):
    """The recording of P2 and its masked copy: 10 ms, every sample 1000."""
    original, copy, spans = tmp_path / "original.wav", tmp_path / "masked.wav", [(1, 3), (2, 4)]
    soundfile.write(original, np.full(320, 1000, np.int16), 32_000, subtype="PCM_16")
    mask(original, copy, spans)
    return original, copy, spans


def test_samples_become_those_shown(masked):
    before, after = (soundfile.read(path, dtype="int16")[0] for path in masked[:2])
    shown = [tuple(map(int, row)) for row in EXAMPLES["P2"][SAMPLES].rows]
    assert shown == [(at, before[at], after[at]) for at, *_ in shown]


@pytest.mark.parametrize("row", EXAMPLES["P3"][CHECKS].rows)
def test_the_check_says_what_is_shown(masked, row):
    original, copy, spans = masked
    samples = soundfile.read(copy, dtype="int16")[0]
    samples[int(row[0])] = int(row[1])
    soundfile.write(copy, samples, 32_000, subtype="PCM_16")
    if row[2] == "passes":
        verify(original, copy, spans)
    else:
        with pytest.raises(InputError, match=re.escape(f": {row[2]};")):
            verify(original, copy, spans)


def test_regions_become_those_shown():
    before, after = EXAMPLES["P4"][BEFORE], EXAMPLES["P4"][AFTER]
    given = [spans(before, what) for what in ("evaluated region", "redaction", "NON_EVALUATED segment")]
    kept, pieces = strict_regions(*given)
    assert [tuple(pair) for pair in kept.tolist()] == spans(after, "strict")
    taken = [(f"taken as {reason}", str(start), str(end)) for start, end, reason in pieces]
    assert taken == [row for row in after.rows if row[0] != "strict"]
    assert sum(map(len, given)) == len(before.rows)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_functions_that_it_names_exist(number):
    (line,) = re.findall(r"^- Function: (.*)$", SECTIONS[number], re.MULTILINE)
    for name in re.findall("`(.+?)`", line):
        package, module, *path = name.split(".")
        found = importlib.import_module(f"sinobench.merlion.{package}.{module}")
        assert callable(reduce(getattr, path, found)) or path[-1] == "is_visible", name


@pytest.mark.parametrize("number", NUMBERS)
def test_each_rule_says_what_it_rests_on_and_what_was_decided(number):
    assert "\n- Plan" in SECTIONS[number] and "\n- Decided: " in SECTIONS[number]
