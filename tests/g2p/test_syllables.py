import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.g2p.syllables import COMPONENTS, decompose


@pytest.mark.parametrize(
    ("syllable", "expected"),
    [
        ("gwong2", ("gw", "o", "ng", "2")),
        ("gu1", ("gw", "u", None, "1")),
        ("gui6", ("gw", "u", "i", "6")),
        ("kut3", ("kw", "u", "t", "3")),
        ("gung1", ("g", "o~u", "ng", "1")),
        ("guk1", ("g", "o~u", "k", "1")),
        ("kung4", ("k", "o~u", "ng", "4")),
        ("kuk1", ("k", "o~u", "k", "1")),
        ("hou2", ("h", "o~u", "u", "2")),
        ("ho2", ("h", "o", None, "2")),
        ("sei3", ("s", "e~i", "i", "3")),
        ("sing1", ("s", "e~i", "ng", "1")),
        ("sik6", ("s", "e~i", "k", "6")),
        ("si6", ("s", "i", None, "6")),
        ("se3", ("s", "e", None, "3")),
        ("sin3", ("s", "i", "n", "3")),
        ("jyut6", ("j", "yu", "t", "6")),
        ("ceoi1", ("c", "eo", "i", "1")),
        ("hoeng1", ("h", "oe", "ng", "1")),
        ("aa3", (None, "aa", None, "3")),
        ("ngo5", ("ng", "o", None, "5")),
        ("m4", (None, None, "m", "4")),
        ("ng5", (None, None, "ng", "5")),
        ("hm6", ("h", None, "m", "6")),
        ("hng6", ("h", None, "ng", "6")),
    ],
)
def test_worked_examples(syllable, expected):
    assert decompose(syllable) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "a",
        "gwong",
        "gwong0",
        "gwong7",
        "Gwong2",
        "gwong2 ",
        " gwong2",
        "gwong2\n",
        "gwong２",
        "zou6faa3",
        "nei5/lei5",
        "unknown",
        "xi1",
        "bm1",
        "kw1",
        "神",
    ],
)
def test_what_does_not_look_like_a_syllable(text):
    assert decompose(text) is None


@pytest.mark.parametrize("text", ["unknown", "nei5/lei5", "xi1", "bm1", "kw1", "b1", "hb1", "aai1i", "神"])
def test_what_is_no_syllable(text):
    assert decompose(text) is None


def test_partition_is_that_of_the_official_decomposition(vectors):
    official = json.loads((vectors / "g2p/decomposition_official.json").read_text(encoding="utf-8"))
    assert len(official) > 1_000
    for place, component in enumerate(COMPONENTS):
        ours_of: dict = {}
        theirs_of: dict = {}
        for syllable, symbols in official.items():
            assert len(symbols) == 4, syllable
            ours, theirs = decompose(syllable)[place], symbols[place]
            assert ours_of.setdefault(theirs, ours) == ours, f"{component} of {syllable} differs where theirs is one"
            assert theirs_of.setdefault(ours, theirs) == theirs, f"{component} of {syllable} is one where theirs differ"
            assert (ours is None) == (theirs == "_"), syllable


@given(st.text())
def test_never_raises(text):
    assert decompose(text) is None or decompose(text).tone in "123456"


@given(st.from_regex(r"[a-z]{0,5}[1-6]", fullmatch=True))
def test_every_syllable_has_a_tone_and_a_sound(text):
    parts = decompose(text)
    if parts is not None:
        assert parts.tone == text[-1]
        assert parts.nucleus or parts.coda in ("m", "ng")
