"""Why a row of a spelling-check corpus is set aside; ``results/reasons.py`` says what each means."""

from enum import StrEnum


class Reason(StrEnum):
    """As it stands in the table ``set_aside``."""

    HEADER = "header"
    EMPTY_INPUT = "empty_input"
    TAB_OR_LINE_END = "tab_or_line_end"
    LENGTH_CHANGE = "length_change"
    LOCATION_MISMATCH = "location_mismatch"
    NOT_ANNOTATED = "not_annotated"
