"""The config resolved, what the tasks hand over, and the lookups that rules of several tasks share."""

import atexit
import gc
import os
import re
import shlex
import sys
from collections import defaultdict

# What a plan is made of stays: to look for garbage in it takes a tenth of the time of planning.
gc.set_threshold(200_000)
sys.path.insert(0, os.path.join(workflow.basedir, "scripts"))

from sinobench import (
    children,
    digest,
    failures,
    job_lines,
    locks,
    planning,
    runs,
    slurm,
    starting,
    systems,
    unfinished,
)
from sinobench.beginning import check_cores, check_rules, check_storage
from sinobench.contents import contents
from sinobench.dependencies import check_paths, data_files, with_content
from sinobench.ending import last_words, left_out
from sinobench.entries import TASKS
from sinobench.errors import InputError
from sinobench.hub import entries as hub
from sinobench.paths import Paths, filled
from sinobench.schema import load_yaml
from sinobench.selection import resolve
from sinobench.troubles import Trouble
from snakemake.logging import logger

# Snakemake puts the interpreter's path into a shell command as it is.
if shlex.quote(sys.executable) != sys.executable:
    sys.executable = shlex.quote(os.path.relpath(sys.executable))

try:
    # Snakemake's own reading takes the last of two equal keys.
    for path in workflow.configfiles:
        load_yaml(path)
    catalog = resolve(
        config,
        os.path.join(workflow.basedir, "config", "schema"),
        workflow.config_settings.config,
    )
    check_paths(catalog)
    check_cores(workflow.resource_settings.cores)
    check_storage(workflow.storage_settings.default_storage_provider)
    run_folder, shared_folder = runs.folders(
        catalog.config, workflow.overwrite_configfiles
    )
except InputError as error:
    sys.exit(f"Error: {error}")


def say_last():
    """Print the last words."""
    sys.stderr.writelines(f"{line}\n" for line in words_at_the_end())


def words_at_the_end():
    """What the run says as its last where rules can't be read; lookups/run.smk has the words of other runs."""
    said = ["Error: the rules can't be read, as said above; nothing was run."]
    return said if trouble.kind else []


selected = Paths(catalog)
logs = [f"{shared_folder}/logs", f"{run_folder}/logs"]
database = "<results>/sinobench.duckdb"
# What the tasks hand over: the files of each table of the database, pictures made of it, and submissions.
collected, pictures, uploads = defaultdict(list), [], []
# How the run went, None before its end, and lists of failed jobs.
ended, failed = None, []
# For scripts: what changes no result, and so is no param.
config.update(catalog.config)
planning.spare_pandas()
planning.spare_rate()
planning.spare_lock()
planning.spare_signatures()
starting.install(as_usual=0 if workflow.is_main_process else 1)
if workflow.is_main_process:
    slurm.endure()
    try:
        released = locks.enter()
    except InputError as error:
        sys.exit(f"Error: {error}")
    if released:
        logger.info("Released the lock of a run that was killed.")
        for folder in logs:
            failures.settle(folder)
    unfinished.mark("build_database", lambda: failures.stand(logs))
    atexit.register(digest.keep)
    lines = job_lines.shorten(logger, workflow)
    trouble = Trouble(workflow)
    logger.addHandler(trouble)
    # At the end of every run, also of one that has nothing to do, for which Snakemake calls no handler.
    atexit.register(say_last)
# At the end, too, nothing looks for garbage in the plan, but in what the last words are made with: DuckDB's classes would
# be listed as leaked.
atexit.register(gc.freeze)


def say_at_the_end(success):
    """Note how the run went and which jobs failed, and end with status 1 for them."""
    global ended, failed
    ended, failed = success, list(filter(None, map(failures.settle, logs)))
    if success and (left := workflow.scheduler.remaining_jobs):
        failed.append(left_out(job.rule.name for job in left))
    if failed:
        logger.error("\n".join(failed), extra={"is_last_word": True})
        sys.exit(1)


def collect(**files):
    """Hand files over for the database, by table."""
    for table, paths in files.items():
        collected[table] += paths


def one_of(names):
    """A wildcard constraint for exactly these names."""
    return "|".join(map(re.escape, names)) or "(?!)"


def code_of(script):
    """The digest of the code of a script, by which an edit there makes its rule run again."""
    return lambda wildcards: digest.code(script)


def model_code_of(script, *modules):
    """The same with the class of the model at hand, and of the identification model that it uses."""
    return lambda wildcards: digest.code(
        script,
        *(f"{module}:" for module in modules),
        *(entry["class"] for entry in entries(wildcards) if "class" in entry),
    )


def content_of(files):
    """Digests of the files that people bring, of those that a function names: their time alone does not tell."""

    def digests(wildcards):
        found = files(wildcards)
        if isinstance(found, str):
            found = [found]
        return contents(found.values() if isinstance(found, dict) else found)

    return digests


def models_at_hand(task):
    """The models of a task that can be given to the corpus at hand."""
    return lambda wildcards: catalog.model_ids(task, wildcards.corpus)


def of_models(task, pattern):
    """The pattern for each of them."""
    return lambda wildcards: [
        filled(pattern, corpus=wildcards.corpus, model=model)
        for model in models_at_hand(task)(wildcards)
    ]


def corpus_files(wildcards):
    """The files of a corpus by their part."""
    return catalog.files_of(wildcards.corpus, "<shared>/retrieved")


def corpus_form(wildcards):
    """What the items of a corpus depend on of its entry, beside its files."""
    return runs.corpus_form(catalog, wildcards.corpus)


def entries(wildcards):
    """The catalog entry of a model, and that of the identification model that it uses."""
    entry = catalog.models[wildcards.model]
    lid = entry.get("lid")
    return [entry, catalog.models[lid]] if lid else [entry]


def model_params(wildcards):
    """What the results of a model depend on of its entry, with the versions of its packages."""
    return entry_params(wildcards.model, wildcards.get("corpus"))


def entry_params(model, corpus=None):
    """The same of a model by its id."""
    params = runs.model_params(catalog, model, corpus)
    return hub.placed(params, f"{shared_folder}/retrieved")


def model_files(wildcards):
    """The files that a model's results depend on: those that its entry names, or the predictions that it is."""
    entry = catalog.models[wildcards.model]
    if entry["kind"] == "predictions":
        return with_content(entry["files"][wildcards.corpus])
    return [
        file
        for entry in entries(wildcards)
        for file in [*hub.files_of(entry, "<shared>/retrieved"), *data_files(entry)]
    ]


def fit_of(pattern):
    """What the model at hand was fitted to, in a list of none where it is not fitted."""
    return lambda wildcards: selected.of_fit(pattern, wildcards.model)
