"""Command line: ``python -m sinobench.samples.synthesis {corpus,sample,expand}``."""

import argparse
from pathlib import Path

from sinobench.samples.synthesis import compressed
from sinobench.samples.synthesis.corpus import make_corpus
from sinobench.samples.synthesis.training import make_training

SAMPLE = {"recordings": 10, "hours": 10 / 60, "seed": 1, "evaluation": 2}


def make_sample(out: str | Path, processes: int = 1) -> None:
    """The bundled sample: compressed recordings that show every scene, and the training corpora."""
    make_corpus(out, **SAMPLE, processes=processes, compress=True, every_scene=True)
    make_training(Path(out) / "training", processes=processes)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m sinobench.samples.synthesis", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    corpus = commands.add_parser("corpus", help="recordings with annotation at any size, WAV")
    corpus.add_argument("out", type=Path)
    corpus.add_argument("--recordings", type=int, required=True)
    corpus.add_argument("--hours", type=float, required=True, help="of all recordings together")
    corpus.add_argument("--seed", type=int, default=0)
    corpus.add_argument(
        "--evaluation", type=int, default=0, help="how many are an evaluation set (default: %(default)s)"
    )
    corpus.add_argument("--processes", type=int, default=1)
    sample = commands.add_parser("sample", help="the bundled sample corpus, compressed")
    sample.add_argument("out", type=Path)
    sample.add_argument("--processes", type=int, default=1)
    expand = commands.add_parser("expand", help="decode a compressed sample corpus")
    expand.add_argument("source", type=Path)
    expand.add_argument("target", type=Path)
    arguments = vars(parser.parse_args())
    {"corpus": make_corpus, "sample": make_sample, "expand": compressed.expand}[arguments.pop("command")](**arguments)


if __name__ == "__main__":
    main()
