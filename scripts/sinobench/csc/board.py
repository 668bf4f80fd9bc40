"""The board of Chinese spelling check."""

from pathlib import Path

from sinobench.csc.tables import ITEMS, PREDICTIONS
from sinobench.results.boards import BOTH, Board, Measure

BOARD = Board(
    task="csc",
    title="Chinese spelling check: corrections and false alarms",
    headline="correction_f1",
    counted="texts",
    panel_px=120,
    reference=(ITEMS,),
    predictions=PREDICTIONS,
    measures=(
        Measure("correction_precision", BOTH, "Correction precision, %", "higher", label="prec."),
        Measure("correction_recall", BOTH, "Correction recall, %", "higher", label="recall"),
        Measure("correction_f1", BOTH, "Correction F1, %", "higher", label="F1"),
        Measure("detection_precision"),
        Measure("detection_recall"),
        Measure("detection_f1", BOTH),
        Measure("sentence_fpr", BOTH, "Sentence FPR, %", "lower", label="FPR"),
        Measure("sighan_detection_f1"),
        Measure("sighan_correction_f1"),
        Measure("pycorrector_correction_f1"),
        Measure("conditional_correction_accuracy"),
        Measure("misaligned", (), better=None),
    ),
    subsets="ignoring=%",
    counts={"official_n_items": "official.n_items"},
    remarks=("misaligned",),
    views=Path(__file__).with_name("views.sql"),
)
