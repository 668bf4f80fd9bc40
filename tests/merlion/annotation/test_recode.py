import logging
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.merlion.annotation.recode import recode
from sinobench.merlion.tables import Grain, Redaction

TAGS = {
    "E": ("English", "word"),
    "M": ("Mandarin", "字"),
    "Y": ("Malay", "kata"),
    "H": ("Hokkien", "字"),
    "r": ("Red Dot", "mammam"),
    "l": ("Languageless", "oh"),
    "d": ("Red Dot", ":d:lor"),
    "v": ("Vocal Sounds", ":v:laughter"),
    "n": ("Non Vocal Sounds", ":s:clapping"),
    "i": ("Inaudible", ""),
    "#": ("English", "## ###"),
    "?": ("#!#Mandarin", "字"),
}
SHORT = {"English": "E", "Mandarin": "M", "NON_SPEECH": "-", "NON_EVALUATED": "x"}


def utterance(letters, start=0, speaker="Mother", name="u1", recording="rec", ms=100):
    """Grains of an utterance, one letter each; a number after a letter multiplies the 100 ms that it lasts."""
    grains = []
    for part in letters.split():
        language, text = TAGS[part[0]]
        end = start + int(part[1:] or 1) * ms
        grains.append(Grain(recording, speaker, name, start, end, language, text, len(grains) + 1))
        start = end
    return grains


def redaction(start, end, recording="rec", label="BABYNAME"):
    return Redaction(recording, start, end, label, 1)


def essence(grains, redactions=(), **settings):
    """(labels, rules) of the grains in order."""
    recoded = recode(grains, redactions, **settings).grains
    return "".join(SHORT[r.language] for r in recoded), " ".join(r.rule for r in recoded)


def segments(recoded):
    return [(s.utt_id, s.start_ms, s.end_ms, SHORT[s.language], s.overlap_diff_lang) for s in recoded.segments]


@pytest.mark.parametrize(
    ("grains", "language"),
    [
        ([("Mandarin", "这样它就不会淋到雨"), ("Red Dot", ":d:lor")], "Mandarin"),
        ([("Languageless", "oh"), ("Mandarin", "你看")], "Mandarin"),
        ([("English", "this is lightning"), ("Red Dot", ":d:hor")], "English"),
        ([("Languageless", "oh"), ("English", "what is that?")], "English"),
    ],
)
def test_figure_6_of_the_plan(grains, language):
    raw = [
        Grain("rec", "Mother", "u1", 500 * n, 500 * n + 500, tag, text, n + 1) for n, (tag, text) in enumerate(grains)
    ]
    assert segments(recode(raw)) == [("a1", 0, 1000, language[0], False)]


@pytest.mark.parametrize(
    ("letters", "labels", "rules"),
    [
        ("E M", "EM", "- -"),
        # R1: a marker takes what is before it, also between two languages, and past sounds
        ("E d", "EE", "- R1"),
        ("E d M9", "EEM", "- R1 -"),
        ("E v d M9", "E-EM", "- R9 R1 -"),
        ("Y d E", "xxE", "R9 R1 -"),
        # R2: with nothing before it, what follows
        ("d E M9", "EEM", "R2 - -"),
        ("v d M", "-MM", "R9 R2 -"),
        ("d d M", "MMM", "R2 R2 -"),
        # R3: up to the last marker goes to the left, the rest is a run of its own
        ("E l d M9", "EEEM", "- R3 R1 -"),
        ("E l d l M9", "EEEMM", "- R3 R1 R6 -"),
        ("E d l d r l M9", "EEEEMMM", "- R1 R3 R1 R6 R6 -"),
        ("E9 d l M", "EEEM", "- R1 R6 -"),
        ("E l v d v l", "EE-E-E", "- R3 R9 R1 R9 R5"),
        ("l d r M", "MMMM", "R5 R2 R5 -"),
        # R5: first, last, between two equal
        ("l E M9", "EEM", "R5 - -"),
        ("M9 E r", "MEE", "- - R5"),
        ("E l r E M9", "EEEEM", "- R5 R5 - -"),
        ("E v l n E", "E-E-E", "- R9 R5 R9 -"),
        # R6: between two different, the longest of the utterance; equal totals, the preceding
        ("E2 l M", "EEM", "- R6 -"),
        ("E l M2", "EMM", "- R6 -"),
        ("E l M", "EEM", "- R6 -"),
        ("M l E", "MME", "- R6 -"),
        ("E l M E", "EEME", "- R6 - -"),
        ("E r9 M2 v9", "EMM-", "- R6 - R9"),
        ("E l M v E l", "EEM-EE", "- R6 - R9 - R5"),
        # R6 with a third language that is the longest; of equal longest ones the first on the way back
        ("M2 E l Y", "MEMx", "- - R6 R9"),
        ("M2 Y l E E", "MxMEE", "- R9 R6 - -"),
        ("E2 M2 Y l Y", "EMxxx", "- - R9 R7 R9"),
        ("E2 M2 Y l H", "EMxMx", "- - R9 R6 R9"),
        # R7: a non-evaluated language counts
        ("Y l", "xx", "R9 R7"),
        ("l Y E", "xxE", "R7 R9 -"),
        ("Y2 l E", "xxE", "R9 R7 -"),
        ("Y l E2", "xEE", "R9 R6 -"),
        # R9
        ("v n i #", "----", "R9 R9 R9 R9"),
        ("Y H", "xx", "R9 R9"),
    ],
)
def test_rules_within_an_utterance(letters, labels, rules):
    assert essence(utterance(letters)) == (labels, rules)


