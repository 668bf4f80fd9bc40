"""What holds of the scores of every task: counting a unit w times is scoring a corpus that holds it w times."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from sinobench.csc.breakdown import compare_outputs
from sinobench.csc.gathered import scores as scores_of_csc
from sinobench.g2p import breakdown as g2p
from sinobench.ld import breakdown as ld
from sinobench.ld.turns import turn_table
from sinobench.lid import breakdown as lid
from sinobench.score import Score, metric_rows, numbered, plain, ratio, totals, worst_decile

N_UNITS = 14
# Sums of fractions, which depend on their order.
ROUNDED = {"cllr", "balanced_accuracy_recording_mean", "floor_balanced_accuracy_recording_mean"}


def csc_scores(seed, copies):
    chance, units = np.random.default_rng(seed), []
    for i in range(N_UNITS):
        text = chr(0x4E00 + i) + "".join(chance.choice(list("的地得在再"), 5))
        gold, output = ("".join(chance.choice([c, c, "再"]) for c in text[1:]) for _ in range(2))
        units.append((text, text[0] + gold, None if chance.random() < 0.1 else text[0] + output))
    rows = [
        # Another end makes another input of the same edits.
        tuple(text and text + "好" * copy for text in units[i])
        for i, n in enumerate(copies)
        for copy in range(n)
    ]
    inputs, golds, outputs = ([row[i] for row in rows] for i in range(3))
    ids = [str(i) for i in range(len(rows))]
    return scores_of_csc(compare_outputs(ids, inputs, [[gold] for gold in golds], outputs), "的地得") if rows else []


def g2p_scores(seed, copies):
    chance = np.random.default_rng(seed)
    columns = {name: [] for name in ("labels", "position", "text", "register", "pos", "n_readings", "character")}
    columns |= {name: [] for name in ("corpus", "unit", "prediction", "output_length")}
    for i, n in enumerate(copies):
        corpus, items = ["words", "verse"][i % 2], []
        for _ in range(chance.integers(1, 4)):
            labels = list(chance.choice(["hou2", "hou3", "gwong2", "m4"], 2, replace=False))
            drawn = (chance.choice(["hou2", "gong2", "m4"]), chance.choice([3, 3, 1, 5]))
            prediction, length = drawn if chance.random() < 0.9 else (None, 3)
            pos = chance.choice(["N", "V"])
            items.append((labels, 1, "一二三", corpus, str(pos), 2, "二", corpus, prediction, int(length)))
        for copy in range(n):
            for *of_item, prediction, length in items:
                for column, value in zip(columns.values(), (*of_item, f"{i}-{copy}", prediction, length), strict=True):
                    column.append(value)
    outcomes = g2p.score_table(columns, columns)
    return [*g2p.scores(outcomes, columns), *g2p.macro_scores(outcomes, columns)]


def recordings_of(copies, per_unit):
    """Names of the recordings, a pair of parent and child or a lone recording a unit, and what they are copies of."""
    for i, n in enumerate(copies):
        for copy in range(n):
            for k in range(per_unit if i % 3 else 1):
                name = f"TTS_P{10000 + 20 * i + copy}TT_{k}" if i % 3 else f"lone{i}x{copy}"
                yield name, (i, k)


def ld_scores(seed, copies):
    names, found = [], ([], [])
    for name, of in recordings_of(copies, 2):
        chance = np.random.default_rng([seed, *of])
        names.append(name)
        for side in found:
            for start in range(0, 4000, 1000):
                if chance.random() < 0.8:
                    end = start + int(chance.integers(1, 1000))
                    side.append((name, start, end, str(chance.choice(["English", "Mandarin"]))))
    tables = (turn_table(names, *([row[i] for row in side] for i in range(4))) for side in found)
    regions = np.array([(place, 0, 4000) for place in range(len(names))], np.int64).reshape(-1, 3)
    return ld.scores(ld.compare_turns(*tables, regions, regions))


def lid_scores(seed, copies):
    columns = {name: [] for name in ("recording", "pair", "language", "start_ms", "end_ms")}
    scores = []
    for name, of in recordings_of(copies, 2):
        chance = np.random.default_rng([seed, *of])
        for _ in range(chance.integers(1, 5)):
            language = str(chance.choice(["English", "Mandarin"]))
            pair = None if name.startswith("lone") else name[4:10]
            row = (name, pair, language, 0, int(chance.integers(1, 6000)))
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
            scores.append(np.round(chance.standard_normal(2) + np.array([language == "English", 0]), 1))
    return list(lid.scores(columns, *np.array(scores).T)) if scores else []


TASKS = pytest.mark.parametrize("scores_of", [csc_scores, g2p_scores, ld_scores, lid_scores])


def by_name(scores):
    return {
        (score.protocol, score.subset, name): (score, value)
        for score in scores
        for name, value in plain(score.metrics()).items()
    }


def unit_of(name):
    """Which drawn unit a score's unit is."""
    if name.startswith("P1"):
        return (int(name[1:]) - 10000) // 20
    return int(name.removeprefix("lone").split("x")[0].split("-")[0])


@TASKS
@pytest.mark.parametrize("seed", range(6))
def test_weights_are_copies_of_units(scores_of, seed):
    copies = np.random.default_rng(seed).integers(0, 4, N_UNITS)
    once, repeated = scores_of(seed, np.ones(N_UNITS, int)), by_name(scores_of(seed, copies))
    protocols, compared = set(), set()
    for score in once:
        weights = copies[[unit_of(name) for name in score.units]]
        for name, value in plain(score.metrics(weights)).items():
            key = (score.protocol, score.subset, name)
            # A pair or a recording has another name as a copy, and a subset may have lost its only units.
            if key not in repeated or score.subset.startswith(("pair=", "recording=")):
                continue
            wanted = repeated[key][1]
            assert value == (pytest.approx(wanted, rel=1e-12) if name in ROUNDED and wanted is not None else wanted), (
                key
            )
            protocols.add(score.protocol)
            compared.add((score.subset.partition("=")[0], name))
    assert protocols == {"official", "strict"}
    assert {name for score in once if score.subset == "all" for name in score.metrics()} <= {
        name for subset, name in compared if subset == "all"
    }


