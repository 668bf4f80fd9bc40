"""A wav2vec 2.0 or XLS-R network that classifies speech by language, in the layout of the transformers library."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np

from sinobench.errors import InputError
from sinobench.hub.device import Runner, finite
from sinobench.hub.pretrained import CONFIG, network, processor
from sinobench.merlion.audio.features import at_16_khz
from sinobench.merlion.audio.wav import RATE_HZ as CHUNK_RATE_HZ

RATE_HZ = 16_000
NAMES = {"english": {"en", "eng", "english"}, "mandarin": {"zh", "cmn", "mandarin"}}


class Wav2vec2:
    """Scores log p(English) - log p(Mandarin), in which the other languages' share and all normalization cancel.

    folder: with config.json, preprocessor_config.json and safetensors. english, mandarin: the labels of the two, where
    their names in config.json don't tell. Raises InputError for a folder of another kind, and for labels that name no
    language or several.
    """

    takes = "audio"

    def __init__(self, folder: str | Path, english: str | None = None, mandarin: str | None = None) -> None:
        made = network(folder, "Wav2Vec2ForSequenceClassification")
        self._extractor = processor(folder, "Wav2Vec2FeatureExtractor")
        given = {"english": english, "mandarin": mandarin}
        self._labels = [_index(made.config.id2label, name, label, folder) for name, label in given.items()]
        self._shortest = 1  # samples of one frame
        for kernel, stride in zip(reversed(made.config.conv_kernel), reversed(made.config.conv_stride), strict=True):
            self._shortest = (self._shortest - 1) * stride + kernel
        self._runner = Runner(made, Path(folder).parent.name)

    def predict(self, chunks: Sequence[np.ndarray]) -> np.ndarray:
        """(n,) log-ratios of the language's probabilities of chunks of int16 samples at 32 kHz.

        Only chunks of equal length go through the network together: it hears no padding.
        """
        scores = np.empty(len(chunks))
        order = sorted(range(len(chunks)), key=lambda i: len(chunks[i]))
        for _, group in groupby(order, key=lambda i: len(chunks[i])):
            same = list(group)
            scores[same] = self._runner.each([chunks[i] for i in same], self._forward)
        return scores

    def _forward(self, chunks: Sequence[np.ndarray]) -> list[float]:
        heard = [at_16_khz(chunk, CHUNK_RATE_HZ) / np.float32(32768) for chunk in chunks]
        heard = [np.pad(samples, (0, max(0, self._shortest - len(samples)))) for samples in heard]
        values = self._extractor(heard, sampling_rate=RATE_HZ, return_tensors="pt").input_values
        logits = finite(self._runner.network(self._runner.put(values)).logits).double()
        english, mandarin = self._labels
        return (logits[:, english] - logits[:, mandarin]).tolist()


def _index(labels: Mapping[int, str], name: str, given: str | None, folder: str | Path) -> int:
    """The one label that is given or names the language: as a whole, else by one of its words (``en_us``)."""
    if given is not None:
        found = [i for i, label in labels.items() if label == given]
    else:
        found = [i for i, label in labels.items() if label.casefold() in NAMES[name]]
        found = found or [i for i, label in labels.items() if NAMES[name] & {*re.findall("[a-z]+", label.casefold())}]
    if len(found) != 1:
        which = "no label" if not found else "several labels, " + ", ".join(f"'{labels[i]}'" for i in found) + ","
        sought = f"'{given}'" if given is not None else f"{name.title()} ({', '.join(sorted(NAMES[name]))})"
        some = ", ".join(f"'{label}'" for label in list(labels.values())[:3])
        raise InputError(
            f"id2label has {which} for {sought}; it begins with {some}: name one in the entry as options: {name}",
            Path(folder, CONFIG),
        )
    return found[0]
