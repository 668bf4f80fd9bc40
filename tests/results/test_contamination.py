"""Who learnt of what: rows of ``contamination``, and the marks in the leaderboards."""

import pytest

from sinobench.results import database

CORPORA = [
    {"task": "g2p", "corpus": "words", "role": "scored", "sources": ["words.hk"], "n_items": 30},
    {"task": "g2p", "corpus": "verse", "role": "scored", "sources": None, "n_items": 10},
    {"task": "csc", "corpus": "test", "role": "scored", "sources": [], "n_items": 4},
    {"task": "csc", "corpus": "train", "role": "training", "sources": [], "n_items": 9},
    {"task": "merlion", "corpus": "talks", "role": "scored", "sources": ["Common Voice"], "n_items": 2},
    {"task": "merlion", "corpus": "speech", "role": "training", "sources": [], "n_items": 3},
]
LEARNT = {
    "g2p": {"declared": ["words.hk", "some book"], "by-id": ["verse"], "silent": []},
    "csc": {"fitted": ["train"], "tuned": ["train"], "clean": ["none"]},
    "lid": {"listener": ["Common Voice", "speech"]},
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """ask(query): rows of a small database."""
    evaluated = {"g2p": ["words", "verse"], "csc": ["test"], "lid": ["talks"]}
    keys = [
        {"task": task, "corpus": corpus, "model": model, "protocol": "strict", "subset": "all"}
        for task, models in LEARNT.items()
        for model in models
        for corpus in evaluated[task]
    ]
    pooled = [key | {"corpus": "pooled-all"} for key in keys if key["corpus"] == "words"]
    headline = {"g2p": "per", "csc": "correction_f1", "lid": "eer"}
    overlap = {"corpus": "test", "training_corpus": "train"}
    rows = {
        "corpora": CORPORA,
        "models": [
            {"task": task, "model": model, "training_data": learnt}
            for task, models in LEARNT.items()
            for model, learnt in models.items()
        ],
        "metrics": [key | {"metric": headline[key["task"]], "value": 0.5} for key in [*keys, *pooled]],
        "pools": [{"corpus": "pooled-all", "part": part} for part in ("words", "verse")],
        "published": [
            {"task": "g2p", "corpus": "words", "model": "theirs", "metric": "per", "training_data": "a; words.hk"},
            {"task": "g2p", "corpus": "words", "model": "others", "metric": "per"},
        ],
        "training_sets": [{"task": "csc", "model": "fitted", "corpus": "train"}],
        "csc_overlaps": [
            overlap | {"item_id": "1", "in_file": "same item", "in_fit": None},
            overlap | {"item_id": "2", "in_file": "same item", "in_fit": "n-gram"},
            overlap | {"item_id": "3", "in_file": "n-gram", "in_fit": "n-gram"},
        ],
        "merlion_recordings": [
            {"corpus": "talks", "recording": name, "pair": pair} for name, pair in (("r1", "p1"), ("r2", "p2"))
        ],
        "merlion_training": [
            {"corpus": "speech", "recording": name, "speaker": speaker}
            for name, speaker in (("r1", "p2"), ("r1", "p1"), ("x", "p2"))
        ],
    }
    path = tmp_path_factory.mktemp("run") / "sinobench.duckdb"
    database.build({}, rows, path)
    with database.reading(path) as connection:
        yield lambda query: connection.execute(query).fetchall()


def test_a_declaration_overlaps_with_a_corpus_and_with_its_sources(found):
    query = "SELECT corpus, model, source, n_items, share FROM contamination WHERE kind = 'declared' AND task = 'g2p'"
    assert found(f"{query} ORDER BY ALL") == [
        ("pooled-all", "by-id", "verse", 10, 0.25),
        ("pooled-all", "declared", "words.hk", 30, 0.75),
        ("verse", "by-id", "verse", 10, 1.0),
        ("words", "declared", "words.hk", 30, 1.0),
        ("words", "theirs", "words.hk", 30, 1.0),
    ]


def test_what_is_fitted_here_is_told_from_what_is_left_out(found):
    query = "SELECT model, kind, n_items, n_left_out, share FROM contamination WHERE corpus = 'test' ORDER BY ALL"
    assert found(query) == [
        ("fitted", "n-gram", 2, 0, 0.5),
        ("fitted", "same items", 0, 2, 0.0),
        ("tuned", "n-gram", 1, None, 0.25),
        ("tuned", "same items", 2, None, 0.5),
    ]


def test_recordings_and_speakers_of_the_training_speech_are_found(found):
    assert found("SELECT kind, source, n_items FROM contamination WHERE task = 'lid' ORDER BY ALL") == [
        ("declared", "Common Voice", 2),
        ("same recordings", "speech", 1),
        ("same speakers", "speech", 2),
    ]


def test_the_leaderboards_mark_who_learnt_of_the_corpus(found):
    marked = "SELECT corpus, model FROM leaderboard WHERE contaminated ORDER BY ALL"
    assert found(marked) == found("SELECT corpus, model FROM contaminated ORDER BY ALL")
    assert {model for _, model in found(marked)} == {"by-id", "declared", "fitted", "listener", "theirs", "tuned"}
    learnt = "SELECT learnt FROM contaminated WHERE model = 'fitted'"
    assert found(learnt) == [("n-gram: 2 of 4 items in train",)]
    assert found("SELECT DISTINCT contaminated FROM leaderboard WHERE model IN ('silent', 'clean', 'others')") == [
        (False,)
    ]
