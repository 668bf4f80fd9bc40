"""What the evaluation plan says of a corpus: Table 1 and the rows behind Figures 2, 3 and 4.

Lengths are milliseconds of label segments. Sums count overlapping segments in full, as the plan's hours do: its
40,287 English segments of 1443.84 ms on average are its 16:09:27 hours.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sinobench.errors import InputError, private
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.pairs import pair_of
from sinobench.results.tables import Table

if TYPE_CHECKING:
    import pandas as pd

# Of each recording: Figures 3 and 4 of the plan.
SPEECH = Table(
    "merlion_speech",
    {
        "corpus": "string",
        "recording": "string",
        "pair": "string",
        "duration_ms": "int64",
        "n_segments": "int32",
        "n_english": "int32",
        "n_mandarin": "int32",
        "english_ms": "int64",
        "mandarin_ms": "int64",
        "non_evaluated_ms": "int64",
        "mandarin_share": "double",
        "place": "int32",
    },
)
# Table 1 of the plan.
STATISTICS = Table(
    "merlion_statistics",
    {
        "corpus": "string",
        "line": "int32",
        "statistic": "string",
        "unit": "string",
        "value": "double",
        "n": "int64",
    },
)
# Of segments and recordings: Figures 2 and 3 of the plan.
LENGTHS = Table(
    "merlion_lengths",
    {
        "corpus": "string",
        "unit": "string",
        "language": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "n": "int64",
        "density": "double",
    },
)

NON_EVALUATED = "NON_EVALUATED"
SEGMENT_BIN_MS = 20
RECORDING_BIN_MS = 5_000
_MAX_BINS = 20_000

# Statistic of Table 1: unit, and the values printed for the development and the evaluation set. Its rows and the
# figures have 151 recordings in the development set, its line "Number of recordings" 150.
PLAN_TABLE_1: dict[str, tuple[str, float | None, float | None]] = {
    "audio_duration": ("s", 102_988, 103_634),
    "n_recordings": ("recordings", 151, 154),
    "n_pairs": ("pairs", 56, 56),
    "n_recordings_one_language": ("recordings", 28, 33),
    "n_recordings_two_languages": ("recordings", 123, 121),
    "english_duration": ("s", 58_167, 57_422),
    "mandarin_duration": ("s", 11_045, 11_464),
    "non_evaluated_duration": ("s", 14, 19),
    "n_segments": ("segments", None, None),  # of all labels, which the plan does not print
    "n_english_segments": ("segments", 40_287, 39_473),
    "n_mandarin_segments": ("segments", 9_983, 9_766),
    "median_english_segment": ("ms", 1125, 1120),
    "median_mandarin_segment": ("ms", 900, 930),
    "mean_english_segment": ("ms", 1443.84, 1454.73),
    "mean_mandarin_segment": ("ms", 1106.41, 1173.87),
    "mean_mandarin_english_ratio": ("ratio", 0.51, 0.52),
}


def recording_rows(
    corpus: str, segments: pd.DataFrame, durations_ms: Mapping[str, int], unlabelled: Collection[str] = ()
) -> list[dict]:
    """A row a recording: its speech by language, as Figures 3 and 4 show it. Recordings stand by name.

    segments: table ``merlion_segments``. durations_ms: of each recording's audio; one without a segment has a row too.
    ``mandarin_share`` is of English and Mandarin, null without both; ``place`` counts from 1 by that share, null last.
    What is by language is null for unlabelled recordings and where segments have no language, as in an evaluation set.
    Raises InputError for a segment of a recording without audio.
    """
    import pandas as pd

    strange = segments[~segments["recording"].isin(list(durations_ms))]
    if len(strange):
        segment = strange.iloc[0]
        raise InputError(
            f"segment {private(segment['utt_id'])} of row {segment['row']} is of '{private(segment['recording'])}', "
            "which has no audio; give its audio or leave it out"
        )
    names = sorted(durations_ms)
    table = pd.DataFrame({"corpus": corpus, "recording": names, "pair": list(map(pair_of, names))})
    table["duration_ms"] = [durations_ms[name] for name in names]
    table["n_segments"] = segments.groupby("recording").size().reindex(names, fill_value=0).to_numpy()
    for language in (*TARGETS, NON_EVALUATED):
        by_recording = _lengths_ms(segments, language).groupby("recording")
        columns = [f"n_{language.lower()}", f"{language.lower()}_ms"]
        table[columns] = by_recording.agg(["size", "sum"]).reindex(names, fill_value=0).to_numpy()
    hidden = table["recording"].isin(list(unlabelled)) | segments["language"].isna().any()
    share = table["mandarin_ms"] / (table["english_ms"] + table["mandarin_ms"])
    table["mandarin_share"] = share.mask(hidden)
    table["place"] = table["mandarin_share"].rank(method="first", na_option="bottom").astype(int)
    table = table.drop(columns="n_non_evaluated").astype(object)
    table.loc[hidden, ["n_english", "n_mandarin", "english_ms", "mandarin_ms", "non_evaluated_ms"]] = None
    return table.where(table.notna(), None).to_dict("records")


def table_1(segments: pd.DataFrame, recordings: Sequence[Mapping]) -> list[dict]:
    """Table 1 of one corpus from its segments and its ``recording_rows``: corpus, line, statistic, unit, value, n.

    n: how many recordings, pairs or segments the value is of. A recording has one language or two by its English and
    Mandarin segments. The ratio is Mandarin by English time, on average over the recordings with English: the plan's
    "proportion", which can't be a share (0.51, where a sixth of all speech is Mandarin). Without anything to count, a
    duration or number is 0 and a mean or median null; what is by language is null for an evaluation set.
    """
    import pandas as pd

    table = pd.DataFrame(recordings, columns=list(SPEECH.columns))
    n = len(table)
    values: dict[str, tuple[float, int]] = {
        "audio_duration": (table["duration_ms"].sum() / 1000, n),
        "n_recordings": (n, n),
        "n_pairs": (table["pair"].nunique(), n),
        "n_segments": (len(segments), len(segments)),
    }
    labelled = table.dropna(subset="n_english")
    if len(labelled) or not n:
        values |= _by_language(segments, labelled)
    rows = []
    for line, (statistic, (unit, *_)) in enumerate(PLAN_TABLE_1.items(), start=1):
        value, of = values.get(statistic, (None, 0))
        row = {"corpus": recordings[0]["corpus"] if n else None, "line": line, "statistic": statistic, "unit": unit}
        rows.append(row | {"value": None if pd.isna(value) else float(value), "n": of})
    return rows


def _by_language(segments: pd.DataFrame, recordings: pd.DataFrame) -> dict[str, tuple[float, int]]:
    """The statistics by language with their n; NaN where there is nothing to divide by."""
    n_languages = (recordings[["n_english", "n_mandarin"]] > 0).sum(axis=1)
    with_english = recordings[recordings["english_ms"] > 0]
    ratios = (with_english["mandarin_ms"] / with_english["english_ms"]).astype(float)
    values = {
        "n_recordings_one_language": ((n_languages == 1).sum(), len(recordings)),
        "n_recordings_two_languages": ((n_languages == 2).sum(), len(recordings)),
        "mean_mandarin_english_ratio": (ratios.mean(), len(ratios)),
    }
    for language in (*TARGETS, NON_EVALUATED):
        lengths, name = _lengths_ms(segments, language), language.lower()
        values[f"{name}_duration"] = lengths.sum() / 1000, len(lengths)
        values[f"n_{name}_segments"] = len(lengths), len(lengths)
        values[f"median_{name}_segment"] = lengths.median(), len(lengths)
        values[f"mean_{name}_segment"] = lengths.mean(), len(lengths)
    return values


def _lengths_ms(segments: pd.DataFrame, language: str) -> pd.Series:
    """The lengths of a language's segments, by recording."""
    own = segments[segments["language"] == language].set_index("recording")
    return (own["end_ms"] - own["start_ms"]).astype("int64")


