include: "lookups/run.smk"


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
        models=systems.models(catalog),
        sources=catalog.sources_of(*catalog.corpora),
        pools=catalog.pools(),
        configs=list(map(os.path.relpath, workflow.configfiles)),
    script:
        "../scripts/build_database.py"


rule build_report:
    """Pages that open from disk: who leads, by how much, where models fail, and how the run was made."""
    input:
        database=database,
        citation="CITATION.cff",
        rendered=rendered(),
    output:
        report=report(
            directory("<results>/report"),
            caption="../report/pages.rst",
            htmlindex="index.html",
            category="Report",
            labels={"page": "all pages"},
        ),
    log:
        "<logs>/build_report.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("build_report"),
        measured=measured(),
    script:
        "../scripts/build_report.py"


rule report:
    input:
        rules.build_report.output,


rule database:
    input:
        database,


rule figures:
    input:
        pictures,


rule submissions:
    input:
        uploads,
