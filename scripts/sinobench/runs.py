"""Where a run keeps what it makes: its own folder, and what it shares with other runs, named by what that depends on.

Imported while Snakemake parses: nothing heavy here.
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from sinobench.catalog import Catalog, corpus_task
from sinobench.dependencies import installed_versions
from sinobench.entries import TASKS
from sinobench.errors import InputError
from sinobench.results import seals

# What the run of config/config.yaml has in the folder in which other runs have theirs, beside its database.
RESERVED = {*TASKS, "benchmarks", "figures", "logs", "report", "shared", "speed", "submissions"}

# The tasks that have models.
EVALUATED = {task for task in TASKS if task != "merlion"}

# What of a corpus's entry its items do not depend on, beside its files.
_ABOUT = ("title", "role", "licence", "files", "catalog", "ignored_characters", "confidential", "sources")


# Jobs that make the features of a partition. A number that the config gave would make a fitted model depend on it.
TRAINING_SHARDS = 2


def as_asked(paths: Iterable[str], targets: Collection[str], *folders: str) -> list[tuple[str, bool]]:
    """The paths that a run with these targets takes, each with whether it is brought up to date before.

    Targets that are all tasks bring their own up to date, which stand below one of the folders in one of the task's or
    of its corpora's name; of other tasks, what is there is taken as it is. Any other target brings all up to date, but
    for measured speeds: these only the target ``speed`` makes, and whatever is there is taken as it is.
    """
    asked = {part for task in targets for part in (task, corpus_task(task))} if set(targets) <= EVALUATED else set()
    tasks = [(path, _task_of(path, folders)) for path in paths]
    made = {task for _, task in tasks if task != "speed" and (not asked or task is None or task in asked)}
    return [(path, task in made) for path, task in tasks if task in made or os.path.exists(path)]


def folders(config: Mapping, configfiles: Sequence[str | Path]) -> tuple[str, str]:
    """The run's folder, and that of what runs share: ``results/<run>`` and ``results/shared``, but for ``pathvars``."""
    if given := config["pathvars"].get("results"):
        return given, f"{given}/shared"
    return "/".join(filter(None, ("results", run_name(config, configfiles)))), "results/shared"


def run_name(config: Mapping, configfiles: Sequence[str | Path]) -> str:
    """The run's name: the config's ``run``, else the names of its files; empty for config/config.yaml alone.

    configfiles: those of the command line, relative to the working directory or absolute. Raises InputError for a name
    that a folder in ``results/`` has already, or that is none for a folder.
    """
    default = Path("config/config.yaml").absolute()
    own = [Path(file) for file in configfiles if Path(file).absolute() != default]
    name = config["run"] or ("+".join(Path(file).stem for file in configfiles) if own else "")
    if name in RESERVED or not re.fullmatch(r"(\w[\w.+-]*)?", name) or len(name) > 100:
        raise InputError(
            f"config: the run's name '{name}' can't be a folder's beside the sample's; set another by `run:`"
        )
    return name


def key(*parts: object) -> str:
    """Twelve hexadecimal digits that stand for the parts, which are made of what JSON knows."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]


def corpus_form(catalog: Catalog, corpus: str) -> dict:
    """What the items of a corpus depend on of its entry, beside its files."""
    return {name: value for name, value in catalog.corpora[corpus].items() if name not in _ABOUT}


def model_params(catalog: Catalog, model: str, corpus: str | None = None) -> dict:
    """What the results of a model on a corpus depend on of its entry, with the versions of its packages."""
    entry = catalog.models[model]
    served = {"service": entry["service"]} if entry["kind"] == "chat" else {}
    of_hub = {key: entry[key] for key in ("hub", "revision") if key in entry}
    return {
        **served,
        **of_hub,
        "kind": entry["kind"],
        "class": entry.get("class"),
        "options": entry.get("options", {}),
        "packages": installed_versions(entry.get("packages", ())),
        "files": {name: file for name, file in entry.get("files", {}).items() if of_hub or name == corpus},
    }


def corpus_key(catalog: Catalog, corpus: str) -> str:
    """Stands for how a corpus is read, and from where."""
    on_bad = catalog.config["merlion"]["on_bad_recording"] if catalog.corpora[corpus]["task"] == "merlion" else None
    return key(corpus_form(catalog, corpus), catalog.corpora[corpus]["files"], on_bad)


def partition_key(catalog: Catalog, partition: str) -> str:
    """Stands for the choice of a partition's training data."""
    entry = catalog.partitions()[partition]
    keys = {part["corpus"]: corpus_key(catalog, part["corpus"]) for part in entry["parts"]}
    return key(entry, keys, catalog.config["seed"])


