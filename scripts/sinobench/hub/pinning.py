"""What a repository of a hub has that a model may have, and what each file is: asked from the hub, or of a folder."""

import contextlib
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import IO
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import quote

from sinobench.errors import InputError, short
from sinobench.hub.entries import endpoint
from sinobench.hub.inspection import bad_name
from sinobench.web import opener, time_limit

WAIT_S = 30.0
LONGEST_S = 600.0
COMMIT = re.compile("[0-9a-f]{40}")
_SHA256 = re.compile("[0-9a-f]{64}")
_MOST_LISTED = 32 * 2**20
_MOST_SETTINGS = 2**20
_BLOCK = 1 << 20


@dataclass
class Repository:
    """A repository at a commit: files with sha256 and size_bytes, and why others are left out.

    settings: what its config.json says; remarks: what whoever asked should know.
    """

    hub: str
    revision: str
    files: dict[str, dict] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    settings: dict = field(default_factory=dict)
    licence: str | None = None
    datasets: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def of_hub(hub: str, revision: str) -> Repository:
    """A repository, ``owner/name``, at a commit, branch or tag. The hub says most hashes; small files are read.

    Raises InputError for a repository or revision that it has not or does not show, and where it can't be reached.
    """
    asked = f"{hub} at '{short(revision)}'"
    with _opened(f"api/models/{hub}/revision/{quote(revision, safe='')}?blobs=true", asked) as answer:
        said = _json(answer.read(_MOST_LISTED), asked)
    card = said.get("cardData") if isinstance(said.get("cardData"), dict) else {}
    commit, listed = said.get("sha"), said.get("siblings")
    if not (isinstance(commit, str) and COMMIT.fullmatch(commit) and isinstance(listed, list)):
        raise InputError(
            f"{endpoint()} tells neither commit nor files of {asked}; HF_ENDPOINT is to be a hub's address"
        )
    datasets = [name for name in card.get("datasets") or () if isinstance(name, str)]
    licence = card.get("license") if isinstance(card.get("license"), str) else None
    found = Repository(hub, commit, licence=licence, datasets=datasets)
    if revision != commit:
        found.remarks.append(f"'{short(revision)}' may be moved; it was the commit {commit}, which can't be")
    blobs = {str(each.get("rfilename")): each for each in listed if isinstance(each, dict)}
    for name in _taken(blobs, found.left_out):
        lfs = blobs[name].get("lfs") or {}
        if _SHA256.fullmatch(str(lfs.get("sha256"))) and isinstance(lfs.get("size"), int):
            found.files[name] = {"sha256": lfs["sha256"], "size_bytes": lfs["size"]}
            continue
        with _opened(f"{hub}/resolve/{commit}/{quote(name)}", f"{name} of {asked}") as answer:
            found.files[name], head = _facts(answer)
        if name == "config.json":
            found.settings = _json(head, f"{name} of {asked}")
    return found


def of_folder(folder: str | Path, hub: str, revision: str) -> Repository:
    """A repository whose files at this commit stand in a folder. Raises InputError for a folder without files."""
    folder, found = Path(folder), Repository(hub, revision)
    names = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file()]
    if not names:
        raise InputError(f"holds no files; expected those of {hub} at {revision}", folder)
    for name in _taken(names, found.left_out):
        with (folder / name).open("rb") as stream:
            found.files[name], head = _facts(stream)
        if name == "config.json":
            found.settings = _json(head, str(folder / name))
    return found


def _taken(names: Iterable[str], left_out: dict[str, str]) -> list[str]:
    """The names of files that a model may have; why the others are not taken goes to left_out."""
    names = sorted(names)
    taken = []
    for name in names:
        if reason := bad_name(name, names):
            left_out[name] = reason
        elif name.endswith(".safetensors") and name != "model.safetensors" and "model.safetensors" in names:
            left_out[name] = "holds weights beside those of model.safetensors"
        else:
            taken.append(name)
    return taken


def _facts(stream: IO[bytes]) -> tuple[dict, bytes]:
    """The sha256 and size_bytes of what is read, and its beginning."""
    digest, size, head = hashlib.sha256(), 0, b""
    while block := stream.read(_BLOCK):
        digest.update(block)
        size += len(block)
        head = head or block[:_MOST_SETTINGS]
    return {"sha256": digest.hexdigest(), "size_bytes": size}, head


def _json(content: bytes, what: str) -> dict:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{what}: the answer is no JSON object; the hub may be a page to log in to")
    return found


@contextlib.contextmanager
def _opened(path: str, what: str) -> Iterator[IO[bytes]]:
    """The hub's answer for a path. Raises InputError, in words for what is not there, not shown, and not reached."""
    address = f"{endpoint()}/{path}"
    try:
        with time_limit(LONGEST_S) as watch:
            asking = request.Request(address, headers={"User-Agent": "sinobench"})
            with contextlib.closing(opener(watch).open(asking, timeout=WAIT_S)) as answer:
                yield answer
    except HTTPError as error:
        error.close()
        raise InputError(f"{what}: {_refusal(error)}") from None
    except (URLError, OSError, HTTPException, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "reason", None) or error
        raise InputError(
            f"{what}: {endpoint()} can't be reached ({reason}); on a machine without a network give --folder, a folder "
            "with the files"
        ) from None


def _refusal(error: HTTPError) -> str:
    """What an answer of the hub means. It says 401 of what does not exist, too, since it may be private."""
    code = error.headers.get("X-Error-Code", "")
    if code == "RevisionNotFound":
        return "the hub has no such revision; give a branch, a tag or a commit of the repository"
    if code == "GatedRepo" or error.code == 403:
        return (
            "is gated: its owner asks who fetches it. Accept its terms there, fetch the files with your account, and "
            "give their folder by --folder; runs take them from a mirror"
        )
    if code == "RepoNotFound" or error.code in (401, 404):
        return f"the hub has no such repository, or does not show it (HTTP {error.code}); look at the name"
    return f"the hub answers HTTP {error.code} {short(str(error.reason))}; try again later"
