"""The board of language identification."""

from pathlib import Path

from sinobench.lid.tables import SCORES, SEGMENTS
from sinobench.merlion.audio.tables import MASKED
from sinobench.results.boards import BOTH, OFFICIAL, Board, Measure

BOARD = Board(
    task="lid",
    title="MERLIon CCS, Task 1: language identification",
    headline="eer",
    counted="segments",
    panel_px=240,
    reference=(SEGMENTS, MASKED),
    predictions=SCORES,
    measures=(
        Measure("eer", BOTH, "Equal error rate (EER), %", "lower", label="EER"),
        Measure("balanced_accuracy", BOTH, "Balanced accuracy, %", "higher", label="BAC"),
        Measure("balanced_accuracy_recording_mean"),
        Measure("accuracy"),
        Measure("english_recall", label="English"),
        Measure("mandarin_recall", label="Mandarin"),
        Measure("cllr", better="lower"),
        Measure("min_cllr", better="lower"),
        Measure("floor_eer", (OFFICIAL,), better=None),
    ),
    remarks=("warning",),
    views=Path(__file__).with_name("views.sql"),
)
