import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.merlion.pairs import check_disjoint_pairs, pair_folds, pair_of


def name(pair, visit):
    return f"TTS_{pair}TT_VCST_ECxxx_{visit:02d}_AO_35259847_v001_R004_CRR_MERLIon-CCS"


names = st.builds(name, st.integers(10000, 10008).map("P{}".format), st.integers(1, 3)) | st.sampled_from("xyz")
sets = st.lists(names, min_size=1, max_size=25, unique=True)


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


def test_recordings_without_a_pair_are_counted(caplog):
    rows = pair_folds([name("P10040", 1), name("P10040", 2), "holiday", "garden"], 2)
    assert [row["pair"] for row in rows] == ["P10040", "P10040", None, None]
    assert "2 recordings have no parent–child pair in their name" in caplog.text and "holiday" not in caplog.text


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
