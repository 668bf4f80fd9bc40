"""Small training corpora in the layouts of LibriSpeech, AISHELL, NSC and SEAME, 16 kHz; other speakers than the sample.

Audio is written as OGG beside where it belongs (``x.flac.ogg``); ``compressed.expand`` gives it the layout's format.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import numpy as np

from sinobench.samples.synthesis import compressed, sounds, training_text
from sinobench.samples.synthesis.speech import Index, Voice, speak

RATE_HZ = 16_000
# Of all corpora: no voice of casting.py has one of these speeds.
_SPEEDS = (150, 175, 190)
_VARIANTS = ("", "+m7", "+f2", "+f5", "+klatt4")
_SNR_DB = 30
_SILENCE_S = 0.3
# An NSC transcript ends up to this much after its audio.
_OVERRUN_S = 0.25


@dataclass(frozen=True)
class Speaker:
    """A voice, and what it has said: where each (code, text) lies in ``speech``."""

    voice: Voice
    index: Index
    speech: np.ndarray

    def say(self, code: str, text: str) -> np.ndarray:
        first, n_samples = self.index[code, text]
        return self.speech[first : first + n_samples]


def make_training(out: str | Path, minutes: float = 10.5, seed: int = 0, processes: int = 1) -> None:
    """Write the four corpora below ``out``; together at least ``minutes``, a fourth of them each."""
    out = Path(out)
    english, mandarin, singapore = (
        text.strip().splitlines() for text in (training_text.ENGLISH, training_text.MANDARIN, training_text.SINGAPORE)
    )
    texts = {
        "librispeech": [("E", text) for text in english],
        "aishell": [("M", text) for text in mandarin],
        "nsc": [("E", text) for text in singapore],
        "seame": [
            *(("E", text) for text in singapore[8:]),
            *(("M", text) for text in mandarin[18:]),
            *(part for line in training_text.SWITCHED for part in line),
        ],
    }
    voices = {name: [_voice(4 * place + i) for i in range(4)] for place, name in enumerate(texts)}
    wanted = {voice: texts[name] for name, of_corpus in voices.items() for voice in of_corpus}
    index, speech = speak(wanted, RATE_HZ, processes)
    for number, (name, write) in enumerate(_WRITERS.items()):
        speakers = [Speaker(voice, index[voice], speech) for voice in voices[name]]
        lines = _LINES[name](texts[name])
        write(out / name, speakers, lines, minutes / 4 * 60, np.random.default_rng([seed, number]))


def _voice(number: int) -> Voice:
    accent = ("en-us", "en")[number % 2]
    return Voice(_VARIANTS[number % 5], accent, 30 + 9 * (number % 7), _SPEEDS[number % 3])


Line = tuple[tuple[str, str], ...]


def _librispeech(folder: Path, speakers: Sequence[Speaker], lines: Sequence[Line], seconds: float, rng) -> None:
    """``LibriSpeech/train-clean-100/<spk>/<chap>/<spk>-<chap>-<number>.flac`` and a transcript a chapter."""
    for number, speaker in enumerate(speakers):
        name = f"{9001 + 17 * number}-{120000 + 31 * number}"
        chapter = folder / "LibriSpeech" / "train-clean-100" / name.replace("-", "/")
        transcript, length = [], 0.0
        said = _shuffled(lines, rng)
        while length < seconds / len(speakers):
            chosen = list(islice(said, 2))
            samples, _ = _recorded(speaker, chosen, rng)
            utterance = f"{name}-{len(transcript):04d}"
            compressed.write_ogg(chapter / f"{utterance}.flac.ogg", samples, RATE_HZ)
            text = " ".join(part for line in chosen for _, part in line)
            transcript.append(f"{utterance} {text.upper().replace(',', '')}\n")
            length += len(samples) / RATE_HZ
        (chapter / f"{name}.trans.txt").write_text("".join(transcript), encoding="utf-8", newline="\n")


def _aishell(folder: Path, speakers: Sequence[Speaker], lines: Sequence[Line], seconds: float, rng) -> None:
    """``data_aishell/wav/{train,dev,test}/S####/*.wav``, the transcript, and a list of the ids to train on."""
    transcript, listed = [], []
    parts = ("train", "train", "dev", "test")
    for number, (speaker, part) in enumerate(zip(speakers, parts, strict=True)):
        name, length = f"S{9001 + number:04d}", 0.0
        for line in _shuffled(lines, rng):
            if length >= seconds / len(speakers):
                break
            samples, _ = _recorded(speaker, [line], rng)
            utterance = f"BAC009{name}W{121 + len(transcript):04d}"
            file = folder / "data_aishell" / "wav" / part / name / f"{utterance}.wav.ogg"
            compressed.write_ogg(file, samples, RATE_HZ)
            transcript.append(f"{utterance} {line[0][1]}\n")
            if len(transcript) % 5:  # a list leaves some out
                listed.append(f"{utterance}\n")
            length += len(samples) / RATE_HZ
    for path, content in (("data_aishell/transcript/aishell_transcript_v0.8.txt", transcript), ("ids.txt", listed)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("".join(content), encoding="utf-8", newline="\n")


def _nsc(folder: Path, speakers: Sequence[Speaker], lines: Sequence[Line], seconds: float, rng) -> None:
    """Flat ``<name>.wav`` with ``<name>.TextGrid``, the last in UTF-16; the last interval overruns the audio."""
    for number, speaker in enumerate(speakers):
        n_lines = _needed(speaker, lines, seconds / len(speakers))
        said = list(islice(_shuffled(lines, rng), n_lines))
        samples, spans = _recorded(speaker, said, rng)
        name = f"conf_{3001 + number // 2}_{3001 + number // 2}_{30011 + number:08d}"
        compressed.write_ogg(folder / f"{name}.wav.ogg", samples, RATE_HZ)
        last = len(samples) / RATE_HZ + _OVERRUN_S
        intervals = [(0.0, spans[0][0], "<S>")]
        for i, ((start, end), line) in enumerate(zip(spans, said, strict=True)):
            after = spans[i + 1][0] if i + 1 < len(spans) else last
            intervals += [(start, end, line[0][1]), (end, after, "<Z>" if i % 5 == 4 else "<S>")]
        # The last utterance is marked to the very end, beyond the audio.
        intervals[-2:] = [(spans[-1][0], last, said[-1][0][1])]
        encoding = "utf-16" if number == len(speakers) - 1 else "utf-8"
        (folder / f"{name}.TextGrid").write_text(_text_grid(intervals), encoding=encoding, newline="\n")


def _seame(folder: Path, speakers: Sequence[Speaker], lines: Sequence[Line], seconds: float, rng) -> None:
    """``data/{conversation,interview}/{audio/*.flac,transcript/phaseII/*.txt}``, lines of EN, ZH and CS."""
    names = ("NC01FBX_0101", "NC02MBY_0101", "UI01FAZ_0101", "UI02MAZ_0101")
    for number, (speaker, name) in enumerate(zip(speakers, names, strict=True)):
        part = folder / "data" / ("conversation", "interview")[number // 2]
        said = list(islice(_shuffled(lines, rng), _needed(speaker, lines, seconds / len(speakers))))
        samples, spans = _recorded(speaker, said, rng)
        compressed.write_ogg(part / "audio" / f"{name}.flac.ogg", samples, RATE_HZ)
        rows = []
        for (start, end), line in zip(spans, said, strict=True):
            language = "CS" if len(line) > 1 else {"E": "EN", "M": "ZH"}[line[0][0]]
            text = " ".join(text for _, text in line)
            rows.append(f"{name}\t{round(start * 1000)}\t{round(end * 1000)}\t{language}\t{text}\n")
        transcript = part / "transcript" / "phaseII" / f"{name}.txt"
        transcript.parent.mkdir(parents=True, exist_ok=True)
        transcript.write_text("".join(rows), encoding="utf-8", newline="\n")


def _single(texts: Sequence[tuple[str, str]]) -> list[Line]:
    return [(text,) for text in texts]


def _with_switches(texts: Sequence[tuple[str, str]]) -> list[Line]:
    parts = {part for line in training_text.SWITCHED for part in line}
    return [*((text,) for text in texts if text not in parts), *training_text.SWITCHED]


_WRITERS = {"librispeech": _librispeech, "aishell": _aishell, "nsc": _nsc, "seame": _seame}
_LINES = {"librispeech": _single, "aishell": _single, "nsc": _single, "seame": _with_switches}


def _shuffled(lines: Sequence[Line], rng: np.random.Generator):
    """The lines in a random order, again and again."""
    return cycle([lines[i] for i in rng.permutation(len(lines))])


def _needed(speaker: Speaker, lines: Sequence[Line], seconds: float) -> int:
    mean = np.mean([sum(len(speaker.say(*part)) for part in line) / RATE_HZ + _SILENCE_S for line in lines])
    return int(np.ceil(seconds / mean)) + 1


def _recorded(speaker: Speaker, lines: Sequence[Line], rng) -> tuple[np.ndarray, list[tuple[float, float]]]:
    """The lines one after the other with silence around, over noise: int16, and each line's (start, end) in s."""
    silence = np.zeros(int(_SILENCE_S * RATE_HZ), np.int16)
    pieces, spans, length = [silence], [], len(silence)
    for line in lines:
        said = [speaker.say(*part) for part in line]
        n_samples = sum(map(len, said))
        spans.append((length / RATE_HZ, (length + n_samples) / RATE_HZ))
        pieces += [*said, silence]
        length += n_samples + len(silence)
    return np.concatenate(pieces) + sounds.room_noise(rng, length, RATE_HZ, _SNR_DB), spans


def _text_grid(intervals: Sequence[tuple[float, float, str]]) -> str:
    """Praat's long format, one tier."""
    end = intervals[-1][1]
    rows = [
        f"        intervals [{number}]:\n            xmin = {start:.6f}\n            xmax = {stop:.6f}\n"
        f'            text = "{text}"\n'
        for number, (start, stop, text) in enumerate(intervals, start=1)
    ]
    return (
        f'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = {end:.6f}\n'
        "tiers? <exists>\nsize = 1\nitem []:\n    item [1]:\n"
        f'        class = "IntervalTier"\n        name = "utterances"\n        xmin = 0\n        xmax = {end:.6f}\n'
        f"        intervals: size = {len(rows)}\n{''.join(rows)}"
    )
