"""Make the texts of a submission again, in its folder ``code`` and without Snakemake; no rule runs this script."""

import sys
from pathlib import Path

from sinobench.csc.reproduction import reproduce
from sinobench.errors import InputError

if __name__ == "__main__":
    try:
        reproduce(submitted=Path(".."), work=Path("reproduced"))
    except InputError as error:
        sys.exit(f"error: {error}")
