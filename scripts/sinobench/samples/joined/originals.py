"""The originals of the clips: published files of many repositories, each pinned by a listing."""

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sinobench.errors import InputError, short
from sinobench.merlion.annotation.tables import read_table
from sinobench.pins import Pin, RetrievalError, is_as_pinned, pinned
from sinobench.retrieve import needed_for, supply

SOURCE = "speech-originals"
COLUMNS = ("path", "source", "commit", "source_path", "sha256", "size_bytes", "end_sample")
MAX_BYTES = 16_000_000
_FORMS = {
    "source": r"[A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9][A-Za-z0-9_.-]*",
    "commit": "[0-9a-f]{40}",
    "size_bytes": "[0-9]{1,8}",
    "end_sample": "([1-9][0-9]{0,8})?",
}
_AT_ONCE = 8  # requests
_SHOWN = 3  # files in a message


@dataclass(frozen=True)
class Original:
    """The published file that a clip is made of: ``end_sample`` is where the clip ends in it, None at its end.

    ``clip`` is the clip's path, as ``line`` of the listing has it.
    """

    line: int
    clip: str
    repository: str
    commit: str
    path: str
    sha256: str
    size_bytes: int
    end_sample: int | None

    @property
    def file(self) -> str:
        """Its place in a mirror, and where it is retrieved to."""
        return f"{self.repository.replace('/', '+')}/{self.path}"

    def pin(self, base_url: str) -> Pin:
        """base_url: with {repository} and {commit}. Raises RetrievalError where it is no address."""
        base = base_url.replace("{repository}", self.repository).replace("{commit}", self.commit)
        facts = {"path": self.path, "sha256": self.sha256, "size_bytes": self.size_bytes}
        return pinned(SOURCE, self.file, base, facts)


def read_originals(listing: str | Path) -> list[Original]:
    """What a listing, a CSV of ``COLUMNS`` and more, names, in its order.

    Raises InputError with the line for cells that are no such facts.
    """
    originals = []
    for line, row in read_table(listing, COLUMNS):
        for column, form in _FORMS.items():
            if not re.fullmatch(form, row[column]):
                raise InputError(f"{column} is '{short(row[column])}'; expected the form {form}", listing, line)
        size, end = int(row["size_bytes"]), int(row["end_sample"] or 0)
        if size > MAX_BYTES:
            raise InputError(f"size_bytes is {size}; expected at most {MAX_BYTES}", listing, line)
        facts = (row["path"], row["source"], row["commit"], row["source_path"], row["sha256"])
        original = Original(line, *facts, size, end or None)
        try:
            original.pin("https://example.org/{repository}/{commit}/")
        except RetrievalError as error:
            raise InputError(str(error), listing, line) from None
        originals.append(original)
    return originals


def retrieve_listed(listing: str | Path, base_url: str, mirror: Path | None, out: str | Path) -> None:
    """Write the originals into the folder that is called as ``out`` without its suffix, and last the listing there."""
    originals = read_originals(listing)
    with needed_for("speech-joined", "speech-train"):
        n_new = retrieve_originals(originals, base_url, Path(out).with_suffix(""), mirror)
    shutil.copyfile(listing, out)
    print(f"{len(originals)} originals, {n_new} of them new")


def retrieve_originals(
    originals: list[Original],
    base_url: str,
    folder: str | Path,
    mirror: Path | None,
    attempts: int = 3,
    wait_s: float = 2.0,
) -> int:
    """Write every original to ``<folder>/<file>``, from the mirror or the network; how many were not there as pinned.

    Several are fetched at once. After the first that can't be had no further one is begun; what has arrived stays.
    Raises RetrievalError that names it, the ways to supply it and how many are missing.
    """
    folder = Path(folder)
    missing = [o for o in originals if not is_as_pinned(folder / o.file, o.sha256, o.size_bytes)]
    failed: list[RetrievalError] = []

    def fetch(original: Original) -> None:
        if failed:
            return
        try:
            supply(original.pin(base_url), folder / original.file, mirror, attempts, wait_s)
        except RetrievalError as error:
            failed.append(error)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(fetch, missing))
    if failed:
        absent = [original for original in missing if not (folder / original.file).is_file()]
        names = ", ".join(original.file for original in absent[:_SHOWN]) + (", …" if len(absent) > _SHOWN else "")
        size = sum(original.size_bytes for original in absent) / 1e6
        missing_of = f"{len(absent)} of {len(originals)} files ({size:.0f} MB)"
        raise RetrievalError(f"{failed[0]}\nMissing of {SOURCE} are {missing_of}: {names}")
    return len(missing)
