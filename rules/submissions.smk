rule package_csc:
    """One zip a model, with its predictions for every corpus without gold."""
    input:
        item_table=expand(
            rules.ingest_csc.output.item_table,
            corpus=catalog.corpus_ids("csc", "submission"),
        ),
        predictions=lambda wildcards: expand(
            rules.predict_csc.output.predictions,
            corpus=catalog.corpus_ids("csc", "submission"),
            model=wildcards.model,
        ),
        training=lambda wildcards: (
            rules.fit_csc.output.training_sets
            if catalog.models[wildcards.model]["fit"]
            else []
        ),
    output:
        "<results>/submissions/csc/{model}/results.zip",
    log:
        "<logs>/package_csc/{model}.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=digest.code("csc/submission.py"),
        entry=model_entry,
        config={key: value for key, value in catalog.config.items() if key != "mirror"},
        revision=digest.revision(),
    script:
        "../scripts/package_csc.py"


rule submissions:
    input:
        submitted(rules.package_csc.output[0]),
