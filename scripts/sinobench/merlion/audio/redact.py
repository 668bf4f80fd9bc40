"""Personal information in audio: masked by a 440 Hz tone, proven to be masked, and found where it already is.

Redactions are (start_ms, end_ms), half-open, in integer ms; masked are all samples that they touch. A masked file has
the rate, channel, sample type and length of the original, and none of its metadata. All work streams: memory does not
grow with the recording. Source: plan, "Personal Identifying Information"; rules P2 and P3 of docs/recoding.md.
"""

import os
from collections.abc import Iterator, Sequence
from math import gcd
from pathlib import Path

import numpy as np
import soundfile

from sinobench.errors import InputError, private
from sinobench.merlion.audio.tables import MaskingProof
from sinobench.merlion.audio.wav import RATE_HZ, Audio, blocks, probe, read, samples_outward
from sinobench.merlion.intervals import union

TONE_HZ = 440
PEAK = 0.1  # of full scale

# Detection: a tone is found where 3 successive whole blocks of 10 ms are the same sinusoid, hence from 40 ms on.
MIN_TONE_MS = 40
_MIN_AMPLITUDE = 33  # steps of int16: 0.001 of full scale
_MIN_BLOCKS = 3
_BLOCKS_A_READ = 2_000


def mask(
    source: str | Path,
    target: str | Path,
    redactions: Sequence[tuple[int, int]],
    peak: float = PEAK,
    sample_rate_hz: int = RATE_HZ,
) -> Audio:
    """Write a copy of ``source`` with the tone in place of every redaction; the copy appears whole or not at all.

    Overlapping and touching redactions are one; the tone starts at phase 0 on its first sample. A last millisecond
    that the audio holds only in part is masked as far as there is audio.
    Raises InputError where target is the source itself (by any name), for a redaction that is empty, backward or
    beyond the audio, for a peak outside (0, 1], and for whatever probe refuses.
    """
    source, target = Path(source), Path(target)
    audio = probe(source, sample_rate_hz)
    regions = redacted_samples(audio, redactions)
    period = _tone_period(sample_rate_hz, peak)
    target.parent.mkdir(parents=True, exist_ok=True)  # first: "new/../original.wav" is the original once "new" exists
    if target.exists() and target.samefile(source):
        raise InputError("is the original recording, which is never written to; choose another target", target)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    file_format = soundfile.info(source).format
    try:
        with soundfile.SoundFile(part, "w", sample_rate_hz, 1, audio.subtype, format=file_format) as out:
            for start, block in _numbered(blocks(source)):
                for a, b, first in _within(regions, start, start + len(block)):
                    block[a - start : b - start] = _tone(period, a - first, b - first)
                out.write(block)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    return audio


def verify(
    source: str | Path,
    masked: str | Path,
    redactions: Sequence[tuple[int, int]],
    peak: float = PEAK,
    sample_rate_hz: int = RATE_HZ,
) -> MaskingProof:
    """Compare a masked file with its original, sample by sample.

    Raises InputError, with the first offending sample, unless every redacted sample is the tone to within one step of
    int16 and every other sample is identical; also where rate, sample type or length differ.
    """
    original, copy = probe(source, sample_rate_hz), probe(masked, sample_rate_hz)
    if (copy.n_samples, copy.subtype) != (original.n_samples, original.subtype):
        raise InputError(
            f"has {copy.n_samples} {copy.subtype} samples, the original {original.n_samples} {original.subtype}; "
            "mask it again",
            masked,
        )
    regions = redacted_samples(original, redactions)
    period = _tone_period(sample_rate_hz, peak)
    for (start, expected), heard in zip(_numbered(blocks(source)), blocks(masked), strict=True):
        allowed = np.zeros(len(expected), np.int8)
        for a, b, first in _within(regions, start, start + len(expected)):
            expected[a - start : b - start] = _tone(period, a - first, b - first)
            allowed[a - start : b - start] = 1
        if np.array_equal(expected, heard):
            continue
        wrong = np.abs(expected.astype(np.int32) - heard) > allowed
        if wrong.any():
            i = int(wrong.argmax())
            problem = "is redacted but not the tone" if allowed[i] else "is not redacted but differs from the original"
            at = start + i
            raise InputError(
                f"sample {at} (at {at * 1000 / sample_rate_hz:.3f} ms) {problem}: {heard[i]}, expected {expected[i]}; "
                "mask it again",
                masked,
            )
    n_redacted = int((regions[:, 1] - regions[:, 0]).sum())
    return MaskingProof(original.n_samples, n_redacted, len(regions))


def redacted_samples(audio: Audio, redactions: Sequence[tuple[int, int]]) -> np.ndarray:
    """The masked samples as (n, 2) sorted, disjoint [start, stop), bounds rounded outward to whole samples.

    Raises InputError for a redaction that is empty, backward or beyond the audio.
    """
    regions = []
    for start_ms, end_ms in redactions:
        if not 0 <= start_ms < end_ms:
            raise InputError(f"redaction {private(start_ms, end_ms)} ms is empty or backward; correct it", audio.path)
        start, stop = samples_outward(start_ms, end_ms, audio.sample_rate_hz)
        # Annotations round the end of the audio up to a whole millisecond.
        if (int(end_ms) - 1) * audio.sample_rate_hz >= audio.n_samples * 1000:
            raise InputError(
                f"redaction {private(start_ms, end_ms)} ms goes beyond the audio, which ends at "
                f"{audio.duration_ms} ms; correct its times or the file",
                audio.path,
            )
        regions.append((start, min(stop, audio.n_samples)))
    return union(regions)


