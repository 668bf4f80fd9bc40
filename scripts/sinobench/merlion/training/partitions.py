"""Parts of training corpora: speakers up to a number of hours, or those of a list.

Source: evaluation plan, Appendix A (whole speakers, one by one, until the hours are reached).
"""

import json
import logging
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

from sinobench.errors import InputError, nearest, private
from sinobench.merlion.training.tables import Utterance
from sinobench.merlion.training.tracks import check_track
from sinobench.shuffling import sort_key
from sinobench.text import read_lines

ORDERS = ("shuffled", "listed")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Partition:
    """The chosen part of a corpus: ``ids`` are speakers, or the official list's names, in the order of choice.

    ``order`` is ``shuffled``, ``listed`` or ``official``; ``target_hours`` and ``seed`` are None where unused.
    """

    utterances: list[Utterance]
    ids: list[str]
    order: str
    target_hours: float | None = None
    seed: int | None = None

    @property
    def hours(self) -> float:
        return hours_of(self.utterances)


def hours_of(utterances: Iterable[Utterance]) -> float:
    """Hours of speech."""
    return sum(u.end_ms - u.start_ms for u in utterances) / 3_600_000


def choose_speakers(utterances: Sequence[Utterance], hours: float, order: str = "shuffled", seed: int = 0) -> Partition:
    """Whole speakers of one corpus, one by one until ``hours`` are reached; all, with a warning, if they aren't.

    order: ``shuffled`` by the seed, whatever the order of the utterances, or ``listed``, as speakers first stand in
    them. The utterances of ``shuffled`` stand by speaker, path and time. Raises InputError for hours that are not above
    0, an unknown order, no utterance, and several corpora at once.
    """
    if not 0 < hours < math.inf:
        raise InputError(f"a partition of {hours} hours; expected a number above 0")
    if order not in ORDERS:
        raise InputError(f"order '{order}' of a partition is not known; {nearest(order, ORDERS)}")
    by_speaker = _by_speaker(utterances)
    speakers = list(by_speaker)
    if order == "shuffled":
        speakers.sort(key=lambda speaker: sort_key(seed, speaker))
    chosen: list[Utterance] = []
    ids: list[str] = []
    length_ms = 0
    for speaker in speakers:
        if length_ms >= hours * 3_600_000:
            break
        added = by_speaker[speaker]
        if order == "shuffled":
            added = sorted(added, key=lambda u: (u.path, u.start_ms, u.end_ms, u.recording, u.language))
        ids.append(speaker)
        chosen += added
        length_ms += sum(u.end_ms - u.start_ms for u in added)
    partition = Partition(chosen, ids, order, hours, seed if order == "shuffled" else None)
    if length_ms < hours * 3_600_000:
        _log.warning(
            "%s: all %d speakers have %.2f h together, less than the %g h asked for",
            *(chosen[0].corpus, len(ids), partition.hours, hours),
        )
    return partition


def choose_listed(utterances: Sequence[Utterance], id_list: str | Path) -> Partition:
    """The utterances whose recording or speaker an official list names, in the list's order.

    Raises InputError for a name of the list that is neither, and for several corpora at once.
    """
    _by_speaker(utterances)
    named: dict[str, list[Utterance]] = {}
    for utterance in utterances:
        for name in {utterance.recording, utterance.speaker}:
            named.setdefault(name, []).append(utterance)
    ids = read_id_list(id_list)
    chosen: dict[Utterance, None] = {}  # a list may name a speaker and one of the recordings
    for name, line in ids.items():
        if name not in named:
            raise InputError(f"'{private(name)}' is neither a recording nor a speaker of the corpus", id_list, line)
        chosen |= dict.fromkeys(named[name])
    return Partition(list(chosen), list(ids), "official")


def choose(
    entry: Mapping, utterances: Sequence[Sequence[Utterance]], origins: Mapping[str, str], seed: int
) -> list[Partition]:
    """The parts of a partition as the config's entry names them, each from the utterances of its corpus.

    origins: what each corpus counts as. Raises InputError, with the sum in hours, for data or pretrained models that
    the track does not allow.
    """
    parts: list[Partition] = []
    for part, of_corpus in zip(entry["parts"], utterances, strict=True):
        if part["ids"]:
            parts.append(choose_listed(of_corpus, part["ids"]))
        elif part["hours"]:
            parts.append(choose_speakers(of_corpus, part["hours"], part["order"], seed))
        else:
            speakers = list(dict.fromkeys(utterance.speaker for utterance in of_corpus))
            parts.append(Partition(list(of_corpus), speakers, "whole"))
    hours = [(origins[part["corpus"]], chosen.hours) for part, chosen in zip(entry["parts"], parts, strict=True)]
    check_track(entry["track"], hours, entry["pretrained"])
    return parts


def read_id_list(path: str | Path) -> dict[str, int]:
    """The names of a list, one a line, each with its line: without folders and audio suffixes; blank lines are skipped.

    Raises InputError for a name that stands twice and for a list without names.
    """
    names: dict[str, int] = {}
    for line, content in enumerate(read_lines(path), start=1):
        name = PureWindowsPath(content.strip()).name  # takes both slashes
        name = re.sub(r"\.(wav|flac)$", "", name, flags=re.IGNORECASE)
        if name in names:
            raise InputError(f"'{private(name)}' stands in line {names[name]} already; remove one", path, line)
        if name:
            names[name] = line
    if not names:
        raise InputError("holds no name; expected one a line", path)
    return names


def write_partition(partition: Partition, ids: str | Path, summary: str | Path) -> None:
    """Write the chosen names, one a line (a list that `choose_listed` reads), and the hours of each speaker as JSON."""
    Path(ids).write_text("".join(f"{name}\n" for name in partition.ids), encoding="utf-8", newline="\n")
    speakers = [
        {"speaker": speaker, "hours": round(hours_of(own), 6), "n_utterances": len(own)}
        for speaker, own in _by_speaker(partition.utterances).items()
    ]
    content = {
        "corpus": partition.utterances[0].corpus,
        "order": partition.order,
        "seed": partition.seed,
        "target_hours": partition.target_hours,
        "hours": round(partition.hours, 6),
        "n_speakers": len(speakers),
        "n_utterances": len(partition.utterances),
        "speakers": speakers,
    }
    text = json.dumps(content, ensure_ascii=False, indent=1)
    Path(summary).write_text(text + "\n", encoding="utf-8", newline="\n")


def _by_speaker(utterances: Sequence[Utterance]) -> dict[str, list[Utterance]]:
    corpora = sorted({utterance.corpus for utterance in utterances})
    if len(corpora) != 1:
        found = f"of {', '.join(corpora)}" if corpora else "without an utterance"
        raise InputError(f"a partition {found}; expected utterances of one corpus")
    by_speaker: dict[str, list[Utterance]] = {}
    for utterance in utterances:
        by_speaker.setdefault(utterance.speaker, []).append(utterance)
    return by_speaker
