"""Join clips of real speech to code-switched recordings in released form, and make a training corpus of the others."""

from pathlib import Path

from sinobench.failures import job
from sinobench.samples.joined.corpus import Development, make_development, make_training


def main(clips: str, development: Development, training: Path, seed: int) -> None:
    """Write both corpora."""
    recordings = make_development(clips, development, seed)
    make_training(clips, training, seed)
    print(f"{len(recordings)} recordings, {sum(r.duration_ms for r in recordings) / 60_000:.1f} min")


if __name__ == "__main__":
    with job(snakemake, folders=["audio", "training"]):
        files = {name: Path(path) for name, path in snakemake.output.items()}
        main(
            clips=snakemake.input.clips,
            training=files.pop("training"),
            development=Development(**files),
            seed=snakemake.params.seed,
        )
