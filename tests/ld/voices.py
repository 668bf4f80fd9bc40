"""Two languages that are easily told apart: English is low, Mandarin is high; and a scorer that knows them."""

from pathlib import Path

import numpy as np
import soundfile

from sinobench.merlion.training.tables import Utterance

RATE = 32_000
BANDS_HZ = {"English": (400, 900), "Mandarin": (1400, 2400)}


def voice(language, duration_ms, seed, rate=RATE):
    """Noise in the language's band, in syllables, (n,) floats of a root mean square near 2000."""
    random = np.random.default_rng(seed)
    n = duration_ms * rate // 1000
    spectrum = np.fft.rfft(random.standard_normal(n))
    hertz = np.fft.rfftfreq(n, 1 / rate)
    low, high = BANDS_HZ[language]
    noise = np.fft.irfft(spectrum * ((hertz > low) & (hertz < high)), n)
    syllables = 0.2 + np.abs(np.sin(np.pi * 4 * np.arange(n) / rate))
    return 2000 * noise / noise.std() * syllables


def score(windows):
    """The likelihood ratio by the share of energy below 1150 Hz."""
    ratios = []
    for window in windows:
        energy = np.abs(np.fft.rfft(window.astype(float))) ** 2 + 1
        border = 1150 * len(window) // RATE + 1
        ratios.append(np.clip(0.2 * np.log(energy[1:border].sum() / energy[border:].sum()), -4, 4))
    return np.array(ratios)


def write_recording(path, duration_ms, turns, seed=1, noise=10.0):
    """A 32 kHz recording of (start_ms, end_ms, language) over noise; its path."""
    samples = noise * np.random.default_rng(seed).standard_normal(duration_ms * RATE // 1000)
    for number, (start, end, language) in enumerate(turns):
        samples[start * RATE // 1000 : end * RATE // 1000] += voice(language, end - start, [seed, number])
    soundfile.write(path, np.clip(np.rint(samples), -32768, 32767).astype(np.int16), RATE, subtype="PCM_16")
    return Path(path)


def training_utterances(folder):
    """(file, utterance) of two speakers a language, at 16 kHz with silence around what is said."""
    found = []
    for number in range(8):
        language = ("English", "Mandarin")[number % 2]
        path = Path(folder, f"{number}.wav")
        samples = np.pad(voice(language, 4000, number, 16_000), 8000)
        soundfile.write(path, np.rint(samples).astype(np.int16), 16_000, subtype="PCM_16")
        speaker = f"{language}{number // 4}"
        found.append((path, Utterance("corpus", path.stem, speaker, path.name, 0, 5000, language)))
    return found


def errors(found, turns, duration_ms):
    """Errors of the plan for turns that don't overlap, as a share of the speech."""
    lines = []
    for side in (found, turns):
        line = np.zeros(duration_ms, int)
        for start, end, language in side:
            line[start:end] = 1 + (language == "Mandarin")
        lines.append(line)
    return np.count_nonzero(lines[0] != lines[1]) / np.count_nonzero(lines[1])
