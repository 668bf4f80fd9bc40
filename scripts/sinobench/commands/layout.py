"""Tables for people: as aligned text, Markdown, or a plain LaTeX tabular."""

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sinobench.errors import printable

FORMATS = ("table", "markdown", "latex")
TERMINAL = 80  # columns of it that a table takes at most

_GAP = "  "
_NARROWEST = 8  # columns that a cell keeps
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
    """A table of cells that are text already. right: the columns that stand at their right edge; notes: lines below."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: frozenset[str] = frozenset()
    notes: Sequence[str] = ()


def render(layouts: Iterable[Layout], form: str) -> str:
    """The tables one below the other in one of ``FORMATS``; cells are printable and can't end their row."""
    make = {"table": _text, "markdown": _markdown, "latex": _latex}[form]
    return "\n\n".join(make(layout) for layout in layouts)


def fitted(layout: Layout, columns: int = TERMINAL) -> Layout:
    """The table for a terminal of as many columns: the longest cells at a left edge are cut, and the title; notes go
    on in further lines."""
    widths = [max(map(width, map(printable, cells))) for cells in zip(layout.header, *layout.rows, strict=True)]
    left = [place for place, name in enumerate(layout.header) if name not in layout.right]
    while left and sum(widths) + len(_GAP) * (len(widths) - 1) > columns:
        longest = max(left, key=widths.__getitem__)
        if widths[longest] <= _NARROWEST:
            break
        widths[longest] -= 1
    rows = [[cut(printable(cell), wide) for cell, wide in zip(row, widths, strict=True)] for row in layout.rows]
    wrapped = partial(textwrap.wrap, width=columns, subsequent_indent=_GAP)
    notes = [cut(line, columns) for note in layout.notes for line in wrapped(printable(note)) or [""]]
    return replace(layout, title=cut(printable(layout.title), columns), rows=rows, notes=notes)


def cut(text: str, columns: int) -> str:
    """The text, cut to as many columns of a terminal."""
    if width(text) <= columns:
        return text
    while width(text) >= columns:
        text = text[:-1]
    return f"{text}…"


def _text(layout: Layout) -> str:
    table = [[printable(cell) for cell in row] for row in (layout.header, *layout.rows)]
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    lines = [layout.title]
    for row in table:
        cells = []
        for name, cell, wanted in zip(layout.header, row, widths, strict=True):
            blank = " " * (wanted - width(cell))
            cells.append(blank + cell if name in layout.right else cell + blank)
        lines.append(_GAP.join(cells).rstrip())
    return "\n".join([*lines, *map(printable, layout.notes)])


def _markdown(layout: Layout) -> str:
    rules = ["---:" if name in layout.right else "---" for name in layout.header]
    rows = [list(map(_in_markdown, row)) for row in (layout.header, *layout.rows)]
    lines = ["| " + " | ".join(row) + " |" for row in (rows[0], rules, *rows[1:])]
    notes = [part for note in layout.notes for part in ("", _in_markdown(note))]
    return "\n".join([f"**{_in_markdown(layout.title)}**", "", *lines, *notes])


def _latex(layout: Layout) -> str:
    columns = "".join("r" if name in layout.right else "l" for name in layout.header)
    header, *rows = (" & ".join(map(_in_latex, row)) + r" \\" for row in (layout.header, *layout.rows))
    lines = [f"% {printable(layout.title)}", rf"\begin{{tabular}}{{{columns}}}", r"\hline", header, r"\hline"]
    notes = [f"% {printable(note)}" for note in layout.notes]
    return "\n".join([*lines, *rows, r"\hline", r"\end{tabular}", *notes])


def _in_markdown(cell: str) -> str:
    return _MARKDOWN.sub(r"\\\1", printable(cell))


def _in_latex(cell: str) -> str:
    escaped = "".join(_LATEX.get(character, character) for character in printable(cell))
    return _NEGATIVE.sub("$-$", escaped)


def width(text: str) -> int:
    """The columns of a terminal that the text takes: two for a Chinese character."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
