"""Tables in print: text of a terminal's width, Markdown, LaTeX; Chinese characters count two columns."""

import unicodedata
from collections.abc import Sequence

WIDTH = 80
GAP = "  "
_LATEX = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"})


def width(text: str) -> int:
    """The columns of a terminal that a text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def cut(text: str, columns: int) -> str:
    """The text, cut to as many columns of a terminal."""
    if width(text) <= columns:
        return text
    while width(text) > columns - 1:
        text = text[:-1]
    return text + "…"


def padded(text: str, columns: int, right: bool = False) -> str:
    """The text, filled up with blanks to as many columns of a terminal."""
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def table(names: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[str], columns: int = WIDTH) -> list[str]:
    """Lines of at most ``columns`` columns; the cells of ``left`` start at the left, and the longest of them give way."""
    widths = [max(map(width, cells)) for cells in zip(names, *rows, strict=True)]
    while (over := sum(widths) + len(GAP) * (len(widths) - 1) - columns) > 0:
        longest = max((i for i, name in enumerate(names) if name in left), key=widths.__getitem__)
        if widths[longest] <= 8:
            break
        widths[longest] -= min(over, max(1, widths[longest] - 8))
    return [
        GAP.join(
            padded(cut(cell, wide), wide, name not in left)
            for cell, wide, name in zip(cells, widths, names, strict=True)
        ).rstrip()
        for cells in (names, *rows)
    ]


def markdown(names: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[str]) -> list[str]:
    """A table in Markdown."""
    marks = [":---" if name in left else "---:" for name in names]
    cells = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row] for row in (names, *rows)]
    return [f"| {' | '.join(row)} |" for row in (cells[0], marks, *cells[1:])]


def latex(names: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[str]) -> list[str]:
    """A ``tabular`` with the rules of booktabs."""
    lines = [" & ".join(cell.translate(_LATEX).replace("–", "--") for cell in row) + r" \\" for row in (names, *rows)]
    kinds = "".join("l" if name in left else "r" for name in names)
    return [
        rf"\begin{{tabular}}{{{kinds}}}",
        r"\toprule",
        lines[0],
        r"\midrule",
        *lines[1:],
        r"\bottomrule",
        r"\end{tabular}",
    ]
