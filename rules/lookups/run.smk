"""What rules on the whole run look up: files of a table as a target asks for them, what left the config."""

from sinobench.merlion.training.tracks import SYNTHETIC
from snakemake.io import strip_wildcard_constraints


def as_asked(paths):
    """The files of a table: made anew, or those of tasks other than the run's targets as they are."""

    def chosen(wildcards):
        every = map(workflow.pathvars.apply, paths)
        targets = workflow.dag_settings.targets
        taken = runs.as_asked(every, targets, shared_folder, run_folder)
        return [path if made else before_update(path) for path, made in taken]

    return chosen


def measured():
    """The files in which Snakemake wrote what jobs took: of this run, and of its fits, which runs share."""
    fits = {task: f"{shared_folder}/benchmarks/fit_{task}" for task in TASKS}
    return [
        f"{run_folder}/benchmarks/**/*.jsonl",
        *(
            path
            for task, folder in fits.items()
            for path in selected.fitted(task, f"{folder}/{{key}}/{{model}}.jsonl")
        ),
    ]


def rendered():
    """What the report can show and play of recordings, where there are such."""
    return rules.render_recordings.output.rendered if shown_corpora() else []


def left_behind():
    """What stands in the run's folder of models, corpora and shards that are no longer in its config."""
    patterns = [
        strip_wildcard_constraints(str(file))
        for rule in workflow.rules
        for file in [*rule.output, *rule.log, *filter(None, [rule.benchmark])]
    ]
    own = set(map(workflow.pathvars.apply, uploads))
    return runs.left_behind(catalog, run_folder, patterns, own)


def stale_uploads():
    """A line that names the uploads in the run's folder that are not of its config."""
    found = [p for p in left_behind() if os.path.basename(p) == "results.zip"]
    return [f"not of this config, removed by `tidy`: {path}" for path in found]


def check_options():
    """End the run where an option names a rule that there is none of."""
    settings = workflow.resource_settings
    named = {
        "--set-threads": settings.overwrite_threads,
        "--set-resources": settings.overwrite_resources,
    }
    try:
        check_rules(named, [rule.name for rule in workflow.rules])
    except InputError as error:
        atexit.unregister(say_last)
        sys.exit(f"Error: {error}")


def words_at_the_end():
    """What the run says as its last, where it made or has the database the screen of its results."""
    if trouble.is_stopped:
        return trouble.words()
    said = [*catalog.remarks(), *stale_uploads()] if ended is not False else []
    made = workflow.dag is not None and any(
        job.rule.name == "build_database" for job in workflow.dag.jobs
    )
    synthetic = [
        i
        for i, entry in catalog.corpora.items()
        if entry.get("origin") == SYNTHETIC and entry["role"] != "training"
    ]
    return last_words(
        lines,
        ended,
        run_folder if made and not workflow.output_settings.quiet else None,
        [line for listed in failed for line in listed.split("\n")] + said,
        synthetic,
        trouble.words(),
    )
