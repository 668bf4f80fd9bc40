"""Why a recording is set aside; ``results/reasons.py`` says what each means."""

from enum import StrEnum


class Reason(StrEnum):
    """As it stands in the table ``set_aside``."""

    BAD_RECORDING = "bad_recording"
