"""Masked language models trained to correct, as MacBERT4CSC is: at each position the character that belongs there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sinobench.errors import InputError
from sinobench.hub import pretrained

if TYPE_CHECKING:
    import torch

CLASS = "BertForMaskedLM"
VOCABULARIES = ("vocab.txt", "tokenizer.json")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Window(NamedTuple):
    """Tokens of a text that the network sees at once, and where in them its predictions count."""

    text: int
    start: int
    tokens: list[int]
    counts: range


class MaskedLm:
    """Loaded from a folder with config.json, model.safetensors and vocab.txt or tokenizer.json.

    Only a position that is one Chinese character and one token, and that as it stands in the text, may change, and only
    to a Chinese character: all else of a text stays, and its length does. A text longer than the network can see goes
    through in windows that overlap, each token by the window in which it is farther from an end.
    """

    def __init__(self, folder: str) -> None:
        from sinobench.hub.device import Runner

        # Without any the library makes a tokenizer that knows no word.
        if not any(Path(folder, name).is_file() for name in VOCABULARIES):
            raise InputError(f"has neither {' nor '.join(VOCABULARIES)}; list one in `files`", folder)
        network = pretrained.network(folder, CLASS)
        self._tokenizer = pretrained.processor(folder, "BertTokenizer")
        tokens = self._tokenizer.convert_ids_to_tokens(list(range(len(self._tokenizer))))
        if len(tokens) > network.config.vocab_size:
            raise InputError(
                f"has {len(tokens)} tokens, but the network knows {network.config.vocab_size}; pin the files of one "
                "revision",
                folder,
            )
        # Text may say [MASK] without meaning it.
        self._tokenizer.backend_tokenizer.encode_special_tokens = True
        # What each token would write; ## before a character says only that it follows another.
        self._written = [_chinese(token.removeprefix("##")) for token in tokens]
        self._tokens = tokens
        self._size = min(network.config.max_position_embeddings, self._tokenizer.model_max_length) - 2
        self._runner = Runner(network, CLASS)

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The texts with the characters that the network finds likeliest."""
        encoded = [self._encoded(text) for text in texts]
        windows = [
            Window(i, start, tokens[start:stop], counts)
            for i, (tokens, _) in enumerate(encoded)
            for start, stop, counts in _windows(len(tokens), self._size)
        ]
        # Those of a batch are as long as its longest, and what does not fit into memory shows at once.
        windows.sort(key=lambda window: -len(window.tokens))
        corrected = [list(text) for text in texts]
        for window, likeliest in zip(windows, self._runner.each(windows, self._forward), strict=True):
            places = encoded[window.text][1]
            for i in places.keys() & window.counts:
                if found := self._written[likeliest[i - window.start]]:
                    corrected[window.text][places[i]] = found
        return ["".join(characters) for characters in corrected]

    def _encoded(self, text: str) -> tuple[list[int], dict[int, int]]:
        """The tokens of a text, and the place in it of each token that may change."""
        encoding = self._tokenizer.backend_tokenizer.encode(_SURROGATE.sub("\ufffd", text), add_special_tokens=False)
        places = {
            i: a
            for i, (token, (a, b)) in enumerate(zip(encoding.ids, encoding.offsets, strict=True))
            if b == a + 1 and self._tokens[token] == text[a] and _chinese(text[a])
        }
        return encoding.ids, places

    def _forward(self, windows: Sequence[Window]) -> list[list[int]]:
        """The likeliest token at each position of each window."""
        import torch

        from sinobench.hub.device import finite

        tokenizer = self._tokenizer
        longest = max(len(window.tokens) for window in windows) + 2
        ids = torch.full((len(windows), longest), tokenizer.pad_token_id)
        mask = torch.zeros_like(ids)
        for row, window in enumerate(windows):
            content = [tokenizer.cls_token_id, *window.tokens, tokenizer.sep_token_id]
            ids[row, : len(content)] = torch.tensor(content)
            mask[row, : len(content)] = 1
        mask = self._runner.put(mask)
        logits: torch.Tensor = self._runner.network(input_ids=self._runner.put(ids), attention_mask=mask).logits
        largest, likeliest = logits.max(-1)
        finite(largest[mask.bool()])
        found = likeliest.tolist()
        return [found[row][1 : len(window.tokens) + 1] for row, window in enumerate(windows)]


def _chinese(text: str) -> str:
    """The text if it is one character of Chinese writing, else nothing."""
    # The unified ideographs and their extensions; compatibility ideographs stand for others.
    known = len(text) == 1 and (
        "\u4e00" <= text <= "\u9fff" or "\u3400" <= text <= "\u4dbf" or "\U00020000" <= text <= "\U000323af"
    )
    return text if known else ""


def _windows(n: int, size: int) -> Iterator[tuple[int, int, range]]:
    """Start and stop of windows over n tokens, which overlap by half, and the tokens that count in each."""
    start, counted = 0, 0
    while counted < n:
        stop = min(start + size, n)
        following = min(stop - size // 2, n - size)
        to = n if stop == n else (following + stop) // 2
        yield start, stop, range(counted, to)
        start, counted = following, to
