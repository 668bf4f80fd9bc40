"""From the outputs of a model, or a file of predictions, to one prediction an item."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sinobench.beside import beside
from sinobench.cells import columns
from sinobench.errors import InputError, short
from sinobench.g2p.table import predicted, read_items
from sinobench.text import lines_of, read_utf8, storable, stream_lines


def check_output(text: str, output: Any) -> str | None:
    """What is wrong with a model's output for one text, or None: a list of strings and None, of any length."""
    if not isinstance(output, (list, tuple)):
        return f"the output is {type(output).__name__}; expected a list with one entry a character"
    for entry in output:
        if entry is not None and not isinstance(entry, str):
            return f"the output holds {entry!r} ({type(entry).__name__}); expected a syllable or None"
    return None


def from_outputs(
    texts: Sequence[str], positions: Sequence[int], outputs: Mapping[str, Sequence[str | None]]
) -> tuple[list[str | None], list[int]]:
    """The entry at each item's position as the model gave it, and each output's length.

    None where the output does not reach the position, or is empty there; lone surrogates, which no file can hold, stand
    as escapes.
    """
    lengths = [len(outputs[text]) for text in texts]
    entries = [
        _raw(outputs[text][position]) if position < length else None
        for text, position, length in zip(texts, positions, lengths, strict=True)
    ]
    return entries, lengths


def _raw(entry: str | None) -> str | None:
    return storable(entry) if entry else None


def from_file(
    path: str, texts: Sequence[str], positions: Sequence[int]
) -> tuple[Sequence[str | None], list[int] | None]:
    """Predictions of a TSV by text and position, None for an item that it lacks, and lengths of outputs.

    None for these where all outputs are as long as their texts, as they are taken to be unless the file says otherwise.

    A file without any tab has a syllable a line in the items' order, nothing where there is none. Raises InputError for
    a row that is no item of the corpus, or that repeats one with another prediction; for another number of lines than
    items, and for a line of several words.
    """
    data = read_utf8(path)
    if b"\t" not in data:
        return _from_lines(data, path, len(texts)), None
    table = read_items(path, need_labels=False)
    lengths = table.output_lengths or [len(text) for text in table.texts]
    known = set(zip(texts, positions, strict=True))
    given: dict[tuple[str, int], tuple[str | None, int]] = {}
    rows = zip(table.texts, table.positions, table.predictions, lengths, strict=True)
    for line, (text, position, prediction, length) in enumerate(rows, start=2):
        if (text, position) not in known:
            raise InputError(f"'{text}' with position {position} is no item of the corpus", path, line)
        if given.setdefault((text, position), (prediction, length)) != (prediction, length):
            raise InputError(f"'{text}' with position {position} stands twice with different predictions", path, line)
    wanted = [given.get(key, (None, len(key[0]))) for key in zip(texts, positions, strict=True)]
    return [prediction for prediction, _ in wanted], [length for _, length in wanted]


def stream_file(
    path: str, parts: Callable[[], Iterable[Sequence[tuple[str, int]]]]
) -> Iterator[list[tuple[str | None, int]]]:
    """``from_file`` of texts and positions that are had some at a time, as often as they are wanted.

    Gives the prediction and the length of the output of each item of a part. A file of syllables is read beside the
    items, of a table digests are held.
    """
    # Needs what writes tables, which takes its time to load.
    from sinobench.g2p.tabled import Tabled

    is_table = "\t" in next(stream_lines(path))
    if is_table and (table := Tabled.of(path)):
        yield from map(table.given, parts())
        if table.is_used_up:
            return
        # What is wrong with it is said, by one who holds it.

    def given(items: Sequence[tuple[str, int]], lines: Sequence[str]) -> list[tuple[str | None, int]] | None:
        alike = len(lines) == len(items) and not any("\t" in line or len(line.split()) > 1 for line in lines)
        return (
            [(line.strip() or None, len(text)) for line, (text, _) in zip(lines, items, strict=True)] if alike else None
        )

    def whole() -> Iterator[tuple[str | None, int]]:
        items = [item for part in parts() for item in part]
        predictions, lengths = from_file(path, *zip(*items, strict=True))
        return zip(predictions, lengths or [len(text) for text, _ in items], strict=True)

    yield from beside(parts, stream_lines(path), given, whole)


def _from_lines(data: bytes, path: str, n_items: int) -> Sequence[str | None]:
    cells = columns(data, 1, " ") if data.isascii() else None
    if cells and len(cells[0]) == n_items:
        return predicted(cells[0])
    lines = lines_of(data)
    if len(lines) != n_items:
        raise InputError(
            f"has {len(lines)} lines without a tab, for {n_items} items; give one syllable a line in the items' order, "
            "or a table with the columns text, position, prediction",
            path,
        )
    for number, line in enumerate(lines, start=1):
        if len(line.split()) > 1:
            raise InputError(f"'{short(line)}' is more than one syllable; give that of the item alone", path, number)
    return [line.strip() or None for line in lines]
