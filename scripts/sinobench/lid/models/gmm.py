"""A Gaussian mixture for each language: a light baseline on frames, fitted within minutes."""

import json
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from sinobench.errors import InputError
from sinobench.lid.models.mixture import Mixture, Whitening, fit_mixture, log_sums
from sinobench.merlion.audio.features import N_MFCC
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.training.features import TrainingChunks

PAUSE = 300.0  # of c0, below its 95th percentile: 26.5 dB of the mean over all mels
SHIFTS = range(-9, 10, 3)  # frames
N_SHIFTED = 7  # first differences, of the lowest coefficients
N_DIMENSIONS = N_MFCC + len(SHIFTS) * N_SHIFTED
SMALLEST_SPREAD = 1.0  # of a coefficient within a chunk
SPEAKER_SHARE = 2.0  # a speaker counts for at most so much of the median speaker's speech
ITERATIONS = 60
SMALLEST_VARIANCE = 1e-3  # of standardised dimensions
_log = logging.getLogger(__name__)


class Gmm:
    """A mixture of Gaussians with full covariances for each language, on frames of speech.

    A frame is its 13 coefficients less their mean over the chunk, and the first differences of the lowest 7 at seven
    places around it, three frames apart (shifted delta cepstra). Both are divided by the square root of the
    coefficient's standard deviation over the chunk: half of what noise does to it. Frames far below the chunk's loudest
    are pauses and left out. Both mixtures are fitted by expectation maximisation on the same number of frames, drawn by
    speaker. The score is the mean log-likelihood ratio of the frames.

    components: of each mixture. most_frames: that are learnt from, of each language.
    """

    def __init__(self, components: int = 8, most_frames: int = 100_000) -> None:
        self.components = components
        self.most_frames = most_frames

    def fit(self, data: TrainingChunks, seed: int, state: Path) -> None:
        """Learn from as many frames of either language, speakers alike; the same seed gives the same mixtures.

        Needs no ``state``. Raises InputError for a language with fewer frames than components.
        """
        from threadpoolctl import threadpool_limits

        random = np.random.default_rng(seed)
        frames = [np.concatenate([*chunks]) for chunks in self._choose(data, random)]
        both = np.concatenate(frames)
        self._centre = both.mean(axis=0)
        spread = both.std(axis=0)
        self._scale = np.where(spread > 0, spread, 1.0)
        del both
        # Sums of several threads depend on their number.
        with threadpool_limits(1):
            mixtures = [self._mixture((x - self._centre) / self._scale, seed) for x in frames]
        self._weights, self._means, self._precision_factors = map(np.stack, zip(*mixtures, strict=True))
        self._whitening = Whitening(self._weights, self._means, self._precision_factors)

    def predict(self, chunks: Sequence[np.ndarray]) -> np.ndarray:
        """(n,) log-likelihood ratios a frame, English against Mandarin; each chunk is computed by itself."""
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):
            return np.array([self._score(chunk) for chunk in chunks], np.float64)

    def save(self, folder: str | Path) -> None:
        from safetensors.numpy import save_file

        Path(folder).mkdir(parents=True, exist_ok=True)
        save_file({name: getattr(self, f"_{name}") for name in self._shapes()}, Path(folder, "model.safetensors"))
        config = {"components": self.components, "most_frames": self.most_frames}
        Path(folder, "config.json").write_text(json.dumps(config) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: str | Path) -> "Gmm":
        """Raises InputError for tensors of other names, shapes, types or values than `save` writes."""
        from safetensors import SafetensorError, safe_open

        path = Path(folder, "model.safetensors")
        try:
            model = cls(**json.loads(Path(folder, "config.json").read_text(encoding="utf-8")))
            expected = model._shapes()
            with safe_open(path, framework="np") as file:
                if set(file.keys()) != set(expected):
                    raise InputError(f"has the tensors {sorted(file.keys())}; expected {sorted(expected)}", path)
                for name, shape in expected.items():
                    found = file.get_slice(name)
                    if tuple(found.get_shape()) != shape or found.get_dtype() != "F64":
                        kind = f"{found.get_dtype()} {tuple(found.get_shape())}"
                        raise InputError(f"tensor '{name}' is {kind}; expected F64 {shape}", path)
                    setattr(model, f"_{name}", file.get_tensor(name))
        except InputError:
            raise
        except (OSError, TypeError, ValueError, SafetensorError) as error:
            raise InputError(f"holds no fitted gmm ({error}); fit it again", folder) from None
        diagonals = np.diagonal(model._precision_factors, axis1=2, axis2=3)
        positive = {"weights": model._weights, "scale": model._scale, "precision_factors": diagonals}
        for name in expected:
            finite = np.isfinite(getattr(model, f"_{name}")).all()
            if not finite or (name in positive and positive[name].min() <= 0):
                raise InputError(f"tensor '{name}' has values that no mixture has; fit it again", path)
        model._whitening = Whitening(model._weights, model._means, model._precision_factors)
        return model

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        mixtures = (len(TARGETS), self.components)
        return {
            "weights": mixtures,
            "means": (*mixtures, N_DIMENSIONS),
            "precision_factors": (*mixtures, N_DIMENSIONS, N_DIMENSIONS),
            "centre": (N_DIMENSIONS,),
            "scale": (N_DIMENSIONS,),
        }

    def _choose(self, data: TrainingChunks, random: np.random.Generator) -> Iterator[Iterator[np.ndarray]]:
        """For each language, frames of its speakers."""
        of_speakers = []
        for code, name in enumerate(TARGETS):
            chunks = np.flatnonzero(data.language == code)
            n_frames = np.bincount(data.speaker[chunks], data.n_frames[chunks]).astype(np.int64)
            if n_frames.sum() < self.components:
                raise InputError(
                    f"{n_frames.sum()} frames of {name} to fit {self.components} components on; add {name} speech to "
                    "the partition"
                )
            most = int(SPEAKER_SHARE * np.median(n_frames[n_frames > 0]))
            of_speakers.append((chunks, np.minimum(n_frames, most)))
        # The language with more frames would fit unseen speech of both better.
        limit = min(self.most_frames, *(quota.sum() for _, quota in of_speakers))
        for chunks, quota in of_speakers:
            yield _frames_of_speakers(data, chunks, np.minimum(quota, _level(quota, limit)), random)

    def _mixture(self, frames: np.ndarray, seed: int) -> Mixture:
        mixture, likelihoods = fit_mixture(frames, self.components, seed, ITERATIONS, SMALLEST_VARIANCE)
        _log.info(
            "%d frames, %d iterations, log-likelihood a frame %.3f", len(frames), len(likelihoods), likelihoods[-1]
        )
        return mixture

    def _score(self, chunk: np.ndarray) -> float:
        densities = self._whitening.log_densities((speech_frames(chunk) - self._centre) / self._scale)
        ratio = log_sums(densities.reshape(len(densities), len(TARGETS), -1))
        return float((ratio[:, 0] - ratio[:, 1]).mean())


