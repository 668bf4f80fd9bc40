"""The names of the tasks and of their measures."""

from __future__ import annotations

from dataclasses import dataclass

from sinobench.results.boards import Board
from sinobench.results.registry import BOARDS


@dataclass(frozen=True)
class Task:
    """A task as people know it, and its board."""

    id: str
    title: str
    menu: str
    question: str
    board: Board

    @property
    def path(self) -> str:
        """The page of the task."""
        return f"{self.id}.html"

    @property
    def headline(self) -> str:
        """The headline's name without its unit."""
        return self.board.by.title.removesuffix(", %")


TASKS = {
    task.id: task
    for task in (
        Task(
            "g2p",
            "Cantonese G2P",
            "G2P",
            "How often does a model give a character the Jyutping syllable that it has in its sentence?",
            BOARDS["g2p"],
        ),
        Task(
            "csc",
            "Chinese spelling check",
            "Spelling check",
            "How many wrong characters does a model correct, and how many right ones does it spoil?",
            BOARDS["csc"],
        ),
        Task(
            "lid",
            "Language identification",
            "Identification",
            "Is a segment of child-directed speech English or Mandarin?",
            BOARDS["lid"],
        ),
        Task(
            "ld",
            "Language diarization",
            "Diarization",
            "Which language is spoken when in a recording of child-directed speech?",
            BOARDS["ld"],
        ),
    )
}


def measure_title(metric: str) -> str:
    """A metric for people: ``onset_error_rate`` is Onset error rate."""
    known = {"per": "PER", "eer": "EER", "lder": "LDER", "cllr": "Cllr", "f1": "F1", "fpr": "FPR", "sighan": "SIGHAN's"}
    words = [known.get(word, word) for word in metric.split("_")]
    return " ".join([words[0][0].upper() + words[0][1:], *words[1:]])
