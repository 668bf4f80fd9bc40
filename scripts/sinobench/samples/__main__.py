"""Command line: ``python -m sinobench.samples TASK FOLDER --size N``, a corpus of any size and a config for it."""

import argparse
from pathlib import Path

from sinobench.samples.sized.making import PUBLIC_SIZES, make


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m sinobench.samples", description=__doc__.partition(", ")[2])
    parser.add_argument("task", choices=PUBLIC_SIZES)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--size", type=int, help="characters of g2p, pairs of csc, recordings of lid and ld; else the public size"
    )
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    make(arguments.task, arguments.folder, arguments.size or PUBLIC_SIZES[arguments.task], arguments.seed)


if __name__ == "__main__":
    main()