@pytest.mark.parametrize(
    ("others", "label"),
    [
        ([("E2", "Mother"), ("M", "Mother"), ("M9", "Father")], "E"),
        ([("E", "Mother"), ("M2", "Mother"), ("E9", "Father")], "M"),
        # as long, more grains
        ([("E2", "Mother"), ("M", "Mother"), ("M", "Mother")], "M"),
        # as long, as many: the recording's
        ([("E", "Mother"), ("M", "Mother"), ("M", "Father")], "M"),
        ([("E", "Mother"), ("M", "Mother")], "E"),
        # no target speech: the recording's
        ([("Y9", "Mother"), ("M2", "Father"), ("E", "Aunt")], "M"),
        ([("M", "Father"), ("E", "Aunt")], "E"),
        # words of no language do not count
        ([("M", "Mother"), ("E l9", "Mother"), ("M", "Mother")], "M"),
        # another recording's do not
        ([("M", "Mother"), ("E9", "elsewhere")], "M"),
    ],
)
@pytest.mark.parametrize("letters", ["l", "d", "l v d"])
def test_r8_takes_the_speakers_main_language(others, label, letters):
    grains = utterance(letters)
    for number, (other, speaker) in enumerate(others, start=1):
        recording = "other" if speaker == "elsewhere" else "rec"
        grains += utterance(other, 10_000 * number, speaker, f"o{number}", recording)
    n = len(letters.split())
    recoded = [r for r in recode(grains).grains if r.grain.recording == "rec"][:n]
    assert "".join(SHORT[r.language] for r in recoded) == "".join(
        "-" if part == "v" else label for part in letters.split()
    )
    assert {r.rule for r in recoded} <= {"R8", "R9"}


def test_r8_without_any_target_speech_warns_once(caplog):
    grains = utterance("l") + utterance("r v", 1000, name="u2") + utterance("Y", 2000, name="u3")
    with caplog.at_level(logging.WARNING):
        assert essence(grains) == ("xx-x", "R8 R8 R9 R9")
    assert [r.message for r in caplog.records] == [
        "a recording has no English or Mandarin to resolve neutral words by; they are not evaluated"
    ]


def test_r8_needs_a_speaker_or_leave_to_do_without():
    grains = utterance("l", speaker=None) + utterance("M", 1000, None, "u2")
    with pytest.raises(InputError, match=r"^rec, line 1: grain 0-100 has no speaker, .*set file_level_fallback"):
        recode(grains)
    assert essence(grains, file_level_fallback=True) == ("MM", "R8 -")


def test_r9_refuses_what_is_to_be_checked_unless_lenient():
    with pytest.raises(
        InputError, match=r"^rec, line 2: language '#!#Mandarin' of grain 100-200 is still to be checked"
    ):
        recode(utterance("E ? M"))
    assert essence(utterance("E ? M"), lenient=True) == ("ExM", "- R9 -")
    with pytest.raises(InputError, match="rec, line 1: language 'Klingon' of grain 0-100 is unknown"):
        recode([replace(utterance("E")[0], language="Klingon")])


