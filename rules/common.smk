"""The config resolved, and the only functions of the rules: lookups in it."""

import atexit
import os
import re
import shlex
import sys

sys.path.insert(0, os.path.join(workflow.basedir, "scripts"))

from sinobench import digest, failures, locks, runs
from sinobench.catalog import corpus_task
from sinobench.contents import contents
from sinobench.dependencies import (
    check_paths,
    data_files,
    with_content,
)
from sinobench.errors import InputError
from sinobench.merlion.training.tracks import counted_as
from sinobench.schema import load_yaml
from sinobench.selection import resolve
from snakemake.exceptions import WorkflowError
from snakemake.io import strip_wildcard_constraints
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
    run_folder, shared_folder = runs.folders(
        catalog.config, workflow.overwrite_configfiles
    )
except InputError as error:
    raise WorkflowError(str(error)) from None
logs = [f"{shared_folder}/logs", f"{run_folder}/logs"]
# For scripts: what changes no result, and so is no param.
config.update(catalog.config)
if workflow.is_main_process:
    if locks.enter():
        logger.info("Released the lock of a run that was killed.")
        for folder in logs:
            failures.settle(folder)
    # At the end of every run, also of one that has nothing to do, for which Snakemake calls no handler.
    atexit.register(
        lambda: sys.stderr.writelines(
            f"{line}\n" for line in [*catalog.remarks(), *stale_uploads()]
        )
    )


def say_at_the_end():
    """The jobs that failed, and status 1 for them."""
    if listed := "\n".join(filter(None, map(failures.settle, logs))):
        logger.error(listed)
        sys.exit(1)


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
        *(
            entry["class"]
            for entry in (model_entry(wildcards), lid_entry(wildcards))
            if entry and "class" in entry
        ),
    )


def content_of(files):
    """Digests of the files that people bring, of those that a function names: their time alone does not tell."""

    def digests(wildcards):
        found = files(wildcards)
        if isinstance(found, str):
            found = [found]
        return contents(found.values() if isinstance(found, dict) else found)

    return digests


def corpus_files(wildcards):
    """The files of a corpus by their part."""
    return catalog.files_of(wildcards.corpus, "<shared>/retrieved")


def corpus_form(wildcards):
    """What the items of a corpus depend on of its entry, beside its files."""
    return runs.corpus_form(catalog, wildcards.corpus)


def of_corpus(pattern, corpus):
    """The path that a corpus has among what runs share."""
    return pattern.format(key=runs.corpus_key(catalog, corpus), corpus=corpus)


def of_partition(pattern, partition, **others):
    """The path that a partition of the training data has among what runs share."""
    key = runs.partition_key(catalog, partition)
    return pattern.format(key=key, partition=partition, **others)


def partition_shards(pattern, partition):
    """The same of each shard of its features."""
    return [
        of_partition(pattern, partition, shard=shard)
        for shard in range(runs.TRAINING_SHARDS)
    ]


def of_fit(pattern, model):
    """The path that a model has among what runs share; none where it is not fitted."""
    if not catalog.models[model]["fit"]:
        return []
    return pattern.format(key=runs.fit_key(catalog, model), model=model)


def trained_on(task, pattern):
    """The paths that the corpora to train on have among what runs share."""
    return [
        of_corpus(pattern, corpus) for corpus in catalog.corpus_ids(task, "training")
    ]


def as_asked(**files):
    """The files by table as they are made; of tasks other than the run's targets, those that are there as they are."""

    def chosen(paths):
        targets = set(workflow.dag_settings.targets)
        if not targets or targets - runs.PARTS.keys():
            return paths
        made = {part for task in targets for part in runs.PARTS[task]}
        paths = map(workflow.pathvars.apply, paths)
        return [
            path if part is None or part in made else before_update(path)
            for path in paths
            for part in [runs.part_of(path, shared_folder, run_folder)]
            if part is None or part in made or os.path.exists(path)
        ]

    paths = {
        table: [given] if isinstance(given, str) else list(given)
        for table, given in files.items()
    }
    return {
        table: lambda wildcards, table=table: chosen(paths[table]) for table in paths
    }


def is_scored(wildcards):
    """Whether a corpus has a gold."""
    return catalog.corpora[wildcards.corpus]["role"] == "scored"


def described(entries):
    """Catalog entries as documents and the database describe them: without what only selects them."""
    return {
        name: {
            key: value
            for key, value in entry.items()
            if key not in ("catalog", "enabled")
        }
        for name, entry in entries.items()
    }


def origins_of(partition):
    """What the corpora of a partition count as for its track."""
    return {
        corpus: counted_as(corpus, catalog.corpora[corpus]["origin"])
        for corpus in corpora_of_partition(partition)
    }


def model_entry(wildcards):
    """The catalog entry of a model."""
    return catalog.models[wildcards.model]


def model_params(wildcards):
    """What the results of a model depend on of its entry, with the versions of its packages."""
    return runs.model_params(catalog, wildcards.model, wildcards.get("corpus"))


