"""The config resolved, and the only functions of the rules: lookups in it."""

import os
import re
import sys

sys.path.insert(0, os.path.join(workflow.basedir, "scripts"))

from sinobench import digest
from sinobench.catalog import resolve
from sinobench.errors import InputError
from snakemake.exceptions import WorkflowError

try:
    catalog = resolve(config, os.path.join(workflow.basedir, "config", "schema"))
except InputError as error:
    raise WorkflowError(str(error)) from None


def one_of(names):
    """A wildcard constraint for exactly these names."""
    return "|".join(map(re.escape, names)) or "(?!)"


def corpus_files(wildcards):
    """The files of a corpus by their part."""
    return catalog.files_of(wildcards.corpus, "<results>/retrieved")


def corpora_of_file(wildcards):
    """The selected corpora that an external file belongs to."""
    return catalog.corpora_of(wildcards.source, wildcards.file)


def corpus_entry(wildcards):
    """The catalog entry of a corpus."""
    return catalog.corpora[wildcards.corpus]


def model_entry(wildcards):
    """The catalog entry of a model."""
    return catalog.models[wildcards.model]


def model_files(wildcards):
    """The files of a model that a prediction depends on: its own code, or the predictions that it is."""
    model = catalog.models[wildcards.model]
    if model["kind"] == "predictions":
        return [model["files"][wildcards.corpus]]
    path = model["class"].rpartition(":")[0]
    return [path] if path.endswith(".py") else []


def scored(task, pattern):
    """The pattern for each scored corpus of a task and each model that can be scored on it."""
    return evaluated(task, pattern, "scored")


def evaluated(task, pattern, *roles):
    """The pattern for each selected corpus of a task with one of the roles, and each model for it."""
    return [
        pattern.format(corpus=corpus, model=model)
        for corpus in catalog.corpus_ids(task, *roles)
        for model in catalog.model_ids(task, corpus)
    ]


def pooled(pattern):
    """The pattern for each pool of G2P corpora and each model that has predictions for all of them."""
    return [
        pattern.format(pool=pool, model=model)
        for pool, corpora in catalog.pools().items()
        for model in catalog.model_ids("g2p")
        if all(model in catalog.model_ids("g2p", corpus) for corpus in corpora)
    ]


def ingested(pattern):
    """The pattern for each selected corpus."""
    return [
        pattern.format(task=entry["task"], corpus=corpus)
        for corpus, entry in catalog.corpora.items()
    ]


def fitted(pattern):
    """The pattern for each selected model that is fitted."""
    return [
        pattern.format(model=model)
        for model, entry in catalog.models.items()
        if entry["fit"]
    ]


def submitted(pattern):
    """The pattern for each spelling-check model that has predictions for every corpus without gold."""
    corpora = catalog.corpus_ids("csc", "submission")
    models = catalog.model_ids("csc") if corpora else []
    return [
        pattern.format(model=model)
        for model in models
        if all(model in catalog.model_ids("csc", corpus) for corpus in corpora)
    ]
