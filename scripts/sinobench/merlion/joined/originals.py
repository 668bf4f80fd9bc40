"""The originals of the clips: published files of many repositories, each pinned by a listing."""

import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sinobench.errors import InputError, short
from sinobench.merlion.annotations import read_table
from sinobench.retrieve import Pin, RetrievalError, is_as_pinned, pinned, supply

SOURCE = "speech-originals"
COLUMNS = ("path", "source", "commit", "source_path", "sha256", "size_bytes", "end_sample")
MAX_BYTES = 16_000_000
_AT_ONCE = 8  # requests
_SHOWN = 3  # files in a message


@dataclass(frozen=True)
class Original:
    """The published file that a clip is made of: ``end_sample`` is where the clip ends in it, None at its end.

    ``clip`` is the clip's path, as ``line`` of the listing has it.
    """

    line: int
    clip: str
    pin: Pin
    end_sample: int | None


def read_originals(listing: str | Path, entry: Mapping) -> list[Original]:
    """What a listing names, in its order.

    listing: CSV of ``COLUMNS`` and more. entry: of the source catalog; its ``base_url`` has {repository} and {commit}.
    Raises InputError with the line for cells that are no such facts, and for an address that is none.
    """
    originals = []
    for line, row in read_table(listing, COLUMNS):
        for column, form in (
            ("source", r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*"),
            ("commit", "[0-9a-f]{40}"),
            ("size_bytes", "[0-9]{1,8}"),
            ("end_sample", "([1-9][0-9]{0,8})?"),
        ):
            if not re.fullmatch(form, row[column], re.ASCII):
                raise InputError(f"{column} is '{short(row[column])}'; expected the form {form}", listing, line)
        if (size := int(row["size_bytes"])) > MAX_BYTES:
            raise InputError(f"size_bytes is {size}; expected at most {MAX_BYTES}", listing, line)
        base = str(entry.get("base_url")).replace("{repository}", row["source"]).replace("{commit}", row["commit"])
        facts = {"path": row["source_path"], "sha256": row["sha256"], "size_bytes": size}
        file = f"{row['source'].replace('/', '+')}/{row['source_path']}"
        try:
            pin = pinned(SOURCE, file, base, facts)
        except RetrievalError as error:
            raise InputError(str(error), listing, line) from None
        originals.append(Original(line, row["path"], pin, int(row["end_sample"]) if row["end_sample"] else None))
    return originals


def retrieve_originals(
    originals: list[Original], folder: str | Path, mirror: Path | None, attempts: int = 3, wait_s: float = 2.0
) -> int:
    """Write every original to ``<folder>/<file>``, from the mirror or the network; how many were not there as pinned.

    Several are fetched at once. After the first that can't be had no further one is begun; what has arrived stays.
    Raises RetrievalError that names it, the ways to supply it and how many are missing.
    """
    missing = [
        original.pin for original in originals if not is_as_pinned(Path(folder, original.pin.file), original.pin)
    ]
    failed: list[RetrievalError] = []

    def fetch(pin: Pin) -> None:
        if failed:
            return
        try:
            supply(pin, Path(folder, pin.file), mirror, attempts, wait_s)
        except RetrievalError as error:
            failed.append(error)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(fetch, missing))
    if failed:
        absent = [pin for pin in missing if not Path(folder, pin.file).is_file()]
        names = ", ".join(pin.file for pin in absent[:_SHOWN]) + (", …" if len(absent) > _SHOWN else "")
        missing_of = f"{len(absent)} of {len(originals)} files ({sum(pin.size_bytes for pin in absent) / 1e6:.0f} MB)"
        raise RetrievalError(f"{failed[0]}\nMissing of {SOURCE} are {missing_of}: {names}")
    return len(missing)
