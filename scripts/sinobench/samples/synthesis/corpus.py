"""A corpus of synthesized recordings at any size: planned, spoken, annotated and written.

The same arguments give the same bytes: a recording depends on the seed and on its own number, never on the processes.
"""

import wave
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from sinobench.samples.synthesis import annotation, compressed, script, sounds
from sinobench.samples.synthesis.casting import Order, dealt, orders
from sinobench.samples.synthesis.conversation import Cast, Recording, converse, render
from sinobench.samples.synthesis.labels import Label, is_clear, released_labels
from sinobench.samples.synthesis.speech import Index, Voice, speak

RATE_HZ = 32_000
_ATTEMPTS = 100
_LABELS = ("audio_name", "utt_id", "start", "end", "length", "language_tag", "overlap_diff_lang", "dev_eval_status")
_ANNOTATED = "Development"  # of an evaluation set no annotation is released
_GRAINS = ("audio_name", "speaker", "utterance", "grain", "start", "end", "language", "text")


@dataclass(frozen=True)
class Job:
    """A recording to make below ``out``, from speech that lies in the file ``pool``."""

    order: Order
    out: Path
    compress: bool
    every_scene: bool
    pool: Path
    index: dict[Voice, Index]


def make_corpus(
    out: str | Path,
    recordings: int,
    hours: float,
    seed: int = 0,
    evaluation: int = 0,
    processes: int = 1,
    compress: bool = False,
    every_scene: bool = False,
) -> None:
    """Write audio, raw annotation and released form of a corpus below ``out``.

    The last ``evaluation`` recordings are an evaluation set: timestamps without labels, and parent–child pairs of its
    own. Half of the raw annotation is ELAN, half a table. Audio is 32 kHz mono, PCM_16 WAV or, with ``compress``, OGG.
    All recordings together have ``hours``; with ``every_scene`` also every scene, if need be in more than ``hours``.
    """
    out = Path(out)
    planned = orders(recordings, hours, seed, evaluation)
    index, pool = speak(_wanted(planned), RATE_HZ, processes)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "speech.npy"
        np.save(file, pool)
        # Workers read this file, the operating system keeps it in memory once.
        del pool
        jobs = [
            Job(order, out, compress, every_scene, file, {voice: index[voice] for _, voice in order.cast.values()})
            for order in planned
        ]
        with ProcessPoolExecutor(processes) as executor:
            made = list(executor.map(_make, jobs))
    _write_tables(out, planned, made)


def part_folder(out: Path, set_name: str) -> Path:
    """The folder of the Development or Evaluation set, as the challenge names it."""
    return out / f"MERLIon-CCS-Challenge_{set_name}-Set_v001" / "_CONFIDENTIAL"


def _wanted(planned: Sequence[Order]) -> dict[Voice, list[tuple[str, str]]]:
    """What each voice may have to say."""
    said: dict[str, list[tuple[str, str]]] = {}
    for scene in (*script.scenes(), *script.visits()):
        for utterance in scene.utterances:
            pieces = said.setdefault(utterance.role, [])
            pieces += [(grain.code, piece.text) for grain in utterance.grains for piece in grain.pieces]
    return {voice: said[role] for order in planned for role, (_, voice) in order.cast.items()}


