"""Annotated verse in the shape of the whole Du Fu: poems of 62 characters in the middle, syllables below each line."""

from pathlib import Path

import numpy as np

from sinobench.samples.sized.drawing import Files, Frequencies, characters, lengths, stream

# How often the label of a character with several readings is found. Else it is another of them: so are 998 of 1,000
# errors of the models that the catalog has, on the public corpora.
MODELS = {"sized-a": 0.92, "sized-b": 0.88}
_POEMS = 500
_FIRST_READING = 0.9  # of the readings that a dictionary has, how often the first is right


def make(folder: Path, size: int, seed: int) -> dict:
    """Write ``verse.txt`` with that many characters, to the end of a poem, and outputs of two models.

    Returns keys of the corpus's entry.
    """
    inventory, readings = _inventory()
    frequencies = Frequencies(len(inventory), seed)
    n_readings = np.array(list(map(len, readings)))
    starts, flat = np.cumsum(n_readings) - n_readings, np.array([reading for of in readings for reading in of])
    block = n_poems = 0
    with Files(folder, "verse.txt", *(f"{model}.txt" for model in MODELS)) as files:
        while size > 0:
            random = stream(seed, "g2p", block)
            block += 1
            for verses in _poems(random):
                n_poems += 1
                n = sum(map(len, verses))
                places = frequencies.draw(n, random)
                first, of_each = starts[places], n_readings[places]
                usual, other = random.random(n) < _FIRST_READING, random.random(n)
                label = np.where(usual, 0, (other * of_each).astype(int))
                labels = flat[first + label].tolist()
                files.write("verse.txt", _lines(n_poems, verses, [inventory[place] for place in places], labels))
                for model, right in MODELS.items():
                    another = (label + 1 + (random.random(n) * (of_each - 1)).astype(int)) % of_each
                    found = np.where(random.random(n) < right, label, another)
                    files.write(f"{model}.txt", flat[first + found].tolist())
                size -= n
                if size <= 0:
                    break
    return {"reader": "dufu", "register": "classical", "files": {"text": str(folder / "verse.txt")}}


def _inventory() -> tuple[list[str], list[list[str]]]:
    """The frequent characters of Big5 that have a reading of one syllable, and these readings of each."""
    import ToJyutping

    found = ToJyutping.get_jyutping_candidates("".join(characters("big5", (0xA4, 0x40), (0xC6, 0x7E))))
    single = ((character, [each for each in readings if " " not in each]) for character, readings in found)
    known = [(character, readings) for character, readings in single if readings]
    return [character for character, _ in known], [readings for _, readings in known]


def _poems(random: np.random.Generator) -> list[list[range]]:
    """The title and the couplets of each poem, as ranges of its characters."""
    n_couplets = lengths(5.4, 8.9, 2, 180, _POEMS, random)
    found = []
    feet, titles = random.choice([5, 7], _POEMS, p=[0.8, 0.2]), random.integers(2, 8, _POEMS)
    for n, foot, title in zip(n_couplets.tolist(), feet.tolist(), titles.tolist(), strict=True):
        starts = range(title, title + 2 * foot * n, 2 * foot)
        found.append([range(title), *(range(start, start + 2 * foot) for start in starts)])
    return found


def _lines(number: int, verses: list[range], poem: list[str], labels: list[str]) -> list[str]:
    lines = []
    for place, verse in enumerate(verses):
        text = "".join(poem[verse.start : verse.stop])
        half = len(text) // 2
        lines.append(f"{text[:half]}，{text[half:]}" if place else f"{number:04d} {text}")
        lines.append(" ".join(labels[verse.start : verse.stop]))
    return [*lines, ""]
