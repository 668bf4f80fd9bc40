"""What the documents that go with a submission are filled from, of config and catalogs.

Imported while Snakemake parses: nothing heavy here.
"""

from collections.abc import Mapping

from sinobench.catalog import Catalog
from sinobench.objects import place


def described(entries: Mapping[str, Mapping]) -> dict[str, dict]:
    """Catalog entries as documents and the database describe them: without what only selects them."""
    return {
        name: {key: value for key, value in entry.items() if key not in ("catalog", "enabled")}
        for name, entry in entries.items()
    }


def models(catalog: Catalog) -> dict[str, dict]:
    """The entries of all models, whose ``training_data`` is all that they learnt from."""
    return {
        model: entry | {"training_data": catalog.learnt_from(model)}
        for model, entry in described(catalog.models).items()
    }


def csc(catalog: Catalog, model: str, retrieved: str) -> dict:
    """What the results of a submitted spelling-check model depend on: its entry, the config, corpora and sources.

    Corpora name the copies of objects of a storage, which stand below the folder ``retrieved``.
    """
    entry = catalog.models[model]
    config: dict = {"csc": {"models": [model]}}
    roles = {"corpora": ["submission"]}
    if entry.get("fit"):
        config["seed"] = catalog.config["seed"]
        roles = {"corpora": ["submission", "scored"], "training": ["training"]}
    for key, of_key in roles.items():
        config["csc"][key] = catalog.corpus_ids("csc", *of_key)
    names = [name for key in roles for name in config["csc"][key]]
    corpora = {name: catalog.corpora[name] for name in names}
    for name, corpus in corpora.items():
        files = {part: place(f, retrieved) if isinstance(f, str) else f for part, f in corpus["files"].items()}
        corpora[name] = {**corpus, "files": files}
    return {
        "entry": described({model: entry})[model],
        "config": config,
        "corpora": described(corpora),
        "sources": catalog.sources_of(*names),
    }


def speech(catalog: Catalog, model: str, track: str) -> dict:
    """What the description of a submitted speech model is filled from, beside results."""
    entry = catalog.models[model]
    components = [model, entry["lid"]] if entry.get("lid") else [model]
    corpora = {corpus: entry for corpus, entry in catalog.corpora.items() if entry["task"] == "merlion"}
    return {
        "task": entry["task"],
        "track": track,
        "pretrained": catalog.pretrained_of(model),
        "components": described({name: catalog.models[name] for name in components}),
        "corpora": described(corpora),
        "config": {key: catalog.config[key] for key in ("seed", "merlion", "lid", "ld")},
    }
