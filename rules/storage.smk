include: "lookups/storage.smk"


rule retrieve_object:
    """A file of a corpus, from object storage."""
    input:
        lambda wildcards: storage(f"s3://{wildcards.object}"),
    output:
        "<shared>/retrieved/s3/{object}",
    log:
        "<shared>/logs/retrieve_object/{object}.log",
    wildcard_constraints:
        object=one_of(objects.named(catalog.corpora.values(), folders=False)),
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("retrieve_object"),
    script:
        "../scripts/retrieve_object.py"


use rule retrieve_object as retrieve_objects with:
    output:
        folder=directory("<shared>/retrieved/s3/{object}"),
    log:
        "<shared>/logs/retrieve_objects/{object}.log",
    wildcard_constraints:
        object=one_of(objects.named(catalog.corpora.values(), folders=True)),


if catalog.config["store"]:

    rule store_results:
        """Database, report, pictures and submissions, in object storage."""
        input:
            report=rules.build_report.output.report,
            files=[database, *pictures, *uploads],
        output:
            report=stored("<results>/report"),
            files=list(map(stored, [database, *pictures, *uploads])),
        log:
            "<logs>/store_results.log",
        localrule: True
        conda:
            "../envs/sinobench.yaml"
        params:
            code=code_of("store_results"),
        script:
            "../scripts/store_results.py"
