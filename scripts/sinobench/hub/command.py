"""``sinobench hub pin``: the catalog entry of a hub model, with the hashes of its files."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.errors import InputError, printable, short

if TYPE_CHECKING:
    from sinobench.hub.pinning import Repository

EXAMPLES = """examples:
  sinobench hub pin shibing624/macbert4csc-base-chinese@main >> my_models.yaml
  sinobench hub pin shibing624/macbert4csc-base-chinese@205dc2ebd415af323fef9a85033dbd19742f2d3d --folder ~/downloads

Nothing is written, loaded or kept. Files that could hold code are left out; the entry says which and why.
"""
_NAMED = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9_][A-Za-z0-9_.-]*)@(\S+)")
# What the loaders say of an architecture that config.json names.
_BY_ARCHITECTURE = {
    "BertForMaskedLM": "masked-lm",
    "WhisperForConditionalGeneration": "whisper",
    "Wav2Vec2ForSequenceClassification": "wav2vec2",
}
_OPEN = "…"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("repository", metavar="OWNER/NAME@REVISION", help="a commit, or a branch or tag, as of today")
    parser.add_argument(
        "--folder", metavar="FOLDER", help="a folder with the repository's files at that commit, instead of the hub"
    )


def run(options: argparse.Namespace) -> str:
    """The entry as YAML. Raises InputError for what is no repository, and where it can't be had."""
    from sinobench.hub.pinning import COMMIT, of_folder, of_hub

    named = _NAMED.fullmatch(options.repository)
    if not named:
        raise InputError(f"'{short(options.repository)}' is no repository at a revision; expected owner/name@main")
    hub, revision = named.groups()
    folder = options.folder or _of_mirror(hub, revision)
    if folder and not COMMIT.fullmatch(revision):
        raise InputError(f"'{short(revision)}': which commit a folder holds can't be told; give its 40 digits")
    return "\n".join(_lines(of_folder(folder, hub, revision) if folder else of_hub(hub, revision)))


def _of_mirror(hub: str, revision: str) -> Path | None:
    """The folder of the mirror with the files, where there is one."""
    from sinobench.hub.entries import folder_name
    from sinobench.retrieve import mirror_of

    mirror = mirror_of({})
    folder = mirror and mirror / "hub" / folder_name(hub) / revision
    return folder if folder and folder.is_dir() else None


def _lines(found: Repository) -> Iterator[str]:
    from sinobench.hub.entries import LOADERS

    loader = _loader(found)
    wanted = (".onnx", ".onnx_data", ".data") if loader == "g2pw" else (".safetensors",)
    for name in list(found.files):
        if (
            loader
            and Path(name).suffix in (".safetensors", ".onnx", ".onnx_data", ".data")
            and Path(name).suffix not in wanted
        ):
            found.left_out[name] = f"holds weights that the loader {loader} does not read"
            del found.files[name]
    for remark in found.remarks:
        yield f"# {printable(remark)}"
    if not any(name.endswith((".safetensors", ".onnx")) for name in found.files):
        yield "# No weights in safetensors or ONNX: no loader takes others, which can hold code."
    if not loader:
        named = ", ".join(map(str, found.settings.get("architectures") or ())) or "none"
        yield f"# No loader for the architecture {short(named)}; known are {', '.join(LOADERS)}."
    name = found.hub.partition("/")[2]
    yield f"{re.sub('[^a-z0-9]+', '-', name.lower()).strip('-')}:"
    task = next((task for task in ("g2p", "csc", "lid") if loader and f".{task}." in LOADERS[loader][0]), _OPEN)
    yield f"  task: {task}"
    yield f"  title: {_scalar(name)}"
    yield "  kind: hub"
    yield f"  hub: {found.hub}"
    yield f'  revision: "{found.revision}"'
    yield "  files:"
    for file, facts in found.files.items():
        yield f'    {file}: {{sha256: "{facts["sha256"]}", size_bytes: {facts["size_bytes"]}}}'
    for file, reason in found.left_out.items():
        yield f"    # {short(file, 100)}: left out, {printable(reason)}"
    yield f"  loader: {loader or _OPEN}"
    yield f"  licence: {_scalar(found.licence) if found.licence else 'unknown  # see its page'}"
    known = f"[{', '.join(map(_scalar, found.datasets))}]" if found.datasets else "[unknown]"
    yield f"  training_data: {known}  # what it learnt from, as far as anyone says"


def _loader(found: Repository) -> str | None:
    """The loader for a repository's files, where there is one."""
    if "POLYPHONIC_CHARS.txt" in found.files:
        return "g2pw"
    architectures = found.settings.get("architectures")
    loader = _BY_ARCHITECTURE.get(str(architectures[0])) if isinstance(architectures, list) and architectures else None
    labels = found.settings.get("label2id")
    return "mms" if loader == "wav2vec2" and isinstance(labels, dict) and {"cmn", "eng"} <= labels.keys() else loader


def _scalar(text: str) -> str:
    """The text as YAML has it."""
    return text if re.fullmatch(r"[A-Za-z][A-Za-z0-9_./-]*", text) else json.dumps(text, ensure_ascii=False)