@pytest.mark.parametrize(
    ("letters", "masked", "labels", "rules", "redaction_labels"),
    [
        # R4: wholly redacted grains are looked past, and so does P1 label them
        ("E M E", [(100, 200)], "EEE", "- R4 -", "E"),
        ("E E M2", [(100, 200)], "EMM", "- R4 -", "M"),
        ("E2 E M", [(200, 300)], "EEM", "- R4 -", "E"),
        ("M E E", [(100, 200)], "MME", "- R4 -", "M"),  # tie: the preceding
        ("M E", [(0, 100)], "EE", "R4 -", "E"),
        ("E M", [(100, 200)], "EE", "- R4", "E"),
        ("l M E", [(100, 200)], "EEE", "R5 R4 -", "E"),
        ("E M9 l E", [(100, 1000)], "EEEE", "- R4 R5 -", "E"),
        ("Y M", [(100, 200)], "xx", "R9 R4", "x"),
        ("E d E M9", [(200, 300)], "EEMM", "- R1 R4 -", "M"),
        # in part: keeps its label, what is heard counts in R6
        ("E", [(20, 50)], "E", "-", "E"),
        ("E3 l M2", [(0, 150)], "EMM", "- R6 -", "E"),
        ("E3 l M2", [(0, 50)], "EEM", "- R6 -", "E"),
        ("E d M9", [(120, 150)], "EEM", "- R1 -", "E"),
        # across a border: the longest, then the preceding
        ("E2 M", [(150, 250)], "EM", "- -", "E"),
        ("E M2", [(50, 150)], "EM", "- -", "M"),
        ("E M", [(50, 150)], "EM", "- -", "E"),
        # several, touching, and beyond the utterance
        ("E M M M", [(100, 200), (200, 250)], "EMMM", "- R4 - -", "MM"),
        ("E M", [(0, 100), (150, 900)], "MM", "R4 -", "MM"),
        # nothing but redaction (and sounds): NON_SPEECH; with neutral words: R8
        ("E M", [(0, 200)], "--", "R4 R4", "-"),
        ("v E", [(100, 200)], "--", "R9 R4", "-"),
        ("l E", [(100, 200)], "xx", "R8 R4", "x"),
        ("E v", [(100, 200)], "E-", "- R9", "E"),
        ("E", [(100, 200)], "E", "-", ""),
    ],
)
def test_redactions(letters, masked, labels, rules, redaction_labels):
    redactions = [redaction(*span) for span in masked]
    assert essence(utterance(letters), redactions) == (labels, rules)
    recoded = recode(utterance(letters), redactions)
    assert "".join(SHORT[r.language] for r in recoded.redaction_labels) == redaction_labels


def test_a_redaction_gets_a_label_in_each_utterance_that_it_meets():
    grains = utterance("E2") + utterance("M2", 200, name="u2") + utterance("Y9", 0, "Father", "f1")
    across, elsewhere = redaction(150, 250), redaction(0, 400, recording="other")
    assert [
        (r.redaction, r.speaker, r.utterance, r.start_ms, r.end_ms, r.language)
        for r in recode(grains, [elsewhere, across]).redaction_labels
    ] == [
        (across, "Mother", "u1", 150, 200, "English"),
        (across, "Father", "f1", 150, 250, "NON_EVALUATED"),
        (across, "Mother", "u2", 200, 250, "Mandarin"),
    ]


def test_r8_weighs_what_is_heard():
    grains = utterance("l") + utterance("E3", 1000, name="u2") + utterance("M2", 2000, name="u3")
    assert essence(grains)[0] == "EEM"
    assert essence(grains, [redaction(1000, 1150)])[0] == "MEM"


def test_r10_merges_within_an_utterance_only():
    grains = [
        *utterance("E l d M"),
        *utterance("M E v n E", 400, name="u2"),
        *utterance("E", 0, "Father", "f1"),
        *utterance("M", 0, "Aunt", "f1"),
    ]
    assert segments(recode(grains)) == [
        ("a1", 0, 100, "M", True),
        ("a2", 0, 100, "E", True),
        ("a3", 0, 300, "E", True),
        ("a4", 300, 400, "M", False),
        ("a5", 400, 500, "M", False),
        ("a6", 500, 600, "E", False),
        ("a7", 600, 800, "-", False),
        ("a8", 800, 900, "E", False),
    ]


