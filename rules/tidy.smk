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
