"""How the speed of a model is measured."""

import itertools

from sinobench.speed import REPEATS, evenly_spaced, repeated


def test_a_sample_is_evenly_spaced_and_bounded():
    assert evenly_spaced(range(10), 4) == [0, 2, 5, 7]
    assert evenly_spaced("abc", 500) == ["a", "b", "c"]
    assert evenly_spaced([], 4) == []
    assert len(set(evenly_spaced(range(100_000), 500))) == 500


def test_the_first_prediction_only_warms_up():
    times = itertools.count(100.0, -1.0)

    def predict():
        row = {"task": "g2p", "corpus": "words", "model": "one", "n_texts": 7, "audio_s": None, "load_s": 1.0}
        return [row | {"predict_s": next(times), "threads": 1, "host": "here", "versions": "python"}]

    rows = repeated(predict)
    assert [(row["repeat"], row["predict_s"]) for row in rows] == [(i, 100.0 - i) for i in range(1, REPEATS + 1)]
    assert rows[0].keys() == {"task", "corpus", "model", "audio_s", "predict_s", "threads", "host", "repeat", "n_items"}
    assert repeated(lambda: []) == []
