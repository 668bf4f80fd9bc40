"""Networks of the transformers library from a folder of pinned files: safetensors, no code, no download."""

from __future__ import annotations

import json
import os
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sinobench.errors import InputError

if TYPE_CHECKING:
    import torch

CONFIG = "config.json"
_LOCAL = {"local_files_only": True, "trust_remote_code": False}
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


def network(folder: str | Path, architecture: str) -> torch.nn.Module:
    """The network of the folder, whose config names this class of transformers; its weights in single precision.

    Raises InputError for a config of another class, for a file that is missing or can't be loaded, and for weights that
    are not the class's: the library would draw those that are missing at random.
    """
    _check_config(folder, architecture)
    import torch

    cls = getattr(_library(), architecture)
    options = _LOCAL | {"use_safetensors": True, "dtype": torch.float32, "output_loading_info": True}
    made, found = _loaded(cls, folder, options)
    if missing := sorted(found["missing_keys"]) or sorted(str(each) for each in found["mismatched_keys"]):
        raise InputError(
            f"lacks weights of {architecture}, {len(missing)} of them, such as {missing[0]}; pin a checkpoint that was "
            "trained for this task",
            folder,
        )
    return made


def processor(folder: str | Path, name: str) -> Any:
    """A tokenizer or feature extractor of the folder, by its class in transformers. Raises InputError as `network`."""
    return _loaded(getattr(_library(), name), folder, _LOCAL)


def settings(folder: str | Path, name: str) -> dict:
    """What a JSON file of the folder says. Raises InputError where it is missing or no JSON object."""
    path = Path(folder, name)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(
            f"can't be read as JSON ({error}); list it in `files` as the repository has it", path
        ) from None
    if not isinstance(found, dict):
        raise InputError(f"holds {type(found).__name__}; expected a JSON object", path)
    return found


def _check_config(folder: str | Path, architecture: str) -> None:
    named = settings(folder, CONFIG).get("architectures")
    if named != [architecture]:
        said = ", ".join(map(str, named)) if isinstance(named, list) and named else "none"
        raise InputError(
            f"names the architecture {said}; this loader takes {architecture}: is the model of another task?",
            Path(folder, CONFIG),
        )


def _loaded(cls: type, folder: str | Path, options: dict) -> Any:
    try:
        return cls.from_pretrained(str(folder), **options)
    except Exception as error:  # of many kinds, by the file that is missing or broken
        traceback.print_exc()
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"can't be loaded as {cls.__name__}: {reason}", folder) from None


def _library() -> Any:
    # Read as the library is imported.
    os.environ.update(_OFFLINE)
    import transformers

    transformers.utils.logging.disable_progress_bar()
    return transformers
