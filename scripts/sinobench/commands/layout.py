"""Tables for people: as aligned text, Markdown, or a plain LaTeX tabular."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sinobench.errors import printable

FORMATS = ("table", "markdown", "latex")

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
} | {character: f"\\{character}" for character in "&%$#_{}"}
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~#])")
_NEGATIVE = re.compile(r"(?<![\w.])-(?=[0-9])")


@dataclass(frozen=True)
class Layout:
    """A table of cells that are text already. right: the columns that stand at their right edge."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: frozenset[str] = frozenset()


def render(layouts: Iterable[Layout], form: str) -> str:
    """The tables one below the other in one of ``FORMATS``; cells are printable and can't end their row."""
    make = {"table": _text, "markdown": _markdown, "latex": _latex}[form]
    return "\n\n".join(make(layout) for layout in layouts)


def _text(layout: Layout) -> str:
    table = [[printable(cell) for cell in row] for row in (layout.header, *layout.rows)]
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    lines = [layout.title]
    for row in table:
        cells = []
        for name, cell, wanted in zip(layout.header, row, widths, strict=True):
            blank = " " * (wanted - width(cell))
            cells.append(blank + cell if name in layout.right else cell + blank)
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _markdown(layout: Layout) -> str:
    rules = ["---:" if name in layout.right else "---" for name in layout.header]
    rows = [list(map(_in_markdown, row)) for row in (layout.header, *layout.rows)]
    lines = ["| " + " | ".join(row) + " |" for row in (rows[0], rules, *rows[1:])]
    return "\n".join([f"**{_in_markdown(layout.title)}**", "", *lines])


def _latex(layout: Layout) -> str:
    columns = "".join("r" if name in layout.right else "l" for name in layout.header)
    header, *rows = (" & ".join(map(_in_latex, row)) + r" \\" for row in (layout.header, *layout.rows))
    lines = [f"% {printable(layout.title)}", rf"\begin{{tabular}}{{{columns}}}", r"\hline", header, r"\hline"]
    return "\n".join([*lines, *rows, r"\hline", r"\end{tabular}"])


def _in_markdown(cell: str) -> str:
    return _MARKDOWN.sub(r"\\\1", printable(cell))


def _in_latex(cell: str) -> str:
    escaped = "".join(_LATEX.get(character, character) for character in printable(cell))
    return _NEGATIVE.sub("$-$", escaped)


def width(text: str) -> int:
    """The columns of a terminal that the text takes: two for a Chinese character."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