def fit_key(catalog: Catalog, model: str) -> str:
    """Stands for all of config and catalogs that a fitted model depends on."""
    entry = catalog.models[model]
    track, pretrained = entry.get("track"), entry.get("pretrained", [])
    parts = [model, model_params(catalog, model), track, pretrained, catalog.config["seed"]]
    if entry["task"] == "csc":
        corpora = catalog.corpus_ids("csc", "training"), catalog.corpus_ids("csc", "scored")
        return key(
            *parts,
            [[name, corpus_key(catalog, name)] for name in corpora[0]],
            sorted(corpora[1]),
            [corpus_key(catalog, name) for name in sorted(corpora[1])],
        )
    partition = catalog.partition_of(model)
    lid = entry.get("lid")
    used = [fit_key(catalog, lid) if catalog.models[lid].get("fit") else model_params(catalog, lid)] if lid else []
    return key(*parts, used, partition_key(catalog, partition) if partition else None)


def left_behind(catalog: Catalog, folder: str, patterns: Iterable[str], uploads: Collection[str]) -> list[str]:
    """The paths below a run's folder that its rules made of models, corpora and shards that the config no longer has.

    patterns: paths that rules make, with their wildcards; what is like none of them is nobody's business. uploads: the
    paths of the config's own uploads.
    """
    made = [_as_regex(pattern) for pattern in patterns if pattern.startswith(f"{folder}/")]
    left: dict[str, None] = {}
    for part in sorted(RESERVED - {"shared"}):
        for place, _, names in os.walk(Path(folder, part)):
            for path in (f"{place}/{name}" for name in sorted(names)):
                found = [match for regex in made if (match := regex.fullmatch(path))]
                if found and not any(_belongs(catalog, match, uploads) for match in found):
                    left[found[0]["made"]] = None
    return list(left)


def remove(paths: Iterable[str], folder: str) -> None:
    """Remove files and folders, and each folder below ``folder`` that is empty then."""
    for path in map(Path, paths):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        seals.forget(path)
        for parent in path.parents:
            if parent == Path(folder) or any(parent.iterdir()):
                break
            parent.rmdir()


def _task_of(path: str, folders: Sequence[str]) -> str | None:
    """The task whose folder a path is in, below one of the folders; None for a path elsewhere."""
    return next((path[len(folder) + 1 :].split("/")[0] for folder in folders if path.startswith(f"{folder}/")), None)


def _as_regex(pattern: str) -> re.Pattern:
    """The pattern with a group for each wildcard, and ``made`` for what a rule made; a folder's content is of it."""
    parts = re.split(r"\{(\w+)\}", pattern)
    text = ""
    for i, part in enumerate(parts):
        wildcard = f"(?P={part})" if part in parts[1:i:2] else f"(?P<{part}>[^/]+)"
        text += wildcard if i % 2 else re.escape(part)
    return re.compile(f"(?P<made>{text})(/.*)?")


def _belongs(catalog: Catalog, match: re.Match, uploads: Collection[str]) -> bool:
    if "/submissions/" in match["made"]:
        return any(Path(match["made"]).parent == Path(path).parent for path in uploads)
    wildcards = match.groupdict()
    corpus, model = wildcards.get("corpus"), wildcards.get("model")
    if corpus not in {None, *catalog.corpora} or model not in {None, *catalog.models}:
        return False
    if corpus and model:
        task = catalog.models[model]["task"]
        if corpus_task(task) != catalog.corpora[corpus]["task"] or model not in catalog.model_ids(task, corpus):
            return False
    if "pool" in wildcards and wildcards["pool"] not in catalog.pools():
        return False
    n_shards = catalog.shards_for(model) if model else catalog.shards()
    return "shard" not in wildcards or int(wildcards["shard"]) < n_shards
