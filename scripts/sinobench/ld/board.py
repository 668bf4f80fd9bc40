"""The board of language diarization."""

from pathlib import Path

from sinobench.ld.tables import PREDICTIONS, TURNS
from sinobench.merlion.audio.tables import MASKED
from sinobench.merlion.tables import RECORDINGS, REGIONS
from sinobench.results.boards import BOTH, Board, Measure

BOARD = Board(
    task="ld",
    title="MERLIon CCS, Task 2: language diarization",
    headline="lder",
    counted="recordings",
    panel_px=170,
    reference=(RECORDINGS, MASKED, TURNS, REGIONS),
    predictions=PREDICTIONS,
    measures=(
        Measure("lder", BOTH, "Diarization error rate (LDER), %", "lower", label="LDER"),
        Measure("miss_rate", better="lower"),
        Measure("false_alarm_rate", better="lower"),
        Measure("confusion_rate", better="lower"),
        Measure("english_error_rate", BOTH, "English error rate, %", "lower", label="English"),
        Measure("mandarin_error_rate", BOTH, "Mandarin error rate, %", "lower", label="Mandarin"),
    ),
    views=Path(__file__).with_name("views.sql"),
)
