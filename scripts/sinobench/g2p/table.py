"""The scorer's TSV: one target character a line, with its label and a model's prediction."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import lt
from pathlib import Path

from sinobench.errors import InputError, nearest, short
from sinobench.g2p.corpus import parse_labels
from sinobench.text import read_lines, whole_number

COLUMNS = ("text", "position", "label", "prediction", "output_length")


@dataclass(frozen=True)
class Items:
    """n rows of the TSV. ``labels``, ``predictions`` and ``output_lengths`` are None without their column."""

    texts: list[str]
    positions: list[int]
    labels: list[list[str]] | None
    predictions: list[str | None] | None
    output_lengths: list[int] | None


def read_items(path: str | Path, need_labels: bool = True, need_predictions: bool = True) -> Items:
    """Read a TSV with a header naming text, position (0-based code point), label, prediction[, output_length].

    Columns may stand in any order; an empty prediction is none. Raises InputError, naming file and line, for an unknown
    or missing column, a row of another width, a position outside the text, a label that is no Jyutping, a bad length.
    """
    path = Path(path)
    lines = read_lines(path)
    header = lines[0].split("\t")
    for name in header:
        if name not in COLUMNS:
            raise InputError(f"unknown column '{name}' in the header; {nearest(name, COLUMNS)}", path, 1)
        if header.count(name) > 1:
            raise InputError(f"column '{name}' stands twice in the header", path, 1)
    needless = {"label": not need_labels, "prediction": not need_predictions, "output_length": True}
    wanted = [name for name in COLUMNS if not needless.get(name)]
    for name in wanted:
        if name not in header:
            raise InputError(f"no column '{name}' in the header; expected tab-separated {', '.join(wanted)}", path, 1)
    if len(lines) == 1:
        raise InputError("holds a header and no item", path, 1)
    for line, row in enumerate(lines[1:], start=2):
        if (n_fields := row.count("\t") + 1) != len(header):
            raise InputError(
                f"expected {len(header)} tab-separated fields as in the header, found {n_fields}", path, line
            )
    # A column at once: nothing is made of a row.
    cells = "\t".join(lines[1:]).split("\t")
    columns = {name: cells[place :: len(header)] for place, name in enumerate(header)}
    first_lines: dict[str, int] = {}
    for line, text in enumerate(columns.get("label", ()), start=2):
        first_lines.setdefault(text, line)
    parsed = {text: parse_labels(text, path, line) for text, line in first_lines.items()}
    return Items(
        columns["text"],
        _positions(columns["position"], columns["text"], path),
        [parsed[text] for text in columns["label"]] if "label" in columns else None,
        [prediction or None for prediction in columns["prediction"]] if "prediction" in columns else None,
        _lengths(columns["output_length"], path) if "output_length" in columns else None,
    )


def _positions(values: Sequence[str], texts: Sequence[str], path: Path) -> list[int]:
    numbers = _whole_numbers(values)
    if numbers is not None and all(map(lt, numbers, map(len, texts))):
        return numbers
    for line, (value, text) in enumerate(zip(values, texts, strict=True), start=2):
        if (position := whole_number(value)) is None or position >= len(text):
            raise InputError(
                f"position '{short(value)}' is not in '{short(text)}'; expected a whole number from 0 to "
                f"{len(text) - 1}",
                path,
                line,
            )
    return numbers


def _lengths(values: Sequence[str], path: Path) -> list[int]:
    if (numbers := _whole_numbers(values)) is not None:
        return numbers
    for line, value in enumerate(values, start=2):
        if whole_number(value) is None:
            raise InputError(f"output_length '{short(value)}' is no whole number from 0", path, line)
    return numbers


def _whole_numbers(values: Sequence[str]) -> list[int] | None:
    """The numbers of texts that are whole ones of up to nine digits, by the few that are distinct; None for others."""
    number_of = {value: whole_number(value) for value in set(values)}
    return None if None in number_of.values() else [number_of[value] for value in values]
