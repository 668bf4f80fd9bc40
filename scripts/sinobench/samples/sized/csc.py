"""Spelling pairs in the shape of NLPCC 2023's: sentences of 38 characters in the middle, half of them with an error."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from sinobench.samples.sized.drawing import Files, Frequencies, blocks, characters, lengths, stream, texts

MODELS = {"sized-a": (0.6, 0.08), "sized-b": (0.5, 0.05)}  # share of errors corrected, of sentences altered
_ROWS = 10_000
_N_ERRORS = (0.5, 0.47, 0.03)  # of a sentence
_CLAUSE = 12  # characters between commas


def make(folder: Path, size: int, seed: int, models: Mapping[str, tuple[float, float]] = MODELS) -> dict:
    """Write ``pairs.tsv`` with that many pairs, and outputs of the models. Returns keys of the corpus's entry."""
    # GB 2312 has its frequent characters by their pronunciation: what stands beside one mostly sounds like it.
    inventory = np.array([ord(each) for each in characters("gb2312", (0xB0, 0xA1), (0xD7, 0xF9))])
    frequencies = Frequencies(len(inventory), seed)
    with Files(folder, "pairs.tsv", *(f"{model}.txt" for model in models)) as files:
        for block, n in blocks(size, _ROWS):
            random = stream(seed, "csc", block)
            sizes = lengths(38, 45.8, 8, 400, n, random)
            places = frequencies.draw(int(sizes.sum()), random)
            gold = inventory[places]
            starts = np.cumsum(sizes) - sizes
            within = np.arange(len(gold)) - np.repeat(starts, sizes)
            is_mark = (within % _CLAUSE == _CLAUSE - 1) | (within == np.repeat(sizes, sizes) - 1)
            gold[is_mark] = ord("，")
            gold[starts + sizes - 1] = ord("。")
            wrong = _wrong(sizes, starts, is_mark, random)
            beside = (places[wrong] + random.choice([-3, -2, -1, 1, 2, 3], len(wrong))) % len(inventory)
            source = gold.copy()
            source[wrong] = inventory[beside]
            inputs, golds = texts(source, sizes), texts(gold, sizes)
            files.write("pairs.tsv", map("\t".join, zip(inputs, golds, strict=True)))
            for model, (corrected, altered) in models.items():
                output = source.copy()
                right = wrong[random.random(len(wrong)) < corrected]
                output[right] = gold[right]
                # Position 0 is a character in every sentence.
                spoilt = starts[random.random(n) < altered]
                output[spoilt] = inventory[frequencies.draw(len(spoilt), random)]
                files.write(f"{model}.txt", map("\t".join, zip(inputs, texts(output, sizes), strict=True)))
    return {"reader": "pairs", "files": {"text": str(folder / "pairs.tsv")}}


def _wrong(sizes: np.ndarray, starts: np.ndarray, is_mark: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The distinct places of errors, none on a mark."""
    n_errors = random.choice(len(_N_ERRORS), len(sizes), p=_N_ERRORS)
    of = np.repeat(np.arange(len(sizes)), n_errors)
    places = np.unique(starts[of] + random.integers(0, sizes[of]))
    return places[~is_mark[places]]
