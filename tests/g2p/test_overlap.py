"""Figures of a pool without the corpora that a model learnt from."""

import numpy as np

from sinobench.g2p import stored
from sinobench.g2p.scored import WITHOUT_OVERLAP
from sinobench.g2p.tables import ITEMS, PREDICTIONS
from sinobench.results.stored import Stored
from sinobench.results.tables import CONTAMINATION, METRICS

ITEM = {"text": "神", "position": 0, "labels": ["san4"], "register": "words", "pos": None, "n_readings": 1}


def held(metrics, contamination):
    """A pool of two corpora with two items each, of which the second has one right."""
    rows = [
        ITEM | {"corpus": corpus, "item_id": item, "unit": item, "character": "神", "output_length": 1, "prediction": p}
        for corpus, predictions in (("a", ["san4", "san4"]), ("b", ["san4", "faa1"]))
        for item, p in zip("12", predictions, strict=True)
    ]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    tables = {ITEMS: columns, PREDICTIONS: columns, METRICS: {"subset": metrics}, CONTAMINATION: contamination}
    return Stored("pooled-both", "m", tables.__getitem__)


def test_a_pool_is_scored_without_what_the_model_declares():
    declared = {"corpus": ["a", "b"], "kind": ["declared", "n-gram"]}
    found = stored.scores(held(["all", WITHOUT_OVERLAP], declared))
    rest = {score.protocol: score for score in found if score.subset == WITHOUT_OVERLAP}
    assert {protocol: (score.n_items, float(score.metrics()["accuracy"])) for protocol, score in rest.items()} == {
        "strict": (2, 0.5),
        "official": (2, 0.5),
    }
    assert np.unique(rest["strict"].strata).tolist() == ["b"]


def test_there_is_no_such_subset_of_a_pool_of_none_or_all():
    for named in ([], ["a", "b"]):
        declared = {"corpus": named, "kind": ["declared"] * len(named)}
        found = stored.scores(held(["all", WITHOUT_OVERLAP], declared))
        assert all(score.subset != WITHOUT_OVERLAP for score in found)
