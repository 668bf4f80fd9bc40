"""eSpeak NG through the shared library of ``espeakng-loader``: pieces of text to int16 samples.

eSpeak's output depends on what the process said before, so each voice speaks in a process of its own, in a fixed order:
that is what makes the same arguments give the same bytes with any number of processes.
"""

import ctypes
import functools
import multiprocessing
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np

from sinobench.samples.synthesis import sounds

ESPEAK_RATE_HZ = 22050
_SYNCHRONOUS, _CHARS_UTF8, _RATE, _PITCH = 2, 1, 1, 3
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)
_VOCAL = {
    ":v:laugh": "ha ha ha ha",
    ":v:cry": "waah, uh, waah",
    ":v:babble": "ba ba da da ba",
    ":v:cough": "uh huh, uh huh",
    ":v:hum": "mmm mmm mmm",
}
_MUMBLE = "nuh wuh muh"
# Where pypinyin's dictionary takes the wrong reading in our sentences.
_READINGS = {
    "这只": "zhè zhī",
    "五只": "wǔ zhī",
    "数一数": "shǔ yi shǔ",
    "会数": "huì shǔ",
    "好长": "hǎo cháng",
    "又长": "yòu cháng",
    "走得": "zǒu de",
    "教你": "jiāo nǐ",
    "种着": "zhòng zhe",
}
# Of two speakers at once, with noise, the sum must stay within int16.
_PEAK = 14_000
_EDGE_MS = 4


@dataclass(frozen=True)
class Voice:
    """A speaker: ``variant`` of eSpeak (``+f2``, or nothing), English accent, pitch 0–100, words a minute."""

    variant: str
    accent: str
    pitch: int
    speed: int


# Of one voice: where each (code, text) lies, as (first sample, samples), in the array beside it.
Index = dict[tuple[str, str], tuple[int, int]]


def speak(
    wanted: Mapping[Voice, Iterable[tuple[str, str]]], rate_hz: int, processes: int
) -> tuple[dict[Voice, Index], np.ndarray]:
    """Let each voice say its (code, text) pairs; the codes are those of ``script.LANGUAGES``.

    Every piece has a whole number of milliseconds. Returns where each lies in one int16 array at ``rate_hz``.
    """
    spawn = multiprocessing.get_context("spawn")
    jobs = [(voice, sorted(set(pieces)), rate_hz) for voice, pieces in wanted.items()]
    with ProcessPoolExecutor(processes, mp_context=spawn, max_tasks_per_child=1) as executor:
        spoken = list(executor.map(_speak_all, jobs))
    places, first = {}, 0
    for (voice, pieces, _), samples in zip(jobs, spoken, strict=True):
        places[voice] = {}
        for piece, each in zip(pieces, samples, strict=True):
            places[voice][piece] = first, len(each)
            first += len(each)
    return places, np.concatenate([each for samples in spoken for each in samples])


def _speak_all(job: tuple[Voice, Sequence[tuple[str, str]], int]) -> list[np.ndarray]:
    voice, pieces, rate_hz = job
    engine = _Espeak()
    spoken = [_shaped(engine.say(voice, code, text, rate_hz), rate_hz) for code, text in pieces]
    speech = np.concatenate([each for (code, text), each in zip(pieces, spoken, strict=True) if code in "EMYH"])
    gain = sounds.SPEECH_RMS / np.sqrt(np.mean(speech**2))
    return [
        np.clip(np.round(each * gain * (0.4 if text.startswith("##") else 1)), -_PEAK, _PEAK).astype(np.int16)
        for (code, text), each in zip(pieces, spoken, strict=True)
    ]


def _shaped(samples: np.ndarray, rate_hz: int) -> np.ndarray:
    """Without silence at its ends, with soft edges, filled up to whole milliseconds."""
    loud = np.flatnonzero(np.abs(samples) > 0.02 * np.abs(samples).max())
    samples = samples[loud[0] : loud[-1] + 1]
    edge = min(_EDGE_MS * rate_hz // 1000, len(samples) // 2)
    ramp = np.linspace(0, 1, edge, dtype=samples.dtype)
    samples[:edge] *= ramp
    samples[len(samples) - edge :] *= ramp[::-1]
    return np.pad(samples, (0, -len(samples) % (rate_hz // 1000)))


class _Espeak:
    """The library, one instance a process."""

    def __init__(self) -> None:
        import espeakng_loader

        self._library = ctypes.CDLL(espeakng_loader.get_library_path())
        if self._library.espeak_Initialize(_SYNCHRONOUS, 0, espeakng_loader.get_data_path().encode(), 0) < 0:
            raise RuntimeError("eSpeak NG can't be started; is espeakng-loader complete?")
        # Without a seed of ours, eSpeak takes the clock.
        self._library.espeak_ng_SetRandSeed(ctypes.c_long(1))
        self._chunks: list[np.ndarray] = []
        # Kept as an attribute: the library calls it long after this line.
        self._callback = _CALLBACK(self._receive)
        self._library.espeak_SetSynthCallback(self._callback)

    def _receive(self, samples: "ctypes._Pointer", n_samples: int, _events: int) -> int:
        if samples and n_samples > 0:
            self._chunks.append(np.ctypeslib.as_array(samples, (n_samples,)).copy())
        return 0

    def say(self, voice: Voice, code: str, text: str, rate_hz: int) -> np.ndarray:
        """The piece at ``rate_hz``, as floats."""
        if code == "S":
            return sounds.percussion(text, rate_hz) * 10_000
        name, spoken = _spoken(voice, code, text)
        self._chunks.clear()
        if self._library.espeak_SetVoiceByName(f"{name}{voice.variant}".encode()) != 0:
            raise RuntimeError(f"eSpeak NG has no voice '{name}{voice.variant}'")
        self._library.espeak_SetParameter(_RATE, voice.speed, 0)
        self._library.espeak_SetParameter(_PITCH, voice.pitch, 0)
        data = spoken.encode()
        size = ctypes.c_size_t(len(data) + 1)
        if self._library.espeak_Synth(data, size, 0, 1, 0, _CHARS_UTF8, None, None) != 0 or not self._chunks:
            raise RuntimeError(f"eSpeak NG can't say '{spoken}' with '{name}{voice.variant}'")
        import soxr

        samples = np.concatenate(self._chunks).astype(np.float32)
        return soxr.resample(samples, ESPEAK_RATE_HZ, rate_hz)


def _spoken(voice: Voice, code: str, text: str) -> tuple[str, str]:
    """eSpeak's voice and text for a piece."""
    if text.startswith("##"):
        return voice.accent, _MUMBLE
    if code == "M":
        return "cmn-latn-pinyin", _pinyin(text)
    if code == "V":
        return voice.accent, _VOCAL[text]
    if code == "R" and text.startswith(":d:"):
        return voice.accent, text.removeprefix(":d:")
    # Red Dot vocabulary came from Malay and Hokkien; of these eSpeak speaks Malay, and reads Hokkien well enough.
    return ("ms" if code in "RYH" else voice.accent), text


def _pinyin(text: str) -> str:
    # eSpeak reads Hanzi wrongly where a reading depends on the word.
    from pypinyin import Style, lazy_pinyin

    _teach_readings()
    syllables = lazy_pinyin(text, style=Style.TONE3, neutral_tone_with_five=True)
    return " ".join(syllables).replace("，", ",").replace("？", "?")


@functools.cache
def _teach_readings() -> None:
    """Once a process: pypinyin learns its whole dictionary again from each new phrase."""
    from pypinyin import load_phrases_dict

    load_phrases_dict({word: [[each] for each in reading.split()] for word, reading in _READINGS.items()})
