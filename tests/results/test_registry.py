"""What all tasks declare, and the views that are made of it."""

from pathlib import Path

from sinobench.results import boards, registry

GOLDEN = Path(__file__).with_name("views.golden.sql")


def test_the_views_are_those_of_the_golden_file():
    """Where they are to differ: print what ``registry.views`` gives into the file, and read the difference."""
    assert registry.views() == GOLDEN.read_text(encoding="utf-8")


def test_a_board_ranks_by_a_measure_that_both_protocols_and_the_picture_have():
    for task, board in registry.BOARDS.items():
        assert board.task == task and board.by in board.panels
        for measure in board.panels:
            assert measure.protocols == boards.BOTH and measure.better in ("higher", "lower")
