"""What all pictures share: names and colours, fonts, the places of labels, and the files."""

from __future__ import annotations

import logging
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import altair as alt
    import duckdb

_log = logging.getLogger(__name__)

# Paul Tol's "muted" scheme for colour-blind readers without its pale yellow and grey, and black.
_COLOURS = ("#332288", "#CC6677", "#117733", "#88CCEE", "#882255", "#44AA99", "#999933", "#AA4499", "#000000")
_NO_MODEL_OF_OURS = "#777777"
_LATIN_FONTS = "Liberation Sans, Arial, Helvetica"  # vl-convert brings the first
_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts", "/Library/Fonts")
_FONT_FILES = {  # the start of a file's name: the family inside
    "NotoSansCJK": "Noto Sans CJK HK",
    "NotoSansHK": "Noto Sans HK",
    "NotoSansTC": "Noto Sans TC",
    "SourceHanSans": "Source Han Sans HC",
    "wqy-zenhei": "WenQuanYi Zen Hei",
    "wqy-microhei": "WenQuanYi Micro Hei",
    "DroidSansFallback": "Droid Sans Fallback",
    "Arial Unicode": "Arial Unicode MS",
}
_CJK = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_PUBLISHED = " (published)"


@dataclass(frozen=True)
class Names:
    """Titles as they can be drawn, colours by model id, and the fonts to draw with."""

    models: dict[str, str]
    corpora: dict[str, str]
    colours: dict[str, str]
    font: str | None  # for Chinese characters

    def model(self, name: str) -> str:
        return self.models.get(name, name.removesuffix(_PUBLISHED))

    def corpus(self, name: str) -> str:
        return self.corpora.get(name) or f"Pooled ({name.removeprefix('pooled-')})"

    def colour(self, name: str) -> str:
        """The colour of a model; a published system has that of the model with its title, or grey."""
        ids = {title: model for model, title in self.models.items()}
        return self.colours.get(ids.get(name.removesuffix(_PUBLISHED), name), _NO_MODEL_OF_OURS)

    def drawable(self, texts: Sequence[str]) -> list[str]:
        """The texts that the fonts have."""
        return [text for text in texts if self.font or not _CJK.search(text)]


def read_names(connection: duckdb.DuckDBPyConnection, font: str | None) -> Names:
    """Titles of the tables ``models`` and ``corpora``; where ``font`` is None, ids in the place of Chinese ones.

    A title that several entries share gets the id added. Logs one warning where ids replace titles.
    """
    models = connection.execute("SELECT model, title FROM models ORDER BY rowid").fetchall()
    corpora = connection.execute("SELECT corpus, title FROM corpora ORDER BY rowid").fetchall()
    undrawable = {name for name, title in models + corpora if not font and _CJK.search(title or "")}
    if undrawable:
        _log.warning(
            "no font with Chinese characters is installed: the figures show the ids of %s in the place of titles; "
            "install one, such as Debian's package fonts-noto-cjk, and draw again",
            ", ".join(sorted(undrawable)),
        )
    return Names(
        models=_titles(models, undrawable),
        corpora=_titles(corpora, undrawable),
        colours={model: _COLOURS[place % len(_COLOURS)] for place, (model, _) in enumerate(models)},
        font=font,
    )


def _titles(rows: Sequence[tuple[str, str | None]], undrawable: set[str]) -> dict[str, str]:
    count = Counter(title for _, title in rows)
    return {
        name: name if not title or name in undrawable else title if count[title] == 1 else f"{title} ({name})"
        for name, title in rows
    }


def cjk_font() -> str | None:
    """The family of an installed font with Hong Kong's characters, else with other Chinese ones, else None.

    Asks fontconfig, and looks into the usual folders where that is not installed.
    """
    if shutil.which("fc-list"):
        for language in ("zh-hk", "zh"):
            command = ["fc-list", f":lang={language}", "family"]
            found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
            families = {line.split(",")[0].replace("\\", "").strip() for line in found} - {""}
            if families:
                return min(families, key=lambda name: ("Mono" in name, "Sans" not in name, "HK" not in name, name))
        return None
    files = {path.name for folder in _FONT_FOLDERS for path in Path(folder).expanduser().rglob("*.[to]t[fc]")}
    return next((family for start, family in _FONT_FILES.items() if any(f.startswith(start) for f in files)), None)


def place_labels(
    points: Sequence[tuple[float, float]], texts: Sequence[str], width: float, height: float
) -> list[tuple[float, float, str]]:
    """Where each label stands, in pixels with y downwards: x, y of its middle line, and its alignment.

    A label is left or right of its point, moved up or down until it covers no point and no other label.
    """
    line, gap = 14.0, 8.0
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in points]
    places = []
    for (x, y), text in zip(points, texts, strict=True):
        length = sum(12.0 if _CJK.match(character) else 6.2 for character in text)
        moves = sorted((k * line for k in range(-len(points) - 1, len(points) + 2)), key=lambda move: (abs(move), move))
        boxes = [
            (x + gap, y + move, x + gap + length, "left")
            if side > 0
            else (x - gap - length, y + move, x - gap, "right")
            for move in moves
            for side in (1, -1)
        ]
        left, middle, right, align = next(
            (
                box
                for box in boxes
                if box[0] >= 0 and box[2] <= width and 7 <= box[1] <= height - 7 and not _covers(box, line, taken)
            ),
            boxes[0],
        )
        taken.append((left, middle - line / 2, right, middle + line / 2))
        places.append((left if align == "left" else right, middle, align))
    return places


def _covers(box: tuple, line: float, taken: Sequence[tuple[float, float, float, float]]) -> bool:
    left, middle, right, _ = box
    return any(
        left < x2 and right > x1 and middle - line / 2 < y2 and middle + line / 2 > y1 for x1, y1, x2, y2 in taken
    )


def no_results(title: str, names: Names) -> alt.TopLevelMixin:
    """The picture of a leaderboard without a row."""
    import altair as alt

    chart = alt.Chart(alt.Data(values=[{}]), width=300, height=60)
    return finish(chart.mark_text(text="No results", fontSize=14, color="#666"), title, "", names)


def finish(chart: alt.TopLevelMixin, title: str, subtitle: str, names: Names) -> alt.TopLevelMixin:
    """The chart with its title and the look of all pictures."""
    import altair as alt

    fonts = ", ".join(filter(None, (_LATIN_FONTS, names.font, "sans-serif")))
    heading = alt.TitleParams(title, subtitle=subtitle, fontSize=16, anchor="start", frame="bounds", offset=14)
    return (
        chart.properties(title=heading, padding=14, background="white")
        .configure(font=fonts)
        .configure_view(stroke="#ccc")
        .configure_title(fontSize=12, subtitleColor="#555", subtitleFontSize=11, subtitlePadding=3)
        .configure_axis(
            labelFontSize=11,
            titleFontSize=11,
            titleFontWeight="normal",
            gridColor="#e8e8e8",
            domainColor="#888",
            tickColor="#888",
            labelLimit=320,
            titlePadding=6,
        )
        .configure_legend(labelFontSize=11, symbolSize=70, labelLimit=320)
    )


def save(chart: alt.TopLevelMixin, png: str | Path, svg: str | Path) -> None:
    """Write a chart as PNG, two pixels a unit, and as SVG; the same chart gives the same bytes."""
    chart.save(str(png), format="png", scale_factor=2)
    chart.save(str(svg), format="svg")
