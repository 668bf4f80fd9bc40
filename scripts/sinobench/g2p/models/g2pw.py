"""g2pW: a BERT and a weighted softmax over the readings of a character, from its published ONNX graph.

Of the folder the graph, the readings and the vocabulary are read; its ``config.py`` and the code that it has never are.
Source: Chen et al., g2pW, Interspeech 2022; the layout and the preparation of texts are those of g2pW-Cantonese.
"""

import os
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from sinobench.errors import InputError
from sinobench.g2p.models.g2pw_files import read_characters, read_tokenizer

_WORD = re.compile("[a-zA-Z0-9]+|[^ ]")
_PROVIDERS = ("CUDAExecutionProvider", "ROCMExecutionProvider", "CPUExecutionProvider")
_TOKENS_AT_ONCE = {"CPUExecutionProvider": 4096}
_TOKENS_AT_ONCE_ON_GPU = 65536
_NO_MEMORY = re.compile("alloc|out of memory|memory exhausted", re.IGNORECASE)


class Query(NamedTuple):
    """What the graph is asked: a window's tokens, where the character's stands in them, and the character's number."""

    tokens: tuple[int, ...]
    position: int
    character: int


class G2pw:
    """Predictions of a g2pW model.

    folder: of the files ``*.onnx``, ``POLYPHONIC_CHARS.txt`` and ``MONOPHONIC_CHARS.txt`` (a character, a tab and a
    reading a line), ``vocab.txt`` and perhaps ``added_tokens.json`` of its BERT. window: how many characters around a
    character the model was trained to see, half of them before it. Raises InputError for files that are not so, and for
    a graph with other inputs.
    """

    def __init__(self, folder: str, window: int = 32) -> None:
        if type(window) is not int or window < 2:
            raise InputError(f"the option window is {window!r}; give a whole number of characters, 2 or more")
        graphs = sorted(Path(folder).glob("*.onnx"))
        if len(graphs) != 1:
            raise InputError(f"has {len(graphs)} files *.onnx; list the one of the model among its files", folder)
        self._graph, self._half = graphs[0], window // 2
        self._known = read_characters(Path(folder))
        self._tokenizer = read_tokenizer(Path(folder))
        self._pieces: dict[str, list[int]] = {}
        self._session = _session(self._graph)
        self._check_graph()

    def predict(self, texts: list[str]) -> list[list[str | None]]:
        """One reading or None for each character of each text."""
        asked = {
            (number, i): self._query(text, i)
            for number, text in enumerate(texts)
            for i, character in enumerate(text)
            if character in self._known.numbers
        }
        answers = self._answers(list(dict.fromkeys(asked.values())))
        return [
            [
                answers[asked[number, i]] if (number, i) in asked else self._known.single.get(character)
                for i, character in enumerate(text)
            ]
            for number, text in enumerate(texts)
        ]

    def _query(self, text: str, i: int) -> Query:
        start = max(0, i - self._half)
        tokens: list[int] = [self._special("[CLS]")]
        position = 0
        for word in _WORD.finditer(text, start, min(len(text), i + self._half)):
            if word.start() <= i < word.end():
                position = len(tokens)
            tokens += self._tokens(word[0])
        return Query((*tokens, self._special("[SEP]")), position, self._known.numbers[text[i]])

    def _tokens(self, word: str) -> list[int]:
        """A character that the tokenizer drops, as it does control characters, is unknown: it keeps its place."""
        if word not in self._pieces:
            ids = self._tokenizer.encode(word, add_special_tokens=False).ids
            self._pieces[word] = ids or [self._special("[UNK]")]
        return self._pieces[word]

    def _special(self, token: str) -> int:
        return self._tokenizer.token_to_id(token)

    def _answers(self, queries: Sequence[Query]) -> dict[Query, str]:
        """The most probable reading for each query; those of one length are asked together, so that none is padded."""
        answers: dict[Query, str] = {}
        provider = self._session.get_providers()[0]
        at_once = _TOKENS_AT_ONCE.get(provider, _TOKENS_AT_ONCE_ON_GPU)
        for length, group in groupby(sorted(queries, key=lambda q: len(q.tokens)), key=lambda q: len(q.tokens)):
            for batch in _batches(list(group), max(1, at_once // length)):
                answers |= zip(batch, self._ask(batch), strict=True)
        return answers

    def _ask(self, batch: Sequence[Query]) -> list[str]:
        """The reading for each query; a batch for which there is no memory is asked in halves."""
        import numpy as np

        try:
            probabilities = self._session.run(None, self._inputs(batch))[0]
        except Exception as error:
            if not _NO_MEMORY.search(str(error)):
                raise InputError(f"can't be run: {error}; is it the graph of a g2pW model?", self._graph) from error
            if len(batch) == 1:
                raise InputError(
                    f"one text of {len(batch[0].tokens)} tokens is more than the memory holds ({error}); give the job "
                    "more memory, or run it without the GPU",
                    self._graph,
                ) from error
            half = len(batch) // 2
            return self._ask(batch[:half]) + self._ask(batch[half:])
        if not np.isfinite(probabilities).all():
            raise InputError("gives probabilities that are no numbers; its weights are damaged", self._graph)
        return [self._known.readings[best] for best in probabilities.argmax(axis=-1)]

    def _inputs(self, batch: Sequence[Query]) -> dict[str, Any]:
        import numpy as np

        ids = np.array([query.tokens for query in batch], np.int64)
        characters = np.array([query.character for query in batch], np.int64)
        return {
            "input_ids": ids,
            "token_type_ids": np.zeros_like(ids),
            "attention_mask": np.ones_like(ids),
            "phoneme_mask": self._known.masks[characters],
            "char_ids": characters,
            "position_ids": np.array([query.position for query in batch], np.int64),
        }

    def _check_graph(self) -> None:
        """Raises InputError for another graph, and for the readings or characters of another model."""
        wanted = self._inputs([Query((self._special("[CLS]"),) * 3, 1, len(self._known.numbers) - 1)])
        found = {given.name: given for given in self._session.get_inputs()}
        if found.keys() != wanted.keys():
            raise InputError(
                f"has the inputs {', '.join(sorted(found))}; expected those of g2pW: {', '.join(wanted)}", self._graph
            )
        n_readings = len(self._known.readings)
        for what, value in (("input phoneme_mask", found["phoneme_mask"]), ("output", self._session.get_outputs()[0])):
            if len(value.shape) != 2 or (isinstance(value.shape[1], int) and value.shape[1] != n_readings):
                raise InputError(
                    f"its {what} has the shape {value.shape}, and POLYPHONIC_CHARS.txt has {n_readings} readings; take "
                    "both files from the same revision",
                    self._graph,
                )
        # The last character's number and the largest token's are within the graph's tables, or this fails.
        largest = self._tokenizer.get_vocab_size() - 1
        self._ask([Query((self._special("[CLS]"), largest, largest), 1, len(self._known.numbers) - 1)])


def _batches(queries: Sequence[Query], size: int) -> Iterator[Sequence[Query]]:
    return (queries[start : start + size] for start in range(0, len(queries), size))


def _session(graph: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(os.environ.get("OMP_NUM_THREADS", "0"))  # the job's; 0 is all
    available = onnxruntime.get_available_providers()
    try:
        return onnxruntime.InferenceSession(str(graph), options, providers=[p for p in _PROVIDERS if p in available])
    except Exception as error:
        raise InputError(f"can't be loaded by ONNX Runtime: {error}", graph) from error
