"""The result files of a submission: ``prediction.txt`` for Task 1, a text a recording for Task 2.

Source: plan, "Scoring tool and format of result files" and Appendix C.
"""

import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from sinobench.errors import InputError, private
from sinobench.merlion.languages import TARGETS

LID_MEMBER = "prediction.txt"

log = logging.getLogger(__name__)


def refuse_several_corpora(rows: Iterable[Mapping]) -> None:
    """InputError unless the rows are of one evaluation corpus: a submission is for one."""
    corpora = sorted({row["corpus"] for row in rows})
    if len(corpora) > 1:
        raise InputError(f"a submission of evaluation sets {', '.join(corpora)}; name one of them in merlion.corpora")


def lid_prediction(segments: Iterable[Mapping], scores: Iterable[Mapping]) -> str:
    """The text of ``prediction.txt`` with two lines a segment, English (0) before Mandarin (1).

    segments: rows of ``lid_segments`` in the order of the timestamps file. scores: rows of ``lid_scores`` in any order,
    printed so that they read back as the same float. Of the two formats that the plan allows this one can't be mistaken
    for the other, whatever the first score is. Raises InputError for a segment without or with two scores, a score of
    no segment, and one that is not finite.
    """
    by_id: dict[str, tuple[float, float]] = {}
    for row in scores:
        name = row["segment_id"]
        if name in by_id:
            raise InputError(f"segment '{private(name)}' has two predictions; expected one")
        by_id[name] = (row["english_score"], row["mandarin_score"])
    lines = []
    for segment in segments:
        name = segment["segment_id"]
        if name not in by_id:
            raise InputError(f"segment '{private(name)}' has no prediction; the submission needs every segment")
        for code, score in enumerate(by_id.pop(name)):
            if score is None or not math.isfinite(score):
                raise InputError(f"segment '{private(name)}': {TARGETS[code]} score {score} is not finite")
            lines.append(f"{name} {code} {float(score)!r}\n")
    if by_id:
        raise InputError(f"prediction for '{private(min(by_id))}', which is no segment of the corpus")
    return "".join(lines)


def ld_predictions(recordings: Sequence[str], turns: Iterable[Mapping]) -> dict[str, str]:
    """The texts by their name, ``<recording>.txt``: a turn a line as ``start end language``, in whole ms, by start.

    recordings: every one has a text, in this order, an empty one where no turn was found, with a warning. turns: rows
    of ``ld_predictions`` in any order. Warns of turns that overlap. Raises InputError for a turn of another recording,
    and one without length or with another language.
    """
    found: dict[str, list[tuple[int, int, str]]] = {recording: [] for recording in recordings}
    for row in turns:
        start_ms, end_ms, language = turn = (row["start_ms"], row["end_ms"], row["language"])
        if row["recording"] not in found:
            raise InputError(
                f"turn {start_ms}-{end_ms} of '{private(row['recording'])}', which is no recording of the corpus"
            )
        where = f"'{row['recording']}', turn {start_ms}-{end_ms}"
        if not 0 <= start_ms < end_ms:
            raise InputError(f"{where}: expected a start from 0 and an end after it")
        if language not in TARGETS:
            raise InputError(f"{where}: language '{private(str(language))}', expected {' or '.join(TARGETS)}")
        found[row["recording"]].append(turn)
    texts = {}
    # Whom a warning is about is told by places in the zip: logs say neither names nor times.
    for place, (recording, of_recording) in enumerate(found.items(), start=1):
        of_recording.sort()
        for line, (before, turn) in enumerate(pairwise(of_recording), start=2):
            if turn[0] < before[1]:
                log.warning("text %d of %d, line %d: overlaps the line before", place, len(found), line)
        if not of_recording:
            log.warning("text %d of %d is empty, which the challenge's script may not read", place, len(found))
        texts[f"{recording}.txt"] = "".join(f"{start} {end} {language}\n" for start, end, language in of_recording)
    return texts