@TASKS
def test_many_weights_at_once_are_those_of_each(scores_of):
    for score in scores_of(1, np.ones(N_UNITS, int)):
        weights = np.random.default_rng(2).integers(0, 3, (5, len(score.units)))
        weights[0] = 1
        together = score.metrics(weights)
        for row, each in enumerate(weights):
            for name, value in score.metrics(each).items():
                assert together[name].shape == (5,)
                assert np.array_equal(together[name][row], value, equal_nan=True), (score.subset, name)
        assert plain(score.metrics()) == plain({name: values[0] for name, values in together.items()})


@TASKS
def test_nothing_counted_is_undefined_and_no_error(scores_of):
    for score in scores_of(3, np.ones(N_UNITS, int)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = plain(score.metrics(np.zeros(len(score.units), int)))
        found.pop("recordings_with_one_class", None)  # a number of recordings
        assert set(found.values()) <= {None}, (score.protocol, score.subset)


@TASKS
def test_two_models_side_by_side_can_exchange_units(scores_of):
    """What a randomization test needs: the units of one model for some, those of the other for the rest."""
    some, others = (
        [score for score in scores_of(seed, np.ones(N_UNITS, int)) if score.subset == "all"] for seed in (4, 5)
    )
    for a, b in zip(some, others, strict=True):
        both = replace(
            a,
            units=[*a.units, *b.units],
            unit=np.concatenate([a.unit, np.add(b.unit, len(a.units))]),
            statistics=np.concatenate([a.statistics, b.statistics]),
        )
        for score, weights in (
            (a, [1] * len(a.units) + [0] * len(b.units)),
            (b, [0] * len(a.units) + [1] * len(b.units)),
        ):
            assert plain(both.metrics(np.array(weights))) == pytest.approx(plain(score.metrics()), nan_ok=True)


@TASKS
def test_units_and_strata_have_names(scores_of):
    for score in scores_of(6, np.ones(N_UNITS, int)):
        assert len(set(score.units)) == len(score.units)
        assert sorted(set(score.unit)) == list(range(len(score.units)))
        assert score.strata is None or len(score.strata) == len(score.units)
        assert score.subset == "all" or "=" in score.subset


def test_units_of_a_pool_are_those_of_its_corpora():
    score, *_ = g2p_scores(7, np.ones(N_UNITS, int))
    assert dict(zip(score.units, score.strata, strict=True)) == {
        f"{i}-0": ["words", "verse"][i % 2] for i in range(N_UNITS)
    }


def test_pairs_are_units_and_recordings_without_a_pair():
    for score, *_ in (ld_scores(8, np.ones(N_UNITS, int)), lid_scores(8, np.ones(N_UNITS, int))):
        assert len(score.units) == N_UNITS and {name[:4] for name in score.units} == {
            "P100",
            "lone",
            "P101",
            "P102",
        }


def mean_score(statistics, unit, n_units):
    def formula(score, weights):
        return {"mean": ratio(*totals(score, weights))}

    return Score("strict", "all", list(range(n_units)), np.array(unit), np.array(statistics), formula, len(unit), 1.0)


def test_rows_of_one_unit_are_counted_together():
    score = mean_score([[1, 1], [2, 1], [6, 1]], [0, 0, 1], 2)
    assert plain(score.metrics(np.array([2, 1]))) == {"mean": (2 + 4 + 6) / 5}
    assert score.metrics(np.array([[0, 1], [1, 0], [0, 0]]))["mean"].tolist()[:2] == [6, 1.5]


@pytest.mark.parametrize("weights", [[1], [1, 1, 1], [[[1, 1]]], [0.5, 1]])
def test_weights_that_are_none_are_refused(weights):
    with pytest.raises(ValueError, match="expected whole weights of 2 units, found"):
        mean_score([[1, 1], [2, 1]], [0, 1], 2).metrics(np.array(weights))


def test_rows_of_the_table_carry_the_key_and_null_for_undefined():
    score = replace(mean_score([[1, 0]], [0], 1), n_items=0, coverage=None, warning="odd")
    [row] = metric_rows([score], task="ld", corpus="dev", model="m")
    assert row == {
        **{"task": "ld", "corpus": "dev", "model": "m", "protocol": "strict", "subset": "all", "metric": "mean"},
        **{"value": None, "n_items": 0, "coverage": None, "warning": "odd"},
    }


def test_worst_decile_takes_a_share_of_the_weight():
    weights = np.array([[1] * 11, [5] + [1] * 10, [0] * 11, [0, 21] + [0] * 9])
    taken = worst_decile(np.array([3, 0, 1, 2, *range(4, 11)]), weights)
    assert taken.sum(axis=1).tolist() == [2, 2, 0, 3]
    assert taken[0, [3, 0]].tolist() == [1, 1] and taken[1, [3, 0]].tolist() == [1, 1] and taken[3, 1] == 3


def test_numbered_names_stand_in_order_of_first_appearance():
    names, place = numbered("cabac")
    assert names == ["c", "a", "b"] and place.tolist() == [0, 1, 2, 1, 0]
    assert numbered([])[1].dtype == np.int64
