"""The scorer's TSV: one target character a line, with its label and a model's prediction."""

from dataclasses import dataclass
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
    rows = [line.split("\t") for line in lines[1:]]
    for line, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise InputError(
                f"expected {len(header)} tab-separated fields as in the header, found {len(row)}", path, line
            )
    columns = dict(zip(header, zip(*rows, strict=True), strict=True))
    parsed = {
        text: parse_labels(text, path, columns["label"].index(text) + 2)
        for text in dict.fromkeys(columns.get("label", ()))
    }
    return Items(
        list(columns["text"]),
        _positions(columns["position"], columns["text"], path),
        [parsed[text] for text in columns["label"]] if "label" in columns else None,
        [prediction or None for prediction in columns["prediction"]] if "prediction" in columns else None,
        _lengths(columns["output_length"], path) if "output_length" in columns else None,
    )


def _positions(values: tuple[str, ...], texts: tuple[str, ...], path: Path) -> list[int]:
    for line, (value, text) in enumerate(zip(values, texts, strict=True), start=2):
        if (position := whole_number(value)) is None or position >= len(text):
            raise InputError(
                f"position '{short(value)}' is not in '{short(text)}'; expected a whole number from 0 to "
                f"{len(text) - 1}",
                path,
                line,
            )
    return [int(value) for value in values]


def _lengths(values: tuple[str, ...], path: Path) -> list[int]:
    for line, value in enumerate(values, start=2):
        if whole_number(value) is None:
            raise InputError(f"output_length '{short(value)}' is no whole number from 0", path, line)
    return [int(value) for value in values]
