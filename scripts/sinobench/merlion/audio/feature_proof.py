"""Proof that the features of a shard are librosa's: some of its chunks against librosa's own calls.

Which chunks are drawn depends on the seed and their number alone; the shortest and the longest are always among them,
for edges and padding are where an own implementation errs.
"""

import contextlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from sinobench.errors import InputError
from sinobench.merlion.audio.features import N_MFCC, RATE_HZ
from sinobench.merlion.audio.shards import features_of, samples_of
from sinobench.merlion.audio.tables import FeatureProof
from sinobench.results import tables

_KEY = ["corpus", "segment_id", "chunk"]
# 16 steps of float32 at -1131, the first coefficient of silence; what is found is a third of it.
TOLERANCE = 2e-3
N_DRAWN = 30
_REMEDY = "compute the features again; if they stay so, this code and this librosa differ"


def prove(
    lengths: Sequence[int] | np.ndarray,
    seed: int,
    chunks: Callable[[np.ndarray], Iterable[tuple[str, np.ndarray, int, np.ndarray]]],
) -> FeatureProof:
    """Compare the chunks of a shard that its seed draws, the shortest and the longest.

    lengths: (n,) of the shard's chunks, in any unit. chunks: for increasing indices, each chunk's name, int16 samples,
    rate in Hz and features. Raises InputError, with the chunk's name, for features that differ from librosa's by more
    than TOLERANCE.
    """
    lengths = np.asarray(lengths)
    n_compared, n_frames, largest = 0, 0, 0.0
    for name, samples, rate, features in chunks(drawn(lengths, seed)):
        largest = max(largest, difference(name, features, librosa_mfcc39(samples, rate)))
        n_compared, n_frames = n_compared + 1, n_frames + len(features)
    return FeatureProof(len(lengths), n_compared, n_frames, largest)


def prove_file(chunks: str | Path, features: str | Path, seed: int) -> FeatureProof:
    """The proof of a shard's features, table ``merlion_features``; InputError for those of other chunks too."""
    rows = tables.read(chunks, [*_KEY, "start_sample", "end_sample"])
    if not rows.select(_KEY).equals(tables.read(features, _KEY)):
        raise InputError(f"are not features of the chunks in {chunks}; compute them again", features)
    lengths = rows["end_sample"].to_numpy() - rows["start_sample"].to_numpy()
    with placed(features):
        return prove(lengths, seed, lambda indices: _rows(chunks, features, indices))


@contextlib.contextmanager
def placed(features: str | Path) -> Iterator[None]:
    """Say in which file features are that are not librosa's."""
    try:
        yield
    except InputError as error:
        raise InputError(str(error), features) from None


def drawn(lengths: np.ndarray, seed: int) -> np.ndarray:
    """Indices of the chunks to compare, increasing."""
    if not len(lengths):
        return np.zeros(0, np.int64)
    random = np.random.default_rng([seed, len(lengths)])
    some = random.choice(len(lengths), min(N_DRAWN, len(lengths)), replace=False)
    return np.unique([*some, lengths.argmin(), lengths.argmax()])


def librosa_mfcc39(samples: np.ndarray, sample_rate_hz: int) -> np.ndarray:
    """The definition: the calls of the official preprocess_train.py, (n_frames, 39), of int16 samples.

    Chunks of fewer than 9 frames, at which those calls stop, are continued by their edge frames.
    """
    import librosa

    floats = samples / np.float32(32768)
    if sample_rate_hz != RATE_HZ:
        floats = librosa.resample(floats, orig_sr=sample_rate_hz, target_sr=RATE_HZ)
    floats = np.append(floats[0], floats[1:] - 0.97 * floats[:-1])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "n_fft=400 is too large", UserWarning)  # a chunk shorter than a frame
        mfcc = librosa.feature.mfcc(y=floats, sr=RATE_HZ, n_mfcc=N_MFCC, n_fft=400, hop_length=160)
    mode = "interp" if mfcc.shape[1] >= 9 else "nearest"
    return np.vstack([mfcc, *(librosa.feature.delta(mfcc, order=order, mode=mode) for order in (1, 2))]).T


def difference(name: str, features: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference of a chunk's features from librosa's; InputError where it is above TOLERANCE."""
    if features.shape != expected.shape:
        raise InputError(f"{name} has features of shape {features.shape}, librosa's have {expected.shape}; {_REMEDY}")
    differences = np.abs(features - expected)
    # Written so that NaN is wrong too.
    if not (differences <= TOLERANCE).all():
        frame, i = np.argwhere(~(differences <= TOLERANCE))[0].tolist()
        kind = ("MFCC", "delta", "second delta")[i // N_MFCC]
        raise InputError(
            f"{name}, frame {frame}: {kind} {i % N_MFCC} is {features[frame, i]:.6g}, librosa's is "
            f"{expected[frame, i]:.6g}; {_REMEDY}"
        )
    return float(differences.max(initial=0.0))


def _rows(
    chunks: str | Path, features: str | Path, indices: np.ndarray
) -> Iterator[tuple[str, np.ndarray, int, np.ndarray]]:
    first = 0
    for table, of_features in zip(tables.row_groups(chunks), tables.row_groups(features), strict=True):
        (samples, at), (values, frames) = samples_of(table), features_of(of_features)
        for i in (indices[(indices >= first) & (indices < first + len(table))] - first).tolist():
            rate = table["sample_rate_hz"][i].as_py()
            yield f"row {first + i + 1}", samples[at[i] : at[i + 1]], rate, values[frames[i] : frames[i + 1]]
        first += len(table)
