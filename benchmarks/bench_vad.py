"""The plan's energy VAD against a loop over frames as the challenge's baseline has one, on the same audio and run.

Ten minutes of 32 kHz noise and tones with a fixed seed, on one core, in memory. Both ways must decide alike.
"""

import time

import numpy as np
from threadpoolctl import threadpool_limits
from timing import compared

from sinobench.ld.vad import frame_decisions, median

RATE, DURATION_S, REPEATS = 32_000, 600, 3


def recording() -> np.ndarray:
    """Voices in bursts over noise, int16."""
    random = np.random.default_rng(1)
    t = np.arange(DURATION_S * RATE) / RATE
    samples = random.standard_normal(len(t)) * 300
    for hertz in (150, 600, 1700):
        samples += 3000 * np.sin(2 * np.pi * hertz * t) * (np.sin(hertz * t / 200) > 0)
    return np.rint(samples).astype(np.int16)


def loop(samples: np.ndarray) -> np.ndarray:
    """One transform and its sums a frame."""
    window, hop = RATE // 50, RATE // 100
    hertz = np.fft.rfftfreq(window, 1 / RATE)
    in_band = (hertz > 300) & (hertz < 3000)
    decisions = []
    # As in the baseline no frame ends with the audio.
    for start in range(0, len(samples) - window, hop):
        energy = np.abs(np.fft.rfft(samples[start : start + window])) ** 2
        decisions.append(energy[in_band].sum() > 0.55 * energy[1:].sum())
    return median(np.array(decisions))


def main() -> None:
    """Print times real time, and the ratio."""
    samples = recording()
    with threadpool_limits(1):
        speeds, results = [], []
        for way in (frame_decisions, lambda samples, _: loop(samples)):
            seconds = []
            for _ in range(REPEATS):
                started = time.perf_counter()
                result = way(samples, RATE)
                seconds.append(time.perf_counter() - started)
            speeds.append(DURATION_S / min(seconds))
            results.append(result)
    if not np.array_equal(*results):
        raise SystemExit("the two ways decide differently")
    ours, theirs = speeds
    print(f"sinobench: {ours:,.0f} x real time on one core")
    compared("decide of each frame whether it is speech", DURATION_S / ours, "a loop over frames", DURATION_S / theirs)


if __name__ == "__main__":
    main()
