from snakemake.io import strip_wildcard_constraints


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


rule tidy:
    """Remove what this run made of models, corpora and shards that are no longer in its config."""
    log:
        "<logs>/tidy.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("tidy"),
        left=lambda wildcards: left_behind(),
        folder=run_folder,
    script:
        "../scripts/tidy.py"