def test_speakers_may_have_utterances_of_one_name():
    grains = utterance("E") + utterance("l M", 100, "Nanny")
    assert segments(recode(grains)) == [("a1", 0, 100, "E", False), ("a2", 100, 300, "M", False)]
    assert len(recode(utterance("E") + utterance("E", 100, "Nanny")).segments) == 2


def test_segments_are_numbered_by_start_end_and_speaker():
    grains = utterance("E9", 0, "Aunt") + utterance("M", 0, "Mother") + utterance("Y", 0, "Father")
    assert [s[1:4] for s in segments(recode(grains))] == [(0, 100, "x"), (0, 100, "M"), (0, 900, "E")]


def test_r10_does_not_bridge_a_gap():
    first, second = utterance("E E")
    later = replace(second, start_ms=150)
    assert [s[1:3] for s in segments(recode([first, later]))] == [(0, 100), (150, 200)]


def test_segments_are_numbered_in_each_recording():
    grains = utterance("E M", recording="b") + utterance("E M", recording="a")
    assert [(s.recording, s.utt_id) for s in recode(grains).segments] == [(r, a) for r in "ab" for a in ("a1", "a2")]


def test_nothing_to_recode():
    recoded = recode([], [redaction(0, 10)])
    assert (recoded.grains, recoded.segments, recoded.redaction_labels) == ([], [], [])


PARTS = st.tuples(st.sampled_from("EMYHrldvi#"), st.integers(1, 9)).map(lambda part: f"{part[0]}{part[1]}")
UTTERANCES = st.lists(st.lists(PARTS, min_size=1, max_size=7).map(" ".join), min_size=1, max_size=5)
SPEAKERS = st.lists(st.sampled_from(["Mother", "Father"]), min_size=5, max_size=5)
REDACTIONS = st.lists(
    st.tuples(st.integers(0, 400), st.integers(1, 90)).map(lambda t: redaction(t[0] * 10, (t[0] + t[1]) * 10)),
    max_size=4,
)


def conversation(utterances, speakers):
    grains, start = [], 0
    for number, (letters, speaker) in enumerate(zip(utterances, speakers, strict=False)):
        grains += utterance(letters, start, speaker, f"u{number}")
        start = grains[-1].end_ms - 150 * (number % 2)
    return grains


@given(UTTERANCES, SPEAKERS, REDACTIONS)
def test_recoding_is_idempotent(utterances, speakers, redactions):
    once = recode(conversation(utterances, speakers), redactions)
    # The labels hold what the redactions decided.
    again = recode([replace(r.grain, language=r.language) for r in once.grains])
    assert again.segments == once.segments
    assert {r.rule for r in again.grains} <= {"-", "R9"}


@given(UTTERANCES, SPEAKERS, REDACTIONS)
def test_covered_time_stays(utterances, speakers, redactions):
    grains = conversation(utterances, speakers)
    recoded = recode(grains, redactions)
    assert [r.grain for r in recoded.grains] == sorted(grains, key=lambda g: (g.start_ms, g.end_ms, g.speaker, g.row))
    assert sum(s.end_ms - s.start_ms for s in recoded.segments) == sum(g.end_ms - g.start_ms for g in grains)
    for of in {g.speaker for g in grains}:
        own = [g for g in grains if g.speaker == of]
        alone = recode(own, redactions).segments
        assert covered(alone) == covered(own)


def covered(spans):
    return sorted(ms for span in spans for ms in range(span.start_ms, span.end_ms, 10))


@given(UTTERANCES, SPEAKERS, REDACTIONS, st.randoms())
def test_the_order_of_the_grains_is_nothing(utterances, speakers, redactions, random):
    grains = conversation(utterances, speakers)
    shuffled = random.sample(grains, len(grains))
    assert recode(shuffled, redactions[::-1]).grains == recode(grains, redactions).grains
    assert recode(shuffled, redactions).segments == recode(grains, redactions).segments


@given(UTTERANCES, SPEAKERS, REDACTIONS)
def test_an_utterance_depends_on_others_through_r8_only(utterances, speakers, redactions):
    grains = conversation(utterances, speakers)
    together = {r.grain: r for r in recode(grains, redactions).grains}
    for name in {g.utterance for g in grains}:
        own = recode([g for g in grains if g.utterance == name], redactions).grains
        if all(r.rule != "R8" for r in own):
            assert [together[r.grain] for r in own] == own
        assert [together[r.grain].rule for r in own] == [r.rule for r in own]
