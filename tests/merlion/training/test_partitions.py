import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.merlion.training.corpora import Utterance
from sinobench.merlion.training.partitions import (
    check_disjoint_pairs,
    choose_listed,
    choose_speakers,
    hours_of,
    pair_folds,
    pair_of,
    write_partition,
)

HOUR = 3_600_000


def utterance(speaker, number, length_ms, corpus="nsc"):
    recording = f"{speaker}-{number}"
    return Utterance(corpus, recording, speaker, f"{recording}.wav", 0, length_ms, "English")


def name(pair, visit):
    return f"TTS_{pair}TT_VCST_ECxxx_{visit:02d}_AO_35259847_v001_R004_CRR_MERLIon-CCS"


TEN = [utterance(f"s{i}", n, HOUR // 2) for i in range(10) for n in range(2)]  # ten speakers of one hour

corpora = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(1, HOUR)), min_size=1, max_size=30).map(
    lambda drawn: [utterance(speaker, n, length) for n, (speaker, length) in enumerate(drawn)]
)
targets = st.floats(0.001, 12)
names = st.builds(name, st.integers(10000, 10008).map("P{}".format), st.integers(1, 3)) | st.sampled_from("xyz")
sets = st.lists(names, min_size=1, max_size=25, unique=True)


# --- speakers


def test_listed_takes_speakers_in_their_order():
    partition = choose_speakers(TEN, 2.5, "listed")
    assert partition.ids == ["s0", "s1", "s2"]
    assert (partition.hours, partition.order, partition.seed, partition.target_hours) == (3.0, "listed", None, 2.5)
    assert partition.utterances == TEN[:6]


def test_shuffled_depends_on_the_seed():
    chosen = {tuple(choose_speakers(TEN, 3, "shuffled", seed).ids) for seed in range(20)}
    assert len(chosen) > 10 and all(len(ids) == 3 for ids in chosen)


def test_shuffled_is_frozen():
    assert choose_speakers(TEN, 3, "shuffled", 1).ids == ["s6", "s0", "s7"]


@given(corpora, targets, st.sampled_from(["shuffled", "listed"]), st.integers(0, 9))
def test_whole_speakers_until_the_target(utterances, hours, order, seed):
    partition = choose_speakers(utterances, hours, order, seed)
    assert sorted(partition.utterances, key=str) == sorted(
        (u for u in utterances if u.speaker in partition.ids), key=str
    )
    assert {u.speaker for u in partition.utterances} == set(partition.ids)
    last = [u for u in partition.utterances if u.speaker == partition.ids[-1]]
    assert partition.hours - hours_of(last) < hours
    if len(partition.ids) < len({u.speaker for u in utterances}):
        assert partition.hours >= hours


@given(corpora, targets, st.randoms(use_true_random=False))
def test_shuffled_ignores_the_order_of_the_input(utterances, hours, shuffle):
    other = list(utterances)
    shuffle.shuffle(other)
    assert choose_speakers(utterances, hours, seed=3) == choose_speakers(other, hours, seed=3)


def test_too_few_hours_take_all_and_warn(caplog):
    assert choose_speakers(TEN, 11).hours == 10
    assert "nsc: all 10 speakers have 10.00 h together, less than the 11 h asked for" in caplog.text


@pytest.mark.parametrize("hours", [0, -1, float("nan"), float("inf")])
def test_wrong_hours(hours):
    with pytest.raises(InputError, match="expected a number above 0"):
        choose_speakers(TEN, hours)


@pytest.mark.parametrize(
    ("utterances", "order", "message"),
    [
        (TEN, "shuffle", "did you mean 'shuffled'"),
        ([], "listed", "without an utterance"),
        ([*TEN, utterance("s0", 0, 9, "seame")], "listed", "of nsc, seame; expected utterances of one corpus"),
    ],
)
def test_wrong_partitions(utterances, order, message):
    with pytest.raises(InputError, match=message):
        choose_speakers(utterances, 1, order)


