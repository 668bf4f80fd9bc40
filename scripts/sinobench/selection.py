"""The config read, checked against its schema, and resolved before any rule runs.

Imported while Snakemake parses: nothing heavy here.
"""

from collections.abc import Mapping
from pathlib import Path

from sinobench.catalog import Catalog, corpus_task, partition_of
from sinobench.dependencies import not_installed
from sinobench.entries import SPEECH, TASKS, check_corpora, check_known, check_models, read_entries
from sinobench.errors import InputError, nearest
from sinobench.hub.entries import with_classes
from sinobench.plugins import check_chosen, installed
from sinobench.schema import check, load_schema, load_yaml, typed
from sinobench.served import as_run
from sinobench.trust import not_allowed, with_trust


def resolve(config: Mapping, schemas: str | Path, given: Mapping | None = None) -> Catalog:
    """Validate a config and the catalogs it names, and select what it evaluates.

    schemas: folder of the ``*.schema.yaml`` files; given: what of the config the command line's ``--config`` gave.
    Raises InputError for an unknown or malformed key (with its path and the nearest right name), and for an unknown,
    doubled or unfit corpus, model, source or file.

    A model is selected where there is a corpus to evaluate it on: one that the config names, else each that is enabled,
    less those that can't be made of what the config names and what is installed.
    """
    schemas = Path(schemas)
    schema = schemas / "config.schema.yaml"
    config = check(_with_given(config, typed(given or {}, load_schema(schema))), schema, "config")
    paths = {name: [files] if isinstance(files, str) else files for name, files in config["catalogs"].items()}
    listed = config["catalogs"]["sources"]
    sources = check(load_yaml(listed), schemas / "sources.schema.yaml", listed)
    check_chosen(config["plugins"])
    corpora, models = (
        read_entries(paths[kind], schemas / f"{kind}.schema.yaml", installed(kind, config["plugins"]))
        for kind in ("corpora", "models")
    )
    models = with_classes(models)
    paths = {name: ", ".join(files) for name, files in paths.items()}
    check_corpora(corpora, sources, paths)
    check_models(models, corpora, paths)
    models = {name: as_run(entry) if entry["kind"] == "chat" else entry for name, entry in models.items()}
    models = with_trust(models)
    selected_corpora: dict[str, dict] = {}
    selected_models: dict[str, dict] = {}
    left_out: dict[str, str] = {}
    for task in TASKS:
        for key, roles in (("corpora", ("scored", "submission")), ("training", ("training",))):
            for name in [] if task in SPEECH else config[task].get(key, []):
                selected_corpora[name] = _pick(corpora, name, task, f"{task}.{key}", paths["corpora"])
                if selected_corpora[name]["role"] not in roles:
                    role = selected_corpora[name]["role"]
                    raise InputError(
                        f"config: {task}.{key} names '{name}', whose role is '{role}'; expected {' or '.join(roles)}"
                    )
        evaluated = {"scored", "submission"} & {
            corpus["role"] for corpus in selected_corpora.values() if corpus["task"] == corpus_task(task)
        }
        of_task = {i: model for i, model in models.items() if model["task"] == task}
        named = config[task].get("models")
        for name in named or []:
            _pick(models, name, task, f"{task}.models", paths["models"])
        for name, model in of_task.items():
            if not evaluated:
                reason = f"the config names no corpus for {task}"
            elif named is not None:
                reason = None if name in named else f"{task}.models does not name it"
            elif not model["enabled"]:
                reason = "its entry says enabled: false"
            elif name in config["disabled"]:
                reason = "the config's key disabled names it"
            else:
                reason = _not_made(name, models, selected_models, config)
            if reason := reason or not_allowed(name, model, config["allow_flagged"]):
                left_out[name] = reason
            else:
                selected_models[name] = model
    for key in ("disabled", "allow_flagged"):
        for name in config[key]:
            check_known(name, models, f"config: {key} names", paths["models"])
    for partition in config["merlion"]["partitions"]:
        for part in partition["parts"]:
            if part["corpus"] not in config["merlion"]["training"]:
                hint = nearest(part["corpus"], config["merlion"]["training"])
                raise InputError(
                    f"config: partition '{partition['name']}' names '{part['corpus']}', "
                    f"which merlion.training does not; {hint}"
                )
    unnamed = [name for name in corpora if name not in selected_corpora]
    catalog = Catalog(config, sources, selected_corpora, selected_models, left_out, unnamed)
    _check_fitted_models(catalog)
    pools = [pool["name"] for pool in config["g2p"]["pools"]]
    for pool in config["g2p"]["pools"]:
        if pools.count(pool["name"]) > 1:
            raise InputError(f"config: two of g2p.pools are named '{pool['name']}'; give each its own name")
        for name in pool["corpora"] if config["g2p"]["corpora"] else []:
            if name not in config["g2p"]["corpora"]:
                hint = nearest(name, config["g2p"]["corpora"])
                raise InputError(f"config: pool '{pool['name']}' names '{name}', which g2p.corpora does not; {hint}")
    return catalog


def _with_given(config: Mapping, given: Mapping) -> dict:
    """The config with the same keys as given, as Snakemake merges them: mappings into each other, lists as a whole."""
    merged = dict(config)
    for key, value in given.items():
        inner = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = _with_given(merged[key], value) if inner else value
    return merged


def _check_fitted_models(catalog: Catalog) -> None:
    evaluation = catalog.corpus_ids("merlion", "submission")
    if len(evaluation) > 1:
        raise InputError(
            f"config: merlion.corpora names the evaluation sets {', '.join(evaluation)}; a submission is of one: "
            "run them one after the other"
        )
    partition = catalog.config["lid"]["training"]
    if partition and catalog.corpus_ids("merlion", "scored", "submission"):
        check_known(partition, catalog.partitions(), "config: lid.training names", "merlion.partitions")
    for name, model in catalog.models.items():
        if model.get("lid") and model["lid"] not in catalog.models:
            raise InputError(
                f"config: ld.models names '{name}', whose lid model '{model['lid']}' is not in lid.models; add it"
            )
        if reason := _not_made(name, catalog.models, catalog.models, catalog.config):
            raise InputError(f"config: {model['task']}.models names '{name}', which can't be made: {reason}")


def _not_made(model: str, models: Mapping, selected: Mapping, config: Mapping) -> str | None:
    """Why a model can't be made of what the config names and what is installed; None where it can."""
    entry = models[model]
    if entry.get("lid") not in (None, *selected):
        return f"its lid model '{entry['lid']}' is not evaluated"
    if entry.get("fit") and entry["task"] == "csc" and not config["csc"]["training"]:
        return "it is to be fitted, but csc.training names no corpus"
    if reason := not_installed(entry):
        return reason
    if entry.get("fit") and entry["task"] in SPEECH:
        partition, known = partition_of(model, models, config), [p["name"] for p in config["merlion"]["partitions"]]
        if not partition:
            return "it is to be fitted, but neither lid.training nor its entry names a partition"
        if partition not in known:
            return (
                f"it is to be fitted on partition '{partition}', not in merlion.partitions; {nearest(partition, known)}"
            )
    return None


def _pick(entries: dict, name: str, task: str, key: str, path: str) -> dict:
    same_task = {i: entry for i, entry in entries.items() if entry["task"] == task}
    check_known(name, same_task, f"config: {key} names", path)
    return same_task[name]