def _make(job: Job) -> Recording:
    order = job.order
    recording = _plan(job)
    noise = sounds.room_noise(
        np.random.default_rng([order.seed, order.number, 2]),
        recording.duration_ms * (RATE_HZ // 1000),
        RATE_HZ,
        order.snr_db,
    )
    samples = render(recording, np.load(job.pool, mmap_mode="r"), noise)
    audio = part_folder(job.out, order.set_name) / "_audio" / f"{order.name}.wav"
    if job.compress:
        compressed.write_ogg(audio.with_name(f"{audio.name}.ogg"), samples, RATE_HZ)
    else:
        write_wav(audio, samples, RATE_HZ)
    if order.form == "eaf" and order.set_name == _ANNOTATED:
        annotation.write_eaf(recording, job.out / "raw" / "eaf" / f"{order.name}.eaf")
    return recording


def _plan(job: Job) -> Recording:
    """A plan in which no label hangs on how redactions are counted, which the rules leave open."""
    order = job.order
    cast = Cast(
        {role: name for role, (name, _) in order.cast.items()},
        {role: job.index[voice] for role, (_, voice) in order.cast.items()},
        RATE_HZ,
    )
    for attempt in range(_ATTEMPTS):
        must, more, spare = dealt(order, job.every_scene, attempt)
        rng = np.random.default_rng([order.seed, order.number, 3, attempt])
        rng.shuffle(must)
        left_out = spare if order.two_regions else None
        recording = converse(order.name, cast, must, more, order.target_ms, left_out, rng)
        if is_clear(recording):
            return recording
    raise ValueError(f"recording {order.number} is not clear in {_ATTEMPTS} attempts; take another seed or more hours")


def write_wav(path: Path, samples: np.ndarray, rate_hz: int) -> None:
    """int16 samples as mono PCM_16 WAV."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate_hz, len(samples), "NONE", "not compressed"))
        file.writeframesraw(memoryview(samples).cast("B"))


def _write_tables(out: Path, planned: Sequence[Order], made: Sequence[Recording]) -> None:
    annotated = [(order, r) for order, r in zip(planned, made, strict=True) if order.set_name == _ANNOTATED]
    tables = [recording for order, recording in annotated if order.form == "table"]
    annotation.write_csv(out / "raw" / "grains.csv", _GRAINS, _chained(annotation.grain_rows, tables))
    redactions = _chained(annotation.redaction_rows, tables)
    annotation.write_csv(out / "raw" / "redactions.csv", ("audio_name", "start", "end", "label"), redactions)
    overview = [
        (
            f"{order.name}.wav",
            order.set_name,
            order.form if order.set_name == _ANNOTATED else "",
            recording.duration_ms,
            order.snr_db,
        )
        for order, recording in zip(planned, made, strict=True)
    ]
    header = ("audio_name", "set", "raw_form", "duration_ms", "snr_db")
    annotation.write_csv(out / "recordings.csv", header, overview)
    header = ("audio_name", "speaker", "start", "end", "situations")
    annotation.write_csv(out / "situations.csv", header, _chained(_situation_rows, [r for _, r in annotated]))
    for set_name in ("Development", "Evaluation"):
        chosen = [r for order, r in zip(planned, made, strict=True) if order.set_name == set_name]
        if chosen:
            _write_released(part_folder(out, set_name) / "_labels", set_name, chosen)


def _write_released(folder: Path, set_name: str, recordings: Sequence[Recording]) -> None:
    stem = f"MERLIon-CCS-Challenge_{set_name}-Set_v001"
    regions = [(f"{r.name}.wav", *region) for r in recordings for region in r.regions]
    rows = [(r, label) for r in recordings for label in released_labels(r)]
    if set_name == "Development":
        annotation.write_csv(folder / f"{stem}_labels.csv", _LABELS, [_label_row(r, label) for r, label in rows])
        regions.insert(0, ("file", "start", "end"))
    else:
        # The evaluation set's timestamps are of what is scored in Task 1 only; its regions come without a header.
        scored = [_label_row(r, label)[:4] for r, label in rows if _is_scored(label)]
        annotation.write_csv(folder / f"{stem}_timestamps.csv", _LABELS[:4], scored)
    annotation.write_xlsx(folder / f"{stem}_evaluated-regions.xlsx", regions)


def _is_scored(label: Label) -> bool:
    return label.tag in ("English", "Mandarin") and not label.overlap_diff_lang


def _label_row(recording: Recording, label: Label) -> tuple:
    name, length = f"{recording.name}.wav", label.end_ms - label.start_ms
    times = label.start_ms, label.end_ms, length
    return name, label.utt_id, *times, label.tag, label.overlap_diff_lang, "Development"


def _situation_rows(recording: Recording) -> list[tuple]:
    return [
        (f"{recording.name}.wav", each.speaker, each.start_ms, each.end_ms, " ".join(each.situations))
        for each in recording.utterances
        if each.situations
    ]


def _chained(rows_of, recordings: Sequence[Recording]) -> list[tuple]:
    return [row for recording in recordings for row in rows_of(recording)]
