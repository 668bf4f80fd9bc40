"""Why speech of a training corpus is set aside; ``results/reasons.py`` says what each means."""

from enum import StrEnum


class Reason(StrEnum):
    """As it stands in the table ``set_aside``."""

    NO_ANNOTATION = "no_annotation"
    NO_AUDIO = "no_audio"
    UNEXPECTED_PLACE = "unexpected_place"
    NOT_LISTED = "not_listed"
    OTHER_RECORDING = "other_recording"
    CODE_SWITCHED = "code_switched"
    SILENCE = "silence"
    BEYOND_AUDIO = "beyond_audio"
    INVALID = "invalid"
