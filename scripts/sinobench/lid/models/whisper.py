"""Whisper's own language identification: what its decoder says first, in the layout of the transformers library."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sinobench.errors import InputError
from sinobench.hub.device import Runner, finite
from sinobench.hub.pretrained import network, processor, settings
from sinobench.merlion.audio.features import at_16_khz
from sinobench.merlion.audio.wav import RATE_HZ as CHUNK_RATE_HZ

RATE_HZ = 16_000
GENERATION = "generation_config.json"
TOKENS = ("<|en|>", "<|zh|>")


class Whisper:
    """Scores log p(English) - log p(Mandarin), in which the other languages' share and all normalization cancel.

    One step of the decoder, on the start token alone, gives the probabilities of the language tokens. Source: Radford
    et al., "Robust speech recognition via large-scale weak supervision", 2022; its code's detect_language. folder: with
    config.json, generation_config.json, preprocessor_config.json and safetensors. Raises InputError for a folder of
    another kind, and for a model of English alone.
    """

    takes = "audio"

    def __init__(self, folder: str | Path) -> None:
        made = network(folder, "WhisperForConditionalGeneration")
        self._extractor = processor(folder, "WhisperFeatureExtractor")
        said = settings(folder, GENERATION)
        self._start = said.get("decoder_start_token_id", made.config.decoder_start_token_id)
        tokens = said.get("lang_to_id") or {}
        if missing := [token for token in TOKENS if token not in tokens]:
            raise InputError(
                f"lang_to_id has no {' and no '.join(missing)}; take a multilingual Whisper, not one of English alone",
                Path(folder, GENERATION),
            )
        self._english, self._mandarin = (tokens[token] for token in TOKENS)
        self._runner = Runner(made, Path(folder).parent.name)

    def predict(self, chunks: Sequence[np.ndarray]) -> np.ndarray:
        """(n,) log-ratios of the language's probabilities of chunks of int16 samples at 32 kHz.

        Each is filled up to the 30 s that the encoder hears.
        """
        return np.array(self._runner.each(chunks, self._forward))

    def _forward(self, chunks: Sequence[np.ndarray]) -> list[float]:
        import torch

        heard = [at_16_khz(chunk, CHUNK_RATE_HZ) / np.float32(32768) for chunk in chunks]
        values = self._extractor(heard, sampling_rate=RATE_HZ, return_tensors="pt").input_features
        inputs = {"input_features": values, "decoder_input_ids": torch.full((len(chunks), 1), self._start)}
        inputs = {name: self._runner.put(tensor) for name, tensor in inputs.items()}
        output = self._runner.network(**inputs, use_cache=False)
        logits = finite(output.logits[:, -1]).double()
        return (logits[:, self._english] - logits[:, self._mandarin]).tolist()
