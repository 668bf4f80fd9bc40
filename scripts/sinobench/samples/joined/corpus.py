"""Writes the joined corpus: a development set as the challenge releases it, and a training corpus of other speakers.

The same clips and seed give the same bytes.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import soundfile
import soxr

from sinobench.errors import InputError
from sinobench.merlion.annotation.labels import write_labels
from sinobench.merlion.annotation.overlap import overlap_diff_lang
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.tables import Segment
from sinobench.merlion.training.corpora import MANIFEST_COLUMNS
from sinobench.samples.joined import clips
from sinobench.samples.joined.clips import Clip, read_clips, samples_of
from sinobench.samples.joined.pieces import pieces
from sinobench.samples.joined.recordings import RATE_HZ, SOUNDS, Piece, Recording, Supply, compose, render
from sinobench.samples.synthesis.annotation import write_csv, write_xlsx
from sinobench.samples.synthesis.sounds import SPEECH_RMS, percussion, room_noise

N_RECORDINGS = 12
SNR_DB = (10, 15, 20, 30)


@dataclass(frozen=True)
class Development:
    """Where the parts of the development set are written: a folder for the audio, and tables."""

    audio: Path
    labels: Path
    regions: Path
    redactions: Path
    recordings: Path
    turns: Path


def make_development(folder: str | Path, out: Development, seed: int) -> list[Recording]:
    """Join clips of the test speakers to 12 recordings of at least 200 s, and write them with their tables.

    Every piece of speech is dealt to half of the recordings, so that it returns with other partners. ``recordings``
    states each recording's signal-to-noise ratio and speakers, ``turns`` which part of which clip stands where.
    Raises InputError as `read_clips` does, and where there is too little speech.
    """
    sounds, speech = _prepared(folder, read_clips(folder, "test"))
    rng = np.random.default_rng([seed, 0])
    dealt = np.array([rng.permutation(N_RECORDINGS) < N_RECORDINGS // 2 for _ in speech])
    out.audio.mkdir(parents=True, exist_ok=True)
    recordings = []
    for number in range(N_RECORDINGS):
        rng = np.random.default_rng([seed, 1, number])
        supply = Supply([speech[i] for i in np.flatnonzero(dealt[:, number])], rng)
        recording = compose(
            f"TTS_P{15_001 + 7 * number}TT_VCST_ECxxx_01_AO_{25_259_847 + 1_013 * number}_v001_R004_CRR_MERLIon-CCS",
            SNR_DB[number % len(SNR_DB)],
            supply,
            n_redactions=1 + number % 2,
            n_regions=1 + (number % 3 == 1),
            rng=rng,
        )
        samples = render(recording, sounds, rng)
        soundfile.write(out.audio / f"{recording.name}.wav", samples, RATE_HZ, subtype="PCM_16")
        recordings.append(recording)
    _write_tables(out, recordings)
    return recordings


def make_training(folder: str | Path, out: str | Path, seed: int) -> None:
    """Write the clips of the training speakers below ``out`` with ``manifest.csv``: as they are, and in noise.

    The noisy copy of a clip is a recording of its own and has one of the development set's ratios; its speech has one
    level. Utterances are the pieces of speech. Raises InputError as `read_clips` does.
    """
    out = Path(out)
    rows = []
    for number, clip in enumerate(read_clips(folder, "train")):
        samples, spoken = _with_pieces(folder, clip)
        snr_db = SNR_DB[number % len(SNR_DB)]
        rng = np.random.default_rng([seed, 2, number])
        noise = room_noise(rng, len(samples), clips.RATE_HZ, snr_db)
        noisy = np.clip(np.round(_levelled(samples, spoken)) + noise, -32768, 32767).astype(np.int16)
        name = Path(clip.path)
        for place in (plain := f"plain/{name.name}", in_noise := f"noisy/{name.stem}_{snr_db}dB.flac"):
            (out / place).parent.mkdir(parents=True, exist_ok=True)
            rows += [(place, start, end, clip.language, clip.speaker, Path(place).stem) for start, end in spoken]
        shutil.copyfile(Path(folder, clip.path), out / plain)
        soundfile.write(out / in_noise, noisy, clips.RATE_HZ, subtype="PCM_16")
    write_csv(out / clips.MANIFEST, MANIFEST_COLUMNS, rows)


def _prepared(folder: str | Path, chosen: Sequence[Clip]) -> tuple[dict[str, np.ndarray], list[Piece]]:
    """By clip, or name of a sound, the samples at 32 kHz and one level; and all pieces of the clips."""
    sounds = {name: percussion(name, RATE_HZ) for name in SOUNDS}
    sounds = {name: sound * SPEECH_RMS / np.sqrt((sound**2).mean()) for name, sound in sounds.items()}
    speech = []
    for clip in chosen:
        samples, spoken = _with_pieces(folder, clip)
        sounds[clip.path] = soxr.resample(_levelled(samples, spoken), clips.RATE_HZ, RATE_HZ)
        speech += [Piece(clip.path, start, end, clip.language, clip.speaker) for start, end in spoken]
    return sounds, speech


def _with_pieces(folder: str | Path, clip: Clip) -> tuple[np.ndarray, list[tuple[int, int]]]:
    samples = samples_of(folder, clip)
    spoken = pieces(samples, clips.RATE_HZ)
    if not spoken:
        raise InputError("has no half second of speech; take it out of the manifest", Path(folder, clip.path))
    return samples, spoken


def _levelled(samples: np.ndarray, spoken: Sequence[tuple[int, int]]) -> np.ndarray:
    """Floats without offset, the root mean square of their speech as in `sounds`."""
    samples = samples - samples.mean()
    per_ms = clips.RATE_HZ // 1000
    speech = np.concatenate([samples[start * per_ms : end * per_ms] for start, end in spoken])
    return samples * (SPEECH_RMS / np.sqrt((speech**2).mean()))


def _write_tables(out: Development, recordings: Sequence[Recording]) -> None:
    segments = [
        Segment(r.name, f"a{n}", turn.start_ms, turn.end_ms, turn.piece.language, False, "Development")
        for r in recordings
        for n, turn in enumerate(r.turns, start=1)
    ]
    flags = overlap_diff_lang(segments)
    out.labels.parent.mkdir(parents=True, exist_ok=True)
    write_labels([replace(s, overlap_diff_lang=flag) for s, flag in zip(segments, flags, strict=True)], out.labels)
    regions = [(f"{r.name}.wav", *region) for r in recordings for region in r.regions]
    write_xlsx(out.regions, [("file", "start", "end"), *regions])
    redactions = [(f"{r.name}.wav", *redaction) for r in recordings for redaction in sorted(r.redactions)]
    write_csv(out.redactions, ("audio_name", "start", "end", "label"), redactions)
    header = ("audio_name", "duration_ms", "snr_db", *(f"{language.lower()}_speakers" for language in TARGETS))
    write_csv(out.recordings, header, [_overview(recording) for recording in recordings])
    header = ("audio_name", "start", "end", "language_tag", "speaker", "clip", "clip_start", "level_db")
    write_csv(out.turns, header, [row for recording in recordings for row in _turn_rows(recording)])


def _overview(recording: Recording) -> tuple:
    speakers = [
        sorted({turn.piece.speaker for turn in recording.turns if turn.piece.language == language})
        for language in TARGETS
    ]
    return f"{recording.name}.wav", recording.duration_ms, recording.snr_db, *(";".join(names) for names in speakers)


def _turn_rows(recording: Recording) -> list[tuple]:
    return [
        (
            f"{recording.name}.wav",
            turn.start_ms,
            turn.end_ms,
            turn.piece.language,
            turn.piece.speaker,
            turn.piece.clip,
            turn.piece.start_ms,
            round(turn.level_db, 2),
        )
        for turn in recording.turns
    ]
