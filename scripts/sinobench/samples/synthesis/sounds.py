"""What no voice says: knocks, claps and the noise of a room. Samples are int16."""

import zlib

import numpy as np

# Of all speech, as the root mean square of its samples: 23 dB under full scale.
SPEECH_RMS = 2300.0
_NOISE_S = 20


def percussion(name: str, rate_hz: int) -> np.ndarray:
    """Three short bursts of noise, different for each name (``:s:clap``, ``:s:knock``); floats around ±1."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    burst = rng.standard_normal(rate_hz // 8) * np.exp(-np.arange(rate_hz // 8) / (0.01 * rate_hz))
    width = 2 + zlib.crc32(name.encode()) % 30
    burst = np.convolve(burst, np.ones(width) / width, mode="same")
    silence = np.zeros(rate_hz // 10)
    return np.concatenate([burst, silence] * 3)


def room_noise(rng: np.random.Generator, n_samples: int, rate_hz: int, snr_db: float) -> np.ndarray:
    """Noise that is ``snr_db`` below speech and falls by 3 dB an octave; it repeats after 20 s."""
    size = min(n_samples, _NOISE_S * rate_hz)
    spectrum = np.fft.rfft(rng.standard_normal(size))
    spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), size * 50 / rate_hz))
    noise = np.fft.irfft(spectrum, size)
    noise *= SPEECH_RMS / 10 ** (snr_db / 20) / noise.std()
    return np.resize(np.round(noise).astype(np.int16), n_samples)
