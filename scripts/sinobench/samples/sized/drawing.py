"""What all sized corpora are drawn with."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

_ZIPF_OFFSET = 2.7  # Mandelbrot's, of word and character frequencies


def stream(seed: int, task: str, block: int) -> np.random.Generator:
    """The random stream of one block of a corpus."""
    return np.random.default_rng([seed, *task.encode(), block])


def blocks(size: int, rows: int) -> Iterator[tuple[int, int]]:
    """The number of each block and how many rows it has, of ``rows`` but the last."""
    for block, start in enumerate(range(0, size, rows)):
        yield block, min(rows, size - start)


def lengths(median: float, mean: float, least: int, most: int, n: int, random: np.random.Generator) -> np.ndarray:
    """(n,) whole numbers, lognormal with this median and mean before they are kept from least to most."""
    sigma = np.sqrt(2 * np.log(mean / median))
    return np.clip(np.rint(random.lognormal(np.log(median), sigma, n)), least, most).astype(np.int64)


class Frequencies:
    """Places of an inventory by Zipf's law, the same ones frequent in every block."""

    def __init__(self, n: int, seed: int) -> None:
        shares = 1 / (np.arange(n) + 1 + _ZIPF_OFFSET)
        self._ends = np.cumsum(shares / shares.sum())
        self._place = np.random.default_rng([seed, n]).permutation(n)

    def draw(self, n: int, random: np.random.Generator) -> np.ndarray:
        """(n,) places."""
        return self._place[np.minimum(np.searchsorted(self._ends, random.random(n)), len(self._place) - 1)]


def characters(codec: str, first: Sequence[int], last: Sequence[int]) -> list[str]:
    """The characters of a double-byte character set, from and to these lead bytes, in its order."""
    codes = (bytes([lead, trail]) for lead in range(first[0], last[0] + 1) for trail in range(0x40, 0xFF))
    found = (code.decode(codec, "ignore") for code in codes if bytes(first) <= code <= bytes(last))
    # What is no code of the set may have a letter in its second byte.
    return [each for each in found if len(each) == 1 and not each.isascii()]


def texts(codes: np.ndarray, sizes: np.ndarray) -> list[str]:
    """Code points (sizes.sum(),) as texts of these sizes."""
    whole = codes.astype("<u4").tobytes().decode("utf-32-le")
    ends = np.cumsum(sizes)
    return [whole[a:b] for a, b in zip((ends - sizes).tolist(), ends.tolist(), strict=True)]


class Files:
    """Text files in a folder that are written line by line."""

    def __init__(self, folder: Path, *names: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._files = {name: (folder / name).open("w", encoding="utf-8", newline="\n") for name in names}

    def write(self, name: str, lines: Iterable[str]) -> None:
        """Lines, each with its end added."""
        self._files[name].writelines(f"{line}\n" for line in lines)

    def __enter__(self) -> "Files":
        return self

    def __exit__(self, *raised: object) -> None:
        for file in self._files.values():
            file.close()
