def as_asked(paths):
    """The files of a table: made anew, or those of tasks other than the run's targets as they are."""

    def chosen(wildcards):
        every = map(workflow.pathvars.apply, paths)
        targets = workflow.dag_settings.targets
        taken = runs.as_asked(every, targets, shared_folder, run_folder)
        return [path if made else before_update(path) for path, made in taken]

    return chosen


collect(published=["resources/published.csv"])


rule build_database:
    """The one database of all results, made anew beside the old one and renamed into its place."""
    input:
        **{table: as_asked(paths) for table, paths in collected.items()},
    output:
        update(database),
    log:
        "<logs>/build_database.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("build_database"),
        corpora=systems.described(catalog.corpora),
        models=systems.described(catalog.models),
        sources=catalog.sources_of(*catalog.corpora),
    script:
        "../scripts/build_database.py"


rule database:
    input:
        database,


rule figures:
    input:
        pictures,


rule submissions:
    input:
        uploads,
