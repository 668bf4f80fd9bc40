"""Every reason for setting something aside, with a sentence: the enumeration of what collects.

Readers import their own reasons only, so that an edit here runs none of them again.
"""

from enum import StrEnum

from sinobench.csc.reasons import Reason as Csc
from sinobench.g2p.reasons import Reason as G2p
from sinobench.merlion.annotation.reasons import Reason as Recording
from sinobench.merlion.training.reasons import Reason as Training

MEANINGS: dict[StrEnum, str] = {
    G2p.NOT_TEXT: "A line that is no verse and no title with syllables: notes, separators, remarks.",
    G2p.LENGTH_MISMATCH: "A verse with more or fewer syllables than characters.",
    G2p.NO_READING: "A character whose reading the editor left unknown.",
    G2p.INVALID_SYLLABLE: "A character whose reading is no Jyutping syllable.",
    Csc.HEADER: "A first line that names the columns.",
    Csc.EMPTY_INPUT: "A row without a text to correct.",
    Csc.TAB_OR_LINE_END: "A text with a tab or a line end in it, which a file of pairs can't hold.",
    Csc.LENGTH_CHANGE: "A correction that is not as long as its text.",
    Csc.LOCATION_MISMATCH: "A mistake that is not what stands at the place it names.",
    Csc.NOT_ANNOTATED: "A sentence that its annotators left without a correction.",
    Recording.BAD_RECORDING: "A recording that can't be used; the detail says why.",
    Training.NO_ANNOTATION: "Audio without its annotation.",
    Training.NO_AUDIO: "Annotation without its audio.",
    Training.UNEXPECTED_PLACE: "Audio that does not lie where its corpus keeps a speaker's files.",
    Training.NOT_LISTED: "Audio that the list of the files to use does not name.",
    Training.OTHER_RECORDING: "A line of a transcript that names another recording.",
    Training.CODE_SWITCHED: "The lines of a transcript that are in both languages.",
    Training.SILENCE: "The intervals of a transcript without speech.",
    Training.BEYOND_AUDIO: "The end of an interval that goes beyond its audio; what lies before it is used.",
    Training.INVALID: "A file or line that is wrong; the detail says how.",
}


def rows() -> list[dict[str, str]]:
    """Rows of the table ``reasons``."""
    return [{"reason": reason.value, "meaning": meaning} for reason, meaning in MEANINGS.items()]
