"""What all pictures share: queries, names and colours, fonts, a common look, and the files."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import altair as alt
    import duckdb

# A chart: of Altair, or a grid of many panels, which Altair would copy again and again, as Vega-Lite has it.
C = TypeVar("C", "alt.TopLevelMixin", dict)
ROW_PX = 19  # of a line that is a model
_log = logging.getLogger(__name__)

# Paul Tol's "muted" scheme for colour-blind readers without pale yellow and grey; then black, Okabe and Ito's orange.
# Ten and SHA-512 happen to tell the models of each task in config/models.yaml apart.
_COLOURS = (
    "#332288",
    "#CC6677",
    "#117733",
    "#88CCEE",
    "#882255",
    "#44AA99",
    "#999933",
    "#AA4499",
    "#000000",
    "#E69F00",
)
_SEED = 2812  # found by trying: with it the catalog's models of each task have colours of their own
_NO_MODEL_OF_OURS = "#777777"
_LATIN_FONTS = "Liberation Sans, Arial, Helvetica, sans-serif"  # vl-convert brings the first
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
_DECIMAL = re.compile(r"-?\d+\.\d+(?:e-\d+)?|-?\d+e-\d+")
_PUBLISHED = " (published)"


@dataclass(frozen=True)
class Names:
    """Titles as they can be drawn, and the fonts to draw with."""

    models: dict[str, str]
    corpora: dict[str, str]
    font: str | None  # for Chinese characters, where a picture has some

    def model(self, name: str) -> str:
        return self.models.get(name, name.removesuffix(_PUBLISHED))

    def corpus(self, name: str) -> str:
        return self.corpora.get(name) or f"Pooled ({name.removeprefix('pooled-')})"

    def colour(self, name: str) -> str:
        """The colour of a model, by its id alone; a published system has that of the model with its title, or grey."""
        ids = {title: model for model, title in self.models.items()}
        model = ids.get(name.removesuffix(_PUBLISHED), name)
        if model not in self.models:
            return _NO_MODEL_OF_OURS
        return _COLOURS[int.from_bytes(hashlib.sha512(f"{_SEED} {model}".encode()).digest()) % len(_COLOURS)]

    def drawable(self, texts: Sequence[str]) -> list[str]:
        """The texts that the fonts have."""
        return [text for text in texts if self.font or not _CJK.search(text)]


def read_names(connection: duckdb.DuckDBPyConnection, font: str | None) -> Names:
    """Titles of the tables ``models`` and ``corpora``; where ``font`` is None, ids in the place of Chinese ones.

    A title that several entries of a task share gets the id added. Logs one warning where ids replace titles. Pictures
    without Chinese don't use ``font``, so that they do not depend on the machine.
    """
    models = connection.execute("SELECT task, model, title FROM models ORDER BY rowid").fetchall()
    corpora = connection.execute("SELECT task, corpus, title FROM corpora ORDER BY rowid").fetchall()
    registers = connection.execute("SELECT DISTINCT corpus, register FROM g2p_items").fetchall()
    chinese = {name for *_, name, title in models + corpora + registers if _CJK.search(title or "")}
    if chinese and not font:
        _log.warning(
            "no font with Chinese characters is installed: the figures leave out Chinese titles and registers and "
            "show the ids of %s; install one, such as Debian's package fonts-noto-cjk, and draw again",
            ", ".join(sorted(chinese)),
        )
    undrawable = set() if font else chinese
    return Names(_titles(models, undrawable), _titles(corpora, undrawable), font if chinese else None)


def _titles(rows: Sequence[tuple[str, str, str | None]], undrawable: set[str]) -> dict[str, str]:
    count = Counter((task, title) for task, _, title in rows)
    titles = {}
    for task, name, title in rows:
        shown = bool(title) and not (name in undrawable and _CJK.search(title))
        titles[name] = name if not shown else title if count[task, title] == 1 else f"{title} ({name})"
    return titles


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


def text_width(text: str) -> float:
    """About how many pixels a label of 11 pixels takes."""
    return sum(11.0 if _CJK.match(character) else 6.0 for character in text)


def counted(n: int, plural: str) -> str:
    return f"{n:,} {plural.removesuffix('s') if n == 1 else plural}"


def data_of(rows: Iterable[Mapping]) -> alt.Data:
    """Rows to draw; as a tuple, for Altair copies lists with every panel, layer and call of a method."""
    import altair as alt

    return alt.Data(values=tuple(rows))


def model_lines(field: str, labels: Mapping[str, str], extent: float | None) -> dict:
    """The channel of a line a model: two may have one title, so the field holds ids and the axis translates them.

    extent: at least so many pixels for the labels; None draws none.
    """
    translation = f"{json.dumps(labels, ensure_ascii=False)}[datum.value]"
    room = {"labels": False} if extent is None else {"minExtent": extent}
    axis = {"labelExpr": translation, "ticks": False, "labelPadding": 8, "grid": True} | room
    return {"field": field, "type": "nominal", "title": None, "scale": {"domain": list(labels)}, "axis": axis}


def no_results(title: str, names: Names) -> alt.TopLevelMixin:
    """The picture of a leaderboard without a row."""
    import altair as alt

    chart = alt.Chart(data_of([{}]), width=300, height=60)
    return finish(chart.mark_text(text="No results", fontSize=14, color="#666"), title, "", names)


def finish(chart: C, title: str, subtitle: str, names: Names) -> C:
    """The chart with its title and the look of all pictures."""
    look = {
        "font": f"{names.font}, {_LATIN_FONTS}" if names.font else _LATIN_FONTS,
        "view": {"stroke": "#ccc"},
        "title": {"fontSize": 12, "subtitleColor": "#555", "subtitleFontSize": 11, "subtitlePadding": 3},
        "axis": {
            "labelFontSize": 11,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
            "gridColor": "#e8e8e8",
            "domainColor": "#888",
            "tickColor": "#888",
            "labelLimit": 320,
            "labelFlush": False,
            "titlePadding": 6,
        },
        "legend": {"labelFontSize": 11, "symbolSize": 70, "labelLimit": 320},
    }
    heading = {"text": title, "subtitle": subtitle, "fontSize": 16, "anchor": "start", "frame": "bounds", "offset": 14}
    whole = {"title": heading, "padding": 14, "background": "white", "config": look}
    # All at once: each call of a method copies every panel with its data.
    return chart | whole if isinstance(chart, dict) else chart.properties(**whole)


def save(chart: alt.TopLevelMixin | dict, png: str | Path, svg: str | Path) -> None:
    """Write a chart as PNG, two pixels a unit, and as SVG; the same chart gives the same bytes."""
    import altair as alt
    import vl_convert

    version = ".".join(alt.SCHEMA_VERSION.split(".")[:2])
    described = chart if isinstance(chart, dict) else chart.to_json(validate=False)
    drawn = _rounded(vl_convert.vegalite_to_svg(described, vl_version=version))
    Path(svg).write_text(drawn, encoding="utf-8", newline="\n")
    Path(png).write_bytes(vl_convert.svg_to_png(drawn, scale=2))


def _rounded(svg: str) -> str:
    """The numbers of all attributes to 6 decimals: a layout that is computed again can differ in the 14th."""

    def attribute(found: re.Match) -> str:
        return _DECIMAL.sub(lambda number: f"{round(float(number[0]), 6) + 0.0:.10g}", found[0])

    return re.sub('="[^"]*"', attribute, svg)
