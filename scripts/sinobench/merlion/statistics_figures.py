"""The plan's Figures 2, 3 and 4 as pictures, from the rows of ``sinobench.merlion.statistics``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sinobench.merlion.statistics import LANGUAGES
from sinobench.results.drawing import Names, finish, no_results

if TYPE_CHECKING:
    import altair as alt

_COLOURS = ("#4477AA", "#EE7733")  # English blue and Mandarin orange as in the plan, told apart by colour-blind readers
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
_WIDTH, _HEIGHT = 620, 170
_SHOWN = 0.995  # of all lengths; the tail beyond would press the rest into a corner


def figure_2(rows: Sequence[Mapping], names: Names) -> alt.TopLevelMixin:
    """Densities of the lengths of segments, a line a corpus, over a strip of the lengths that occur."""
    return _densities("Length of English and Mandarin segments", "Length of a segment, s", "segments", rows, names)


def figure_3(rows: Sequence[Mapping], names: Names) -> alt.TopLevelMixin:
    """Densities of English and Mandarin speech in a recording, a line a corpus, over a strip of the recordings."""
    title = "English and Mandarin speech in a recording"
    return _densities(title, "Speech in a recording, min", "recordings", rows, names)


def figure_4(recordings: Sequence[Mapping], names: Names) -> alt.TopLevelMixin:
    """The share of English and Mandarin in each recording, a bar a recording by rising share of Mandarin."""
    import altair as alt

    title = "English and Mandarin in each recording"
    shown = [row for row in recordings if row["mandarin_share"] is not None]
    if not shown:
        return no_results(title, names)
    panels = []
    for corpus in _corpora(shown):
        own = [row for row in shown if row["corpus"] == corpus]
        values = [
            {"place": row["place"], "language": language, "share": share * 100, "order": order}
            for row in own
            for order, (language, share) in enumerate(
                zip(LANGUAGES, (1 - row["mandarin_share"], row["mandarin_share"]), strict=True)
            )
        ]
        gap = 0.1 if len(own) < _WIDTH / 6 else 0
        bars = alt.Chart(alt.Data(values=values), width=_WIDTH, height=_HEIGHT).mark_bar()
        panel = bars.encode(
            x=alt.X("place:O", title=None, axis=None, scale=alt.Scale(paddingInner=gap)),
            y=alt.Y("share:Q", title="Share of speech, %", scale=alt.Scale(domain=[0, 100])),
            order="order:Q",
            color=_colour(),
        )
        panels.append(panel.properties(title=_panel_title(names.corpus(corpus), f"{len(own)} recordings")))
    return finish(alt.vconcat(*panels, spacing=18), title, "", names)


def _densities(title: str, axis: str, counted: str, rows: Sequence[Mapping], names: Names) -> alt.TopLevelMixin:
    import altair as alt

    if not rows:
        return no_results(title, names)
    scale, unit = (60_000, "min") if axis.endswith("min") else (1000, "s")
    end = max(_quantile_end(rows, corpus, language) for corpus in _corpora(rows) for language in LANGUAGES) / scale
    corpora = [names.corpus(corpus) for corpus in _corpora(rows)]
    values = [
        {
            "corpus": names.corpus(row["corpus"]),
            "language": row["language"],
            "at": (row["start_ms"] + row["end_ms"]) / 2 / scale,
            "density": row["density"] * scale,
            "n": row["n"],
        }
        for row in rows
        if row["end_ms"] / scale <= end
    ]
    dashes = alt.StrokeDash(
        "corpus:N",
        title=None,
        scale=alt.Scale(domain=corpora, range=[_DASHES[i % len(_DASHES)] for i in range(len(corpora))]),
        legend=alt.Legend(orient="bottom", symbolSize=900, symbolStrokeWidth=1.8),
    )
    panels = []
    languages = [language for language in LANGUAGES if any(value["language"] == language for value in values)]
    for language in languages:
        own = [value for value in values if value["language"] == language]
        base = alt.Chart(alt.Data(values=own), width=_WIDTH)
        x = alt.X("at:Q", scale=alt.Scale(domain=[0, end], nice=False))
        curve = base.mark_line(strokeWidth=1.8).encode(
            x=x.axis(title=None, labels=False, ticks=False),
            y=alt.Y("density:Q", title=f"Density per {unit}", axis=alt.Axis(tickCount=4)),
            color=_colour(),
            strokeDash=dashes,
        )
        most = max(value["n"] for value in own)
        # Ink by the root of the number: a strip of 50,000 lengths is not one grey, and a single one is still seen.
        present = [value | {"ink": 0.2 + 0.8 * (value["n"] / most) ** 0.5} for value in own if value["n"]]
        strip = alt.Chart(alt.Data(values=present), width=_WIDTH, height=14 * len(corpora)).mark_tick(thickness=1)
        strip = strip.encode(
            x=x.axis(title=axis if language == languages[-1] else None, grid=False),
            y=alt.Y("corpus:N", title=None, scale=alt.Scale(domain=corpora), axis=alt.Axis(ticks=False)),
            color=_colour(),
            opacity=alt.Opacity("ink:Q", scale=None),
        )
        numbers = (
            (names.corpus(c), sum(row["n"] for row in rows if row["corpus"] == c and row["language"] == language))
            for c in _corpora(rows)
        )
        note = ", ".join(f"{corpus} {n:,} {counted}" for corpus, n in numbers)
        panels += [curve.properties(height=_HEIGHT, title=_panel_title(language, note)), strip]
    beyond = f"Drawn up to {end:.3g} {unit}, which holds at least {_SHOWN * 100:g} % of each language and corpus"
    return finish(alt.vconcat(*panels, spacing=8), title, beyond, names)


def _quantile_end(rows: Sequence[Mapping], corpus: str, language: str) -> int:
    """The end in ms of the bin below which all but the last of a language's lengths lie; 0 without a length."""
    own = sorted((row["end_ms"], row["n"]) for row in rows if row["corpus"] == corpus and row["language"] == language)
    total, seen = sum(n for _, n in own), 0
    for end, n in own:
        seen += n
        if seen >= _SHOWN * total:
            return end
    return 0


def _corpora(rows: Sequence[Mapping]) -> list[str]:
    return list(dict.fromkeys(row["corpus"] for row in rows))


def _colour() -> alt.Color:
    import altair as alt

    legend = alt.Legend(title=None, orient="bottom", symbolOpacity=1)
    return alt.Color("language:N", scale=alt.Scale(domain=LANGUAGES, range=_COLOURS), legend=legend)


def _panel_title(text: str, subtitle: str) -> alt.TitleParams:
    import altair as alt

    return alt.TitleParams(text, subtitle=subtitle, anchor="start", frame="bounds", offset=6)
