import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.merlion.training.partitions import (
    choose_listed,
    choose_speakers,
    hours_of,
    write_partition,
)
from sinobench.merlion.training.tables import Utterance

HOUR = 3_600_000


def utterance(speaker, number, length_ms, corpus="nsc"):
    recording = f"{speaker}-{number}"
    return Utterance(corpus, recording, speaker, f"{recording}.wav", 0, length_ms, "English")


TEN = [utterance(f"s{i}", n, HOUR // 2) for i in range(10) for n in range(2)]  # ten speakers of one hour

corpora = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(1, HOUR)), min_size=1, max_size=30).map(
    lambda drawn: [utterance(speaker, n, length) for n, (speaker, length) in enumerate(drawn)]
)
targets = st.floats(0.001, 12)


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