def speech_frames(chunk: np.ndarray) -> np.ndarray:
    """The frames of a chunk (n_frames, 39) that are speech, as the mixtures see them: (n, 62) float64."""
    level = chunk[:, 0]
    spoken = np.flatnonzero(level > np.percentile(level, 95) - PAUSE)
    coefficients = chunk[spoken, :N_MFCC].astype(np.float64)
    mean = coefficients.mean(axis=0, keepdims=True)
    divisor = np.sqrt(np.maximum(coefficients.std(axis=0, mean=mean), SMALLEST_SPREAD))
    differences = chunk[:, N_MFCC : N_MFCC + N_SHIFTED] / divisor[:N_SHIFTED]
    at = np.clip(spoken[:, None] + np.array(SHIFTS), 0, len(chunk) - 1)
    return np.concatenate([(coefficients - mean) / divisor, differences[at].reshape(len(spoken), -1)], axis=1)


def _level(quota: np.ndarray, limit: int) -> int:
    """The highest quota, the same for all speakers, with which they have at most ``limit`` frames; at least 1."""
    low, high = 1, int(quota.max())
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if np.minimum(quota, middle).sum() <= limit else (low, middle - 1)
    return low


def _frames_of_speakers(
    data: TrainingChunks, chunks: np.ndarray, quota: np.ndarray, random: np.random.Generator
) -> Iterator[np.ndarray]:
    """Of each speaker, speech of chunks in random order until the quota is reached."""
    for speaker in np.flatnonzero(quota):
        left = int(quota[speaker])
        for i in random.permutation(chunks[data.speaker[chunks] == speaker]):
            if left <= 0:
                break
            frames = speech_frames(data.features(i))[:left]
            left -= len(frames)
            yield frames