def test_official_list_as_given(write):
    partition = choose_listed(TEN, write("s9-1.wav\ns2\ns2-1\n"))
    assert [u.recording for u in partition.utterances] == ["s9-1", "s2-0", "s2-1"]
    assert (partition.ids, partition.order, partition.hours) == (["s9-1", "s2", "s2-1"], "official", 1.5)
    with pytest.raises(InputError, match="line 2: 's99' is neither a recording nor a speaker"):
        choose_listed(TEN, write("s2\ns99\n"))


def test_written_list_is_read_again(tmp_path):
    partition = choose_speakers(TEN, 3, "shuffled", 5)
    write_partition(partition, tmp_path / "ids.txt", tmp_path / "partition.json")
    assert choose_listed(TEN, tmp_path / "ids.txt").utterances == partition.utterances
    written = json.loads((tmp_path / "partition.json").read_text())
    assert (written["corpus"], written["seed"], written["target_hours"], written["hours"]) == ("nsc", 5, 3, 3.0)
    assert written["speakers"] == [{"speaker": s, "hours": 1.0, "n_utterances": 2} for s in partition.ids]
    before = (tmp_path / "partition.json").read_bytes()
    shuffled = random.Random(0).sample(TEN, len(TEN))
    write_partition(choose_speakers(shuffled, 3, "shuffled", 5), tmp_path / "ids.txt", tmp_path / "partition.json")
    assert (tmp_path / "partition.json").read_bytes() == before


# --- pairs and folds


@pytest.mark.parametrize(
    ("recording", "pair"),
    [
        (name("P10040", 1), "P10040"),
        ("P91182TT_x", "P91182"),
        ("TTS_P1004TT_VCST", None),
        ("TTS_P100401TT_VCST", None),
        ("MP10040", None),
        ("holiday", None),
    ],
)
def test_pair_of(recording, pair):
    assert pair_of(recording) == pair


@given(sets, st.integers(2, 6), st.integers(0, 5))
def test_no_pair_on_both_sides_and_every_recording_once(recordings, n_folds, seed):
    groups = {pair_of(r) or r for r in recordings}
    if n_folds > len(groups):
        with pytest.raises(InputError, match=f"{n_folds} folds of {len(groups)} parent–child pairs"):
            pair_folds(recordings, n_folds, seed)
        return
    rows = pair_folds(recordings, n_folds, seed)
    assert [row["recording"] for row in rows] == sorted(recordings)
    folds = {}
    for row in rows:
        folds.setdefault(row["pair"] or row["recording"], set()).add(row["fold"])
    assert all(len(own) == 1 for own in folds.values())
    sizes = [sum(row["fold"] == fold for row in rows) for fold in range(n_folds)]
    largest = max(sum((pair_of(r) or r) == group for r in recordings) for group in groups)
    assert min(sizes) > 0 and max(sizes) - min(sizes) <= largest
    assert pair_folds(recordings[::-1], n_folds, seed) == rows


def test_recordings_without_a_pair_are_named(caplog):
    rows = pair_folds([name("P10040", 1), name("P10040", 2), "holiday", "garden"], 2)
    assert [row["pair"] for row in rows] == ["P10040", "P10040", None, None]
    assert "each its own group: holiday, garden" in caplog.text


@pytest.mark.parametrize("n_folds", [1, 0, -2])
def test_fewer_than_two_folds(n_folds):
    with pytest.raises(InputError, match="expected from 2"):
        pair_folds(["x", "y"], n_folds)


def test_recording_that_stands_twice():
    with pytest.raises(InputError, match="stand twice: x"):
        pair_folds(["x", "y", "x"], 2)


def test_sets_with_disjoint_pairs():
    check_disjoint_pairs([name("P10040", 1), "holiday"], [name("P10041", 1), "garden"])


def test_sets_that_share_pairs_or_recordings():
    dev = [name("P10040", 1), name("P10050", 1), "holiday"]
    with pytest.raises(InputError, match="share 2 parent–child pairs or recordings: P10040, holiday"):
        check_disjoint_pairs(dev, [name("P10040", 2), "holiday"])
