"""From an original, as it was published, to the clip that is used: 16 kHz, mono, one bandwidth for all sources."""

from pathlib import Path

import numpy as np

from sinobench.errors import InputError

RATE_HZ = 16_000
MAX_S = 60  # of a clip: what is longer is no utterance, and may not fit the memory
_RATES_HZ = (8_000, 192_000)
_PEAK = 0.999
# The sources have different bandwidths, which would tell the languages apart.
_ORDER, _CUTOFF_HZ = 8, 7_200


def clip_of(original: str | Path, end_sample: int | None = None) -> np.ndarray:
    """The int16 samples of an original at RATE_HZ, low-passed; of its first ``end_sample`` samples where that is given.

    original: WAV, FLAC or MP3 with one channel. Raises InputError for anything else, and for more than MAX_S seconds.
    """
    import soxr
    from scipy.signal import butter, sosfiltfilt

    samples, rate_hz = _decoded(Path(original), end_sample)
    if rate_hz != RATE_HZ:
        samples = soxr.resample(samples, rate_hz, RATE_HZ, quality="HQ")
    peak = np.abs(samples).max()
    if peak > _PEAK:
        samples = samples * (_PEAK / peak)
    low_pass = butter(_ORDER, _CUTOFF_HZ, fs=RATE_HZ, output="sos")
    try:
        return _int16(sosfiltfilt(low_pass, _int16(samples) / 32768))
    except ValueError:
        raise InputError(f"has {len(samples)} samples; expected an utterance", original) from None


def _decoded(original: Path, end_sample: int | None) -> tuple[np.ndarray, int]:
    """Floats in [-1, 1) and their rate in Hz."""
    import soundfile

    try:
        with soundfile.SoundFile(original) as audio:
            rate_hz, channels = audio.samplerate, audio.channels
            if channels != 1 or not _RATES_HZ[0] <= rate_hz <= _RATES_HZ[1]:
                found = f"{channels} channels at {rate_hz} Hz"
                raise InputError(f"has {found}; expected one at {_RATES_HZ[0]} to {_RATES_HZ[1]} Hz", original)
            longest = MAX_S * rate_hz
            wanted = longest + 1 if end_sample is None else min(end_sample, longest + 1)
            # Not `audio.frames`, which an MP3 only estimates.
            samples = audio.read(wanted, dtype="float64")
    except (soundfile.SoundFileError, OSError) as error:
        raise InputError(f"can't be decoded ({error}); retrieve it again", original) from None
    if len(samples) > longest:
        raise InputError(f"is longer than {MAX_S} s; expected an utterance", original)
    if not len(samples) or len(samples) < (end_sample or 0):
        raise InputError(f"has {len(samples)} samples; expected {end_sample or 'an utterance'}", original)
    return samples, rate_hz


def _int16(samples: np.ndarray) -> np.ndarray:
    return np.clip(np.round(samples * 32768), -32768, 32767).astype(np.int16)
