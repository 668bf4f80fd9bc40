"""The plan's Figures 2, 3 and 4 as pictures, from the rows of ``sinobench.merlion.statistics``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from sinobench.merlion.languages import TARGETS
from sinobench.results.drawing import Names, counted, data_of, finish, no_results

if TYPE_CHECKING:
    import altair as alt

_COLOURS = ("#4477AA", "#EE7733")  # English blue and Mandarin orange as in the plan, told apart by colour-blind readers
_WIDTH, _HEIGHT, _BAR_PX = 300, 140, 13
_SHOWN = 0.995  # of all lengths; the tail beyond would press the rest into a corner


def figure_2(rows: Sequence[Mapping], names: Names) -> alt.TopLevelMixin:
    """Lengths of segments as histograms: a row a corpus, a column a language."""
    return _histograms("Length of English and Mandarin segments", "Length of a segment, s", "segments", rows, names)


def figure_3(rows: Sequence[Mapping], names: Names) -> alt.TopLevelMixin:
    """English and Mandarin speech in a recording as histograms: a row a corpus, a column a language."""
    title = "English and Mandarin speech in a recording"
    return _histograms(title, "Speech in a recording, min", "recordings", rows, names)


def figure_4(recordings: Sequence[Mapping], names: Names) -> alt.TopLevelMixin:
    """The share of English and Mandarin in each recording, a named bar a recording by rising share of Mandarin."""
    import altair as alt

    title = "English and Mandarin in each recording"
    shown = [row for row in recordings if row["mandarin_share"] is not None]
    if not shown:
        return no_results(title, names)
    panels, legend = [], alt.Legend(title=None, orient="bottom")
    short = _short(list(dict.fromkeys(row["recording"] for row in shown)))
    for corpus in _corpora(shown):
        of_corpus = sorted((row for row in shown if row["corpus"] == corpus), key=lambda row: row["place"])
        labels = [short[row["recording"]] for row in of_corpus]
        values = [
            {"recording": label, "language": language, "share": share * 100, "order": order}
            for row, label in zip(of_corpus, labels, strict=True)
            for order, (language, share) in enumerate(
                zip(TARGETS, (1 - row["mandarin_share"], row["mandarin_share"]), strict=True)
            )
        ]
        bars = alt.Chart(data_of(values), width=_WIDTH, height=_BAR_PX * len(of_corpus)).mark_bar(height=_BAR_PX - 3)
        panel = bars.encode(
            x=alt.X("share:Q", title="Share of speech, %", scale=alt.Scale(domain=[0, 100])),
            y=alt.Y("recording:N", title=None, sort=labels, axis=alt.Axis(ticks=False, labelFontSize=10)),
            order=alt.Order("order:Q"),
            color=alt.Color("language:N", scale=alt.Scale(domain=TARGETS, range=_COLOURS), legend=legend),
        )
        panels.append(panel.properties(title=_panel_title(names.corpus(corpus), counted(len(of_corpus), "recordings"))))
    return finish(alt.concat(*panels, columns=2, spacing=24), title, "", names)


def _short(recordings: Sequence[str]) -> dict[str, str]:
    """The names without the parts between underscores that all have, as short as they can still be told apart."""
    parts = [name.split("_") for name in recordings]
    differing = [i for i, column in enumerate(zip(*parts, strict=False)) if len(set(column)) > 1]
    for count in range(1, len(differing) + 1):
        short = [" ".join(own[i] for i in differing[:count]) for own in parts]
        if len(set(short)) == len(short):
            return dict(zip(recordings, short, strict=True))
    return dict(zip(recordings, recordings, strict=True))


def _histograms(title: str, axis: str, units: str, rows: Sequence[Mapping], names: Names) -> alt.TopLevelMixin:
    """A grid of histograms on one pair of axes; their bins join those of the rows."""
    import altair as alt

    if not rows:
        return no_results(title, names)
    scale = 60_000 if axis.endswith("min") else 1000
    corpora = _corpora(rows)
    languages = [language for language in TARGETS if any(row["language"] == language for row in rows)]
    groups = {(c, name): _counted(rows, c, name) for c in corpora for name in languages}
    groups = {key: of_corpus for key, of_corpus in groups.items() if of_corpus}
    last_ms = max(_quantile_end(of_corpus) for of_corpus in groups.values())
    width_ms = _bin_ms(last_ms, max(row["end_ms"] - row["start_ms"] for row in rows), groups.values())
    end_ms = math.ceil(last_ms / width_ms) * width_ms
    values = {key: _bars(of_corpus, width_ms, end_ms, scale) for key, of_corpus in groups.items()}
    most = max(bar["share"] for bars in values.values() for bar in bars)
    x = alt.X("start:Q", scale=alt.Scale(domain=[0, end_ms / scale], nice=False), axis=alt.Axis(tickCount=6))
    y = alt.Y("share:Q", scale=alt.Scale(domain=[0, most * 1.05], nice=False), axis=alt.Axis(tickCount=4))
    panels = []
    for corpus, language in ((c, name) for c in corpora for name in languages):
        n = sum(count for _, _, count in groups.get((corpus, language), []))
        bars = alt.Chart(data_of(values.get((corpus, language), [])), width=_WIDTH, height=_HEIGHT)
        panel = bars.mark_bar(binSpacing=0.5).encode(
            x=x.title(axis if corpus == corpora[-1] else None),
            x2=alt.X2("end:Q"),
            y2=alt.datum(0),
            y=y.title(f"Share of {units}, %" if language == languages[0] else None),
            color=alt.ColorValue(_COLOURS[TARGETS.index(language)]),
        )
        panels.append(panel.properties(title=_panel_title(names.corpus(corpus), f"{language}: {counted(n, units)}")))
    note = f"Bins of {width_ms / 1000:g} s; drawn up to {end_ms / 1000:g} s, which holds at least "
    grid = alt.concat(*panels, columns=len(languages), spacing={"row": 14, "column": 20})
    return finish(grid, title, f"{note}{_SHOWN * 100:g} % of each language and corpus", names)


def _counted(rows: Sequence[Mapping], corpus: str, language: str) -> list[tuple[int, int, int]]:
    """Start and end in ms and number of the bins of a language of a corpus that hold something."""
    own = [row for row in rows if row["corpus"] == corpus and row["language"] == language and row["n"]]
    return sorted((row["start_ms"], row["end_ms"], row["n"]) for row in own)


def _quantile_end(bins: Sequence[tuple[int, int, int]]) -> int:
    """The end in ms of the bin below which all but the last of the lengths lie."""
    total, seen = sum(n for *_, n in bins), 0
    for _, end, n in bins:
        seen += n
        if seen >= _SHOWN * total:
            return end
    return 0


def _bin_ms(end_ms: int, step_ms: int, groups: Iterable[Sequence[tuple[int, int, int]]]) -> int:
    """The width of a bar: a round number of steps, no fewer bars than Rice's rule for the smallest group."""
    n_bars = math.ceil(2 * min(sum(n for *_, n in own) for own in groups) ** (1 / 3))
    widths = (step_ms * digit * 10**power for power in range(9, -1, -1) for digit in (5, 2, 1))
    return next((width for width in widths if width * n_bars <= end_ms), step_ms)


def _bars(bins: Sequence[tuple[int, int, int]], width_ms: int, end_ms: int, scale: int) -> list[dict]:
    total, counts = sum(n for *_, n in bins), dict.fromkeys(range(0, end_ms, width_ms), 0)
    for start, _, n in bins:
        if start < end_ms:
            counts[start // width_ms * width_ms] += n
    return [
        {"start": start / scale, "end": (start + width_ms) / scale, "share": 100 * n / total}
        for start, n in counts.items()
    ]


def _corpora(rows: Sequence[Mapping]) -> list[str]:
    return list(dict.fromkeys(row["corpus"] for row in rows))


def _panel_title(text: str, subtitle: str) -> alt.TitleParams:
    import altair as alt

    return alt.TitleParams(text, subtitle=subtitle, anchor="start", frame="group", offset=6)