def fit_params(wildcards):
    """The same of the identification model at hand, with what it may be fitted on."""
    entry = model_entry(wildcards)
    return model_params(wildcards) | {
        "track": entry["track"],
        "pretrained": entry["pretrained"],
    }


def lid_params(wildcards):
    """The same of the identification model that a diarization model uses, or None."""
    lid = catalog.models[wildcards.model]["lid"]
    return runs.model_params(catalog, lid) if lid else None


def model_files(wildcards):
    """The files that a model's results depend on: those that its entry names, or the predictions that it is."""
    model = catalog.models[wildcards.model]
    if model["kind"] == "predictions":
        return with_content(model["files"][wildcards.corpus])
    lid = lid_entry(wildcards)
    return data_files(model) + (data_files(lid) if lid else [])


def scored(task, pattern):
    """The pattern for each scored corpus of a task and each model that can be scored on it."""
    return evaluated(task, pattern, "scored")


def evaluated(task, pattern, *roles):
    """The pattern for each selected corpus of a task with one of the roles, and each model for it."""
    return [
        pattern.format(corpus=corpus, model=model)
        for corpus in catalog.corpus_ids(corpus_task(task), *roles)
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
    """The pattern for each selected corpus but those to train on."""
    return [
        pattern.format(task=entry["task"], corpus=corpus)
        for corpus, entry in catalog.corpora.items()
        if entry["role"] != "training"
    ]


def fitted(task, pattern):
    """The paths that the selected models of a task that are fitted have among what runs share."""
    return [
        of_fit(pattern, model)
        for model in catalog.model_ids(task)
        if catalog.models[model]["fit"]
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


def uploads(task, pattern):
    """The pattern for each speech model that has predictions for the evaluation set."""
    return [
        pattern.format(track=catalog.track_of(model), model=model)
        for corpus in catalog.corpus_ids("merlion", "submission")
        for model in catalog.model_ids(task, corpus)
    ]


def submitted_csc(wildcards):
    """What the results of a submitted spelling-check model depend on of config and catalogs."""
    entry = model_entry(wildcards)
    config = {"csc": {"models": [wildcards.model]}}
    roles = {"corpora": ["submission"]}
    if entry["fit"]:
        config["seed"] = catalog.config["seed"]
        roles = {"corpora": ["submission", "scored"], "training": ["training"]}
    for key, of_key in roles.items():
        config["csc"][key] = catalog.corpus_ids("csc", *of_key)
    names = [name for key in roles for name in config["csc"][key]]
    return {
        "entry": described(catalog.models)[wildcards.model],
        "config": config,
        "corpora": described({name: catalog.corpora[name] for name in names}),
        "sources": catalog.sources_of(*names),
    }


def all_uploads():
    """The uploads that this config makes."""
    return [
        *submitted("<results>/submissions/csc/{model}/results.zip"),
        *uploads("lid", "<results>/submissions/lid/{track}/{model}/results.zip"),
        *uploads("ld", "<results>/submissions/ld/{track}/{model}/results.zip"),
    ]


def left_behind():
    """What stands in the run's folder of models, corpora and shards that are no longer in its config."""
    patterns = [
        strip_wildcard_constraints(str(file))
        for rule in workflow.rules
        for file in [*rule.output, *rule.log, *filter(None, [rule.benchmark])]
    ]
    uploads = set(map(workflow.pathvars.apply, all_uploads()))
    return runs.left_behind(catalog, run_folder, patterns, uploads)


def stale_uploads():
    """A line that names the uploads in the run's folder that are not of its config."""
    found = [p for p in left_behind() if os.path.basename(p) == "results.zip"]
    return [f"not of this config, removed by `tidy`: {path}" for path in found]


def submitted_system(wildcards):
    """What the description of a submitted speech model is filled from, beside results."""
    entry = catalog.models[wildcards.model]
    components = {wildcards.model: entry}
    if entry["lid"]:
        components[entry["lid"]] = catalog.models[entry["lid"]]
    return {
        "task": entry["task"],
        "track": wildcards.track,
        "pretrained": catalog.pretrained_of(wildcards.model),
        "components": described(components),
        "corpora": described(
            {
                corpus: entry
                for corpus, entry in catalog.corpora.items()
                if entry["task"] == "merlion"
            }
        ),
        "config": {
            key: catalog.config[key] for key in ("seed", "merlion", "lid", "ld")
        },
    }


def speech_files(corpus):
    """The files of a MERLIon or training corpus by their part; its audio where it was expanded to."""
    files = catalog.files_of(corpus, "<shared>/retrieved")
    if catalog.corpora[corpus]["compressed"]:
        files["audio"] = of_corpus("<shared>/merlion/audio/{key}/{corpus}", corpus)
    return files


def merlion_files(wildcards):
    """The files of a MERLIon or training corpus by their part."""
    return speech_files(wildcards.corpus)


def merlion_audio(wildcards):
    """The folder with the audio of a MERLIon or training corpus."""
    return merlion_files(wildcards)["audio"]


def given_audio(wildcards):
    """The same as its entry names it."""
    return catalog.corpora[wildcards.corpus]["files"]["audio"]


def training_ids(wildcards):
    """The lists of training data that a partition names."""
    parts = catalog.partitions()[wildcards.partition]["parts"]
    return [part["ids"] for part in parts if part["ids"]]


def prepared(pattern):
    """The pattern for each MERLIon corpus that is prepared for scoring or submission."""
    return [
        pattern.format(corpus=corpus)
        for corpus in catalog.corpus_ids("merlion", "scored", "submission")
    ]


def segmented(pattern):
    """The pattern for each MERLIon corpus that has segments for language identification."""
    return [
        pattern.format(corpus=corpus)
        for corpus in catalog.corpus_ids("merlion", "scored", "submission")
        if corpus not in catalog.without_segments()
    ]


def shards(pattern, corpus, model=None):
    """The pattern for each shard of a corpus."""
    return [
        pattern.format(corpus=corpus, model=model, shard=shard)
        for shard in range(catalog.config["merlion"]["shards"])
    ]


def in_shards_of_models(pattern):
    """The pattern for each shard of each MERLIon corpus and each diarization model for it."""
    return [
        path
        for corpus in catalog.corpus_ids("merlion", "scored", "submission")
        for model in catalog.model_ids("ld", corpus)
        for path in shards(pattern, corpus, model)
    ]


def corpora_of_partition(name):
    """The corpora of a partition, in the order of its parts."""
    parts = catalog.partitions()[name]["parts"]
    return list(dict.fromkeys(part["corpus"] for part in parts))


def partition_corpora(wildcards):
    """The corpora of a partition."""
    return corpora_of_partition(wildcards.partition)


def partition_audio(wildcards):
    """The audio folders of a partition's corpora, in their order."""
    return [speech_files(corpus)["audio"] for corpus in partition_corpora(wildcards)]


def tuning_corpora(wildcards):
    """The corpora of the partition that a diarization model is tuned on."""
    return corpora_of_partition(catalog.partition_of(wildcards.model))


def tuning_audio(wildcards):
    """The audio folders of the partition that a diarization model is tuned on."""
    return [speech_files(corpus)["audio"] for corpus in tuning_corpora(wildcards)]


def lid_entry(wildcards):
    """The catalog entry of the identification model that a diarization model uses, or None."""
    return catalog.models.get(catalog.models[wildcards.model]["lid"])


def lid_folder(wildcards):
    """Where the identification model that a diarization model uses was fitted to, if it is fitted."""
    lid = catalog.models[wildcards.model]["lid"]
    return of_fit(rules.fit_lid.output.fitted, lid) if lid else []


def in_shards(pattern):
    """The pattern for each shard of each MERLIon corpus that is prepared."""
    return [
        path
        for corpus in catalog.corpus_ids("merlion", "scored", "submission")
        for path in shards(pattern, corpus)
    ]


def feature_proofs():
    """The proofs of the features that identification models take and are fitted on."""
    models = catalog.model_ids("lid")
    names = {
        catalog.partition_of(name) for name in models if catalog.models[name]["fit"]
    }
    return [
        *(in_shards(rules.verify_features.output[0]) if models else []),
        *(
            path
            for name in sorted(names)
            for path in partition_shards(rules.verify_training_features.output[0], name)
        ),
    ]


def merlion_tables():
    """The files of the MERLIon tables that stand in the database, by table."""
    one_a_corpus = {
        "merlion_recordings": "recordings",
        "merlion_grains": "grains",
        "merlion_segments": "segments",
        "merlion_redactions": "redactions",
        "merlion_redaction_labels": "redaction_labels",
        "merlion_regions": "regions",
        "merlion_subtractions": "subtractions",
        "merlion_speech": "speech",
        "merlion_statistics": "statistics",
        "merlion_lengths": "lengths",
    }
    one_a_shard = {
        "merlion_masked": "masked",
        "merlion_proofs": "proofs",
        "merlion_tone": "tone",
        "merlion_chunks": "chunks",
    }
    files = {
        table: prepared(f"<results>/merlion/{name}/{{corpus}}.parquet")
        for table, name in one_a_corpus.items()
    }
    for table, name in one_a_shard.items():
        files[table] = in_shards(
            f"<results>/merlion/{name}/{{corpus}}/{{shard}}.parquet"
        )
    files["merlion_feature_proofs"] = feature_proofs()
    files["merlion_training"] = trained_on(
        "merlion", rules.ingest_training.output.utterances
    )
    files["merlion_partitions"] = [
        of_partition(rules.partition_training.output.utterances, partition)
        for partition in catalog.partitions()
    ]
    files["merlion_folds"] = (
        ["<results>/merlion/folds.parquet"]
        if catalog.corpus_ids("merlion", "scored")
        else []
    )
    return files
