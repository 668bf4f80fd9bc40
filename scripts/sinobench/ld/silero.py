"""Speech as Silero VAD hears it: its ONNX file, run by ONNX Runtime, and its own rule from probabilities to stretches.

A frame is 512 samples at 16 kHz, 32 ms, after 64 samples of the frame before it; the network's state goes on from frame
to frame. Source: silero_vad/sequence_vad.py and utils_vad.py (get_speech_timestamps_from_probs, at its defaults).
"""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from sinobench.errors import InputError

RATE_HZ = 16_000
FRAME, CONTEXT = 512, 64  # samples
THRESHOLD = 0.5  # speech starts at a frame of this probability,
EXIT_THRESHOLD = 0.35  # and may end at one below this
MIN_SPEECH, MIN_PAUSE, MARGIN = (ms * RATE_HZ // 1000 for ms in (250, 100, 30))
_STATE = 128
_BLOCK = 1 << 18  # samples at a time: 8 s at 32 kHz


class SileroVad:
    """The network; a recording starts from an empty state."""

    def __init__(self) -> None:
        """Raises InputError where one of the packages is absent."""
        found = {name: find_spec(name) for name in ("onnxruntime", "silero_vad")}
        if missing := [name.replace("_", "-") for name, spec in found.items() if spec is None]:
            raise InputError(f"{' and '.join(missing)}: not installed; pip install --requirement envs/requirements.txt")
        import onnxruntime

        options = onnxruntime.SessionOptions()
        # Sums of several threads may depend on their number, and a frame is too small to share.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # The package's own modules import torch, and set its threads for the whole process.
        path = Path(found["silero_vad"].submodule_search_locations[0], "data/silero_vad_16k_sequence.onnx")
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def probabilities(self, samples: np.ndarray, sample_rate_hz: int) -> np.ndarray:
        """The probability of speech in each frame, (n_frames,) float32; the last frame is filled up with zeros.

        samples: (n,) int16, of which a few seconds at a time are resampled to 16 kHz.
        """
        found = [np.zeros(0, np.float32)]
        hidden = cell = np.zeros((1, 1, _STATE), np.float32)
        context = np.zeros(CONTEXT, np.float32)
        for heard in _whole_frames(_at_16_khz(samples, sample_rate_hz)):
            line = np.concatenate([context, heard])
            frames = np.lib.stride_tricks.sliding_window_view(line, CONTEXT + FRAME)[::FRAME]
            inputs = {"input": np.ascontiguousarray(frames), "h": hidden, "c": cell}
            speech, hidden, cell = self._session.run(["speech_probs", "hn", "cn"], inputs)
            found.append(speech.reshape(-1))
            context = line[-CONTEXT:]
        return np.concatenate(found)

    def clips(self, samples: np.ndarray, sample_rate_hz: int) -> np.ndarray:
        """The stretches of speech, (n, 2) int64 of [start, end) in whole ms. samples: (n,) int16."""
        length = -(-len(samples) * RATE_HZ // sample_rate_hz)
        found = stretches(self.probabilities(samples, sample_rate_hz), length)
        return np.minimum(found * 1000 // RATE_HZ, len(samples) * 1000 // sample_rate_hz)


def stretches(probabilities: np.ndarray, n_samples: int) -> np.ndarray:
    """The stretches of speech, (n, 2) int64 of samples [start, end) at 16 kHz, sorted and disjoint.

    Speech starts at THRESHOLD, and ends where a pause of MIN_PAUSE begins, which starts below EXIT_THRESHOLD and holds
    no frame at THRESHOLD. Stretches of at most MIN_SPEECH are dropped, the others get MARGIN on both sides.
    """
    found = []
    start = pause = None
    for at, probability in zip(range(0, n_samples, FRAME), probabilities.tolist(), strict=True):
        if probability >= THRESHOLD:
            start, pause = at if start is None else start, None
        elif probability < EXIT_THRESHOLD and start is not None:
            pause = at if pause is None else pause
            if at - pause >= MIN_PAUSE:
                found.append((start, pause))
                start = pause = None
    if start is not None:
        found.append((start, n_samples))
    bounds = np.array(found, np.int64).reshape(-1, 2)
    bounds = bounds[bounds[:, 1] - bounds[:, 0] > MIN_SPEECH]
    # Pauses are longer than two margins.
    return np.clip(bounds + np.array([-MARGIN, MARGIN]), 0, n_samples)


def _at_16_khz(samples: np.ndarray, sample_rate_hz: int) -> Iterator[np.ndarray]:
    """The samples as float32 in [-1, 1) at 16 kHz, ceil(n * 16000 / rate) of them, in blocks of any length."""
    import soxr

    stream = soxr.ResampleStream(sample_rate_hz, RATE_HZ, 1, dtype="float32", quality="HQ")
    missing = -(-len(samples) * RATE_HZ // sample_rate_hz)
    for start in range(0, len(samples), _BLOCK):
        block = samples[start : start + _BLOCK].astype(np.float32) / np.float32(32768)
        block = stream.resample_chunk(block, last=start + _BLOCK >= len(samples))[:missing]
        missing -= len(block)
        yield block
    yield np.zeros(missing, np.float32)


def _whole_frames(blocks: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """The same samples in blocks of whole frames, the last one filled up with zeros."""
    rest = np.zeros(0, np.float32)
    for block in blocks:
        rest = np.concatenate([rest, block])
        n = len(rest) - len(rest) % FRAME
        if n:
            yield rest[:n]
            rest = rest[n:]
    if len(rest):
        yield np.pad(rest, (0, FRAME - len(rest)))
