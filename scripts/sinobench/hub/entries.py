"""Hub models of the catalog: the class of each loader, where files stand, and what each must be.

Imported while Snakemake parses: nothing heavy here.
"""

import os
from collections.abc import Mapping

from sinobench.errors import InputError
from sinobench.pins import Pin, pinned

# The class of each loader, and the packages whose versions are recorded with its runs.
LOADERS = {
    "masked-lm": ("sinobench.csc.models.masked_lm:MaskedLm", ["torch", "transformers", "tokenizers"]),
    "g2pw": ("sinobench.g2p.models.g2pw:G2pw", ["onnxruntime", "tokenizers"]),
    "whisper": ("sinobench.lid.models.whisper:Whisper", ["torch", "transformers"]),
    "mms": ("sinobench.lid.models.mms:Mms", ["torch", "transformers"]),
    "wav2vec2": ("sinobench.lid.models.wav2vec2:Wav2vec2", ["torch", "transformers"]),
}
HUB = "https://huggingface.co"


def with_classes(models: Mapping[str, dict]) -> dict[str, dict]:
    """The entries of models, those of kind hub with the ``class`` and the ``packages`` of their loader.

    Those of a speech task are pretrained models themselves, which the open track alone takes. Raises InputError for two
    entries that list other files of the same revision, which stand in one folder.
    """
    known: dict[tuple[str, str], str] = {}
    resolved = dict(models)
    for name, entry in models.items():
        if entry["kind"] == "hub":
            first = known.setdefault((entry["hub"], entry["revision"]), name)
            if models[first]["files"] != entry["files"]:
                raise InputError(
                    f"{entry['catalog']}: model '{name}' lists other files of {entry['hub']} than '{first}', of "
                    "the same revision; list the same in both"
                )
            target, packages = LOADERS[entry["loader"]]
            resolved[name] = entry | {"class": target, "packages": packages}
            if "pretrained" in entry:
                resolved[name] |= {
                    "track": entry["track"] or "open",
                    "pretrained": [_itself(entry), *entry["pretrained"]],
                }
    return resolved


def folder_of(entry: Mapping, retrieved: str) -> str:
    """The folder below that of all retrieved files in which a model's stand."""
    return f"{retrieved}/{_source(entry['hub'], entry['revision'])}"


def files_of(entry: Mapping, retrieved: str) -> list[str]:
    """The paths of the files of a model of kind hub; none for another."""
    if entry["kind"] != "hub":
        return []
    return [f"{folder_of(entry, retrieved)}/{file}" for file in entry["files"]]


def placed(params: dict, retrieved: str) -> dict:
    """What the results of a model depend on, of kind hub with its folder among the options of its class."""
    if params["kind"] != "hub":
        return params
    return params | {"options": params["options"] | {"folder": folder_of(params, retrieved)}}


def pins_of(entry: Mapping) -> list[Pin]:
    """The files of a model of kind hub as they must be, and where they are; none for another."""
    if entry["kind"] != "hub":
        return []
    return [pin(folder_name(entry["hub"]), entry["revision"], *named) for named in entry["files"].items()]


def facts_of(models: Mapping[str, Mapping], repository: str, revision: str, file: str) -> Mapping:
    """The sha256 and size_bytes that a file is pinned to; repository: as its folder is called, ``owner--name``."""
    return next(
        entry["files"][file]
        for entry in models.values()
        if entry["kind"] == "hub" and (folder_name(entry["hub"]), entry["revision"]) == (repository, revision)
    )


def pin(repository: str, revision: str, file: str, facts: Mapping) -> Pin:
    """A file of a repository, ``owner--name``, as it must be and at its address, of the hub or of HF_ENDPOINT.

    facts may name another repository that it comes from.
    """
    hub = repository.replace("--", "/", 1)
    base = f"{endpoint()}/{facts.get('hub', hub)}/resolve/{facts.get('revision', revision)}/"
    return pinned(_source(hub, revision), file, base, {**facts, "path": file})


def endpoint() -> str:
    """The address of the hub, which the environment's HF_ENDPOINT replaces by that of a copy."""
    return (os.environ.get("HF_ENDPOINT") or HUB).rstrip("/")


def folder_name(hub: str) -> str:
    """``owner--name`` of ``owner/name``."""
    return hub.replace("/", "--")


def _itself(entry: Mapping) -> dict:
    """The model as descriptions of systems name pretrained ones."""
    hub = entry["hub"]
    return {"name": hub, "version": entry["revision"], "url": f"{HUB}/{hub}", "public": True}


def _source(hub: str, revision: str) -> str:
    return f"hub/{folder_name(hub)}/{revision}"
