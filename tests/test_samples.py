import re
from collections import Counter
from pathlib import Path
from unicodedata import is_normalized

import pytest

from sinobench.csc.characters import ERROR_TYPES, error_type

SAMPLES = Path(__file__).parents[1] / "resources" / "samples"
REGISTERS = ("words", "colloquial", "classical")


def lines(path):
    text = (SAMPLES / path).read_bytes().decode("utf-8")
    assert text.endswith("\n") and "\r" not in text and is_normalized("NFC", text)
    return text[:-1].split("\n")


def pairs(path):
    return [tuple(line.split("\t")) for line in lines(path)]


def dictionary_readings(character):
    import pycantonese
    import ToJyutping

    known = set(ToJyutping.get_jyutping_candidates(character)[0][1])
    return known | {jyutping for _, jyutping in pycantonese.characters_to_jyutping(character)}


@pytest.mark.parametrize("register", REGISTERS)
def test_every_g2p_line_has_one_anchored_character_with_known_readings(register):
    sentences, labels = lines(f"g2p/sample-{register}.sent"), lines(f"g2p/sample-{register}.lb")
    assert len(set(sentences)) == len(sentences) == len(labels)
    for sentence, label in zip(sentences, labels, strict=True):
        sentence.replace("▁", "").encode("big5hkscs")  # has no character for most simplified forms
        anchored = re.fullmatch(r"[^▁]*▁([\u3400-\u9fff\U00020000-\U0003ffff])▁[^▁]*", sentence)
        assert anchored, sentence
        for reading in label.split("/"):
            assert re.fullmatch("[a-z]+[1-6]", reading), (sentence, label)
            assert reading in dictionary_readings(anchored[1]), (sentence, label)


def test_g2p_samples_are_large_enough_to_show_three_registers():
    assert sum(len(lines(f"g2p/sample-{register}.sent")) for register in REGISTERS) >= 150


def test_only_the_colloquial_register_has_parts_of_speech():
    tags = lines("g2p/sample-colloquial.pos")
    assert len(tags) == len(lines("g2p/sample-colloquial.sent"))
    assert set(tags) <= {"N", "V", "T", "I", "D", "P", "C", "UNK"}
    assert [path.name for path in (SAMPLES / "g2p").glob("*.pos")] == ["sample-colloquial.pos"]


@pytest.mark.parametrize("path", ["csc/sample.tsv", "csc/sample-train.tsv"])
def test_every_csc_pair_is_aligned_and_simplified(path):
    for source, gold in pairs(path):
        assert len(source) == len(gold), source
        (source + gold).encode("gb2312")  # has no character for traditional forms


def test_csc_inputs_are_unique_and_no_text_is_in_two_files():
    scored, fitted = pairs("csc/sample.tsv"), pairs("csc/sample-train.tsv")
    test = lines("csc/sample-test.txt")
    assert len({source for source, _ in scored}) == len(scored) >= 200
    assert len(set(test)) == len(test) >= 30
    texts = [{text for pair in part for text in pair} for part in (scored, fitted)] + [set(test)]
    assert sum(map(len, texts)) == len(set().union(*texts))


def test_half_of_the_csc_sample_is_correct_and_each_error_type_is_common():
    scored = pairs("csc/sample.tsv")
    assert 0.45 <= sum(source == gold for source, gold in scored) / len(scored) <= 0.55
    edits = Counter(error_type(s, g) for pair in scored for s, g in zip(*pair, strict=True) if s != g)
    assert set(edits) == set(ERROR_TYPES) and min(edits.values()) >= 10
