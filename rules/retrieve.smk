rule retrieve_file:
    output:
        "<results>/retrieved/{source}/{file}",
    log:
        "<logs>/retrieve_file/{source}/{file}.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=digest.code("retrieve.py"),
        corpora=corpora_of_file,
        entry=lambda wildcards: catalog.sources[wildcards.source],
        mirror=os.environ.get("SINOBENCH_MIRROR") or catalog.config["mirror"],
    script:
        "../scripts/retrieve_file.py"
