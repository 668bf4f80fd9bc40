"""What all tasks declare, and the views that are made of it."""

from pathlib import Path

from sinobench.results import boards, database, registry

GOLDEN = Path(__file__).with_name("views.golden.sql")


def test_the_views_are_those_of_the_golden_file():
    """Where they are to differ: print what ``registry.views`` gives into the file, and read the difference."""
    assert registry.views() == GOLDEN.read_text(encoding="utf-8")


def test_a_board_ranks_by_a_measure_that_both_protocols_and_the_picture_have():
    for task, board in registry.BOARDS.items():
        assert board.task == task and board.by in board.panels
        for measure in board.panels:
            assert measure.protocols == boards.BOTH and measure.better in ("higher", "lower")


def test_a_further_task_has_its_views_by_its_board_alone(monkeypatch, tmp_path):
    measures = (boards.Measure("wer", boards.BOTH, "Word error rate, %", "lower"), boards.Measure("n_words"))
    board = boards.Board("asr", "Recognition", "wer", "utterances", 240, measures)
    monkeypatch.setitem(registry.BOARDS, "asr", board)
    key = {"task": "asr", "corpus": "read", "subset": "all", "metric": "wer", "n_items": 9, "coverage": 1.0}
    values = {"good": (0.1, 0.2), "bad": (0.4, 0.3)}
    metrics = [
        key | {"model": model, "protocol": protocol, "value": value}
        for model, both in values.items()
        for protocol, value in zip(boards.BOTH, both, strict=True)
    ]
    theirs = {"task": "asr", "corpus": "read", "model": "theirs", "metric": "wer", "value": 0.05}
    failed = {"task": "asr", "corpus": "read", "model": "gone", "status": "failed", "reason": "why"}
    of_wer = {"task": "asr", "corpus": "read", "protocol": "strict", "subset": "all", "metric": "wer"}
    ranks = [of_wer | {"model": model, "rank": rank} for model, rank in (("good", 1), ("bad", 2))]
    rows = {"metrics": metrics, "ranks": ranks, "published": [theirs], "runs": [failed]}
    database.build({}, rows, tmp_path / "sinobench.duckdb")
    with database.reading(tmp_path / "sinobench.duckdb") as connection:
        own = connection.execute("SELECT rank, model, wer, official_wer, published, failure FROM leaderboard_asr")
        assert own.fetchall() == [
            (1, "good", 0.1, 0.2, False, None),
            (2, "bad", 0.4, 0.3, False, None),
            (None, "theirs", None, 0.05, True, None),
            (None, "gone", None, None, False, "why"),
        ]
        union = connection.execute("SELECT task, model, metric, value, official_value FROM leaderboard WHERE rank = 1")
        assert union.fetchall() == [("asr", "good", "wer", 0.1, 0.2)]
