"""The board of Cantonese G2P."""

from pathlib import Path

from sinobench.g2p.tables import ITEMS, PREDICTIONS
from sinobench.results.boards import BOTH, Board, Measure

BOARD = Board(
    task="g2p",
    title="Cantonese G2P: accuracy and phoneme error rate",
    headline="per",
    counted="labelled characters",
    panel_px=240,
    reference=(ITEMS,),
    predictions=PREDICTIONS,
    measures=(
        Measure("accuracy", BOTH, "Accuracy, %", "higher", label="acc."),
        Measure("per", BOTH, "Phoneme error rate (PER), %", "lower", decimals=2, label="PER"),
        Measure("onset_error_rate", better="lower"),
        Measure("nucleus_error_rate", better="lower"),
        Measure("coda_error_rate", better="lower"),
        Measure("tone_error_rate", better="lower", label="tone"),
        Measure("accuracy_macro"),
        Measure("per_macro", better="lower"),
    ),
    counts={"official_dropped": "strict.n_items - official.n_items"},
    views=Path(__file__).with_name("views.sql"),
)
