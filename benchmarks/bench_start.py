"""Start-up of the command line, against importing pandas, which a script of one's own would begin with."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from timing import compared

REPEATS = 5


def best_s(command: list[str]) -> float:
    """The shortest wall time of some runs."""
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    """Print one line a command."""
    pandas_s = best_s([sys.executable, "-c", "import pandas"])
    with tempfile.TemporaryDirectory() as folder:
        pairs = Path(folder) / "pairs.txt"
        pairs.write_text("天汽好\t天气好\n", encoding="utf-8")
        score = ["score", "csc", "--gold", str(pairs), "--predictions", str(pairs)]
        for name, arguments in (("--help", ["--help"]), ("score csc, one pair", score)):
            found_s = best_s([sys.executable, "-m", "sinobench", *arguments])
            compared(f"sinobench {name}", found_s, "import pandas", pandas_s)


if __name__ == "__main__":
    main()
