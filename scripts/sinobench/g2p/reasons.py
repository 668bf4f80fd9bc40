"""Why a line or character of a G2P corpus is set aside; ``results/reasons.py`` says what each means."""

from enum import StrEnum


class Reason(StrEnum):
    """As it stands in the table ``set_aside``."""

    NOT_TEXT = "not_text"
    LENGTH_MISMATCH = "length_mismatch"
    NO_READING = "no_reading"
    INVALID_SYLLABLE = "invalid_syllable"