def detect_tone(path: str | Path, sample_rate_hz: int | None = RATE_HZ) -> list[tuple[int, int]]:
    """Where the audio is nothing but a 440 Hz sinusoid of constant amplitude and phase: (start_ms, end_ms), sorted.

    Every tone of at least MIN_TONE_MS and 0.001 of full scale is found, with bounds to the nearest ms; fades at its
    ends are not counted. The tone may be off by 0.5 Hz, and what is not tone may reach 3 % of its amplitude (dither).
    """
    audio = probe(path, sample_rate_hz)
    rate = audio.sample_rate_hz
    block = rate // 100
    coefficients, is_tone = [], []
    for samples in blocks(path, block * _BLOCKS_A_READ):
        c, flags = _fit_blocks(samples[: len(samples) // block * block].reshape(-1, block), rate)
        coefficients.append(c)
        is_tone.append(flags)
    c, flags = np.concatenate(coefficients), np.concatenate(is_tone)
    turn = np.exp(2j * np.pi * TONE_HZ * block / rate)
    goes_on = flags[1:] & flags[:-1] & (np.abs(c[1:] - c[:-1] * turn) <= 0.04 * np.abs(c[:-1]))
    edges = np.flatnonzero(np.diff(np.concatenate([[False], goes_on, [False]]).astype(np.int8)))
    # Pairs (first, last) of blocks between which the tone goes on.
    runs = [(first, last) for first, last in edges.reshape(-1, 2).tolist() if last - first + 1 >= _MIN_BLOCKS]
    bounds = [_refine(audio, first * block, (last + 1) * block) for first, last in runs]
    least = MIN_TONE_MS * rate / 1000
    found = [(round(a * 1000 / rate), round(b * 1000 / rate)) for a, b in bounds if b - a >= least]
    return [(a, b) for a, b in union(found).tolist()]


def _fit_blocks(samples: np.ndarray, rate: int) -> tuple[np.ndarray, np.ndarray]:
    """The least-squares 440 Hz sinusoid of each block: complex amplitudes (n,), and whether it is all of the block.

    samples: (n, block length) int16. An amplitude c stands for Re(c exp(iwt)), t from the block's first sample.
    """
    # einsum and not a matrix product: BLAS would start threads that wait for each other on a busy machine.
    samples = samples.astype(np.float32)
    basis = _sinusoids(samples.shape[1], rate)
    fit = np.einsum("ij,kj->ik", samples, np.linalg.pinv(basis).astype(np.float32)).astype(float)
    energy = np.einsum("ij,ij->i", samples, samples)
    residual = energy - np.einsum("ij,jk,ik->i", fit, basis.T @ basis, fit)
    amplitude = np.hypot(fit[:, 0], fit[:, 1])
    limit = np.maximum(1, 0.03 * amplitude)
    is_tone = (amplitude >= _MIN_AMPLITUDE) & (residual <= limit**2 * samples.shape[1])
    return fit[:, 0] - 1j * fit[:, 1], is_tone


def _refine(audio: Audio, start: int, stop: int) -> tuple[int, int]:
    """The samples [start, stop) of a tone, moved out to its first and last sample, by less than a block each."""
    rate = audio.sample_rate_hz
    block = rate // 100
    length = _MIN_BLOCKS * block
    earlier, later = max(0, start - block), min(audio.n_samples, stop + block)
    before = _tone_errors(read(audio.path, earlier, start + length), start - earlier, length, rate)[: start - earlier]
    after = _tone_errors(read(audio.path, stop - length, later), 0, length, rate)[length:]
    n_before = np.append(before[::-1], True).argmax()
    n_after = np.append(after, True).argmax()
    return start - int(n_before), stop + int(n_after)


def _tone_errors(samples: np.ndarray, first: int, length: int, rate: int) -> np.ndarray:
    """Which samples are not those of the sinusoid that samples[first : first + length] follow."""
    basis = _sinusoids(len(samples), rate)
    part = basis[first : first + length]
    fit = np.linalg.lstsq(part, samples[first : first + length].astype(float), rcond=None)[0]
    error = np.abs(samples - basis @ fit)
    return error > max(2, 0.03 * np.hypot(*fit), 1.5 * error[first : first + length].max())


def _sinusoids(n: int, rate: int) -> np.ndarray:
    """Cosine and sine of 440 Hz over n samples, (n, 2)."""
    phase = 2 * np.pi * TONE_HZ / rate * np.arange(n)
    return np.column_stack([np.cos(phase), np.sin(phase)])


def _tone_period(sample_rate_hz: int, peak: float) -> np.ndarray:
    """The tone from phase 0 for the shortest whole number of periods that is a whole number of samples."""
    if not 0 < peak <= 1:
        raise InputError(f"the tone's peak is {peak} of full scale; expected more than 0 and at most 1")
    n = sample_rate_hz // gcd(sample_rate_hz, TONE_HZ)
    phase = np.arange(n) * TONE_HZ % sample_rate_hz / sample_rate_hz
    return np.rint(peak * 32767 * np.sin(2 * np.pi * phase)).astype(np.int16)


def _tone(period: np.ndarray, start: int, stop: int) -> np.ndarray:
    return period[np.arange(start, stop) % len(period)]


def _numbered(pieces: Iterator[np.ndarray]) -> Iterator[tuple[int, np.ndarray]]:
    """Each block with the position of its first sample."""
    start = 0
    for block in pieces:
        yield start, block
        start += len(block)


def _within(regions: np.ndarray, start: int, stop: int) -> Iterator[tuple[int, int, int]]:
    """The parts [a, b) of the regions that lie in [start, stop), each with its region's first sample."""
    first, last = np.searchsorted(regions[:, 1], start, "right"), np.searchsorted(regions[:, 0], stop)
    for a, b in regions[first:last].tolist():
        yield max(a, start), min(b, stop), a