def figure_2_rows(corpus: str, segments: pd.DataFrame) -> list[dict]:
    """Lengths of English and Mandarin segments, in bins of SEGMENT_BIN_MS; see ``length_rows``."""
    lengths = {name: _lengths_ms(segments, name).to_numpy() for name in TARGETS}
    return length_rows(corpus, "segment", lengths, SEGMENT_BIN_MS)


def figure_3_rows(recordings: Sequence[Mapping]) -> list[dict]:
    """Total English and Mandarin speech of each recording that has some, in bins of RECORDING_BIN_MS."""
    lengths = {name: [row[f"{name.lower()}_ms"] or 0 for row in recordings] for name in TARGETS}
    corpus = recordings[0]["corpus"] if recordings else ""
    return length_rows(corpus, "recording", {k: [v for v in own if v] for k, own in lengths.items()}, RECORDING_BIN_MS)


def length_rows(corpus: str, unit: str, lengths_ms: Mapping[str, Sequence[int]], bin_ms: int) -> list[dict]:
    """A row a language and bin, from 0 ms to beyond the longest: ``n`` lengths from ``start_ms`` to below ``end_ms``.

    ``density`` per ms at the bin's centre is a Gaussian kernel estimate (Silverman's bandwidth), reflected at 0 so that
    nothing lies below it; over the bins it sums to 1. A language without lengths has no row. Bins are widened, by
    whole multiples, where one extreme length would make more than 20,000 of them.
    """
    rows = []
    for language, lengths in lengths_ms.items():
        if not len(lengths):
            continue
        values = np.asarray(lengths, dtype=np.float64)
        bandwidth = _bandwidth(values, bin_ms)
        longest = float(values.max()) + 4 * bandwidth
        width = bin_ms * (1 + int(longest // (bin_ms * _MAX_BINS)))
        counts = np.bincount((values // width).astype(np.int64), minlength=int(longest // width) + 1)
        density = _density(counts, width, bandwidth)
        rows += [
            {
                "corpus": corpus,
                "unit": unit,
                "language": language,
                "start_ms": place * width,
                "end_ms": (place + 1) * width,
                "n": int(count),
                "density": float(height),
            }
            for place, (count, height) in enumerate(zip(counts, density, strict=True))
        ]
    return rows


def _bandwidth(values: np.ndarray, bin_ms: int) -> float:
    """Silverman's rule, robust against the long tail; at least a bin, so that equal lengths give a peak and no gap."""
    low, high = np.percentile(values, [25, 75])
    spreads = [spread for spread in (float(values.std()), float(high - low) / 1.34) if spread > 0]
    return max(float(bin_ms), 0.9 * min(spreads, default=0.0) * len(values) ** -0.2)


def _density(counts: np.ndarray, width: int, bandwidth: float) -> np.ndarray:
    reach = min(len(counts), int(4 * bandwidth / width) + 1)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) * width / bandwidth) ** 2)
    mirrored = np.concatenate([counts[::-1], counts]).astype(np.float64)
    smooth = np.convolve(mirrored, kernel / kernel.sum())[reach : reach + len(mirrored)][len(counts) :]
    return smooth / (smooth.sum() * width)
