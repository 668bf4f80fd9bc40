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
        training=lambda wildcards: of_fit(
            rules.fit_csc.output.training_sets, wildcards.model
        ),
    output:
        "<results>/submissions/csc/{model}/results.zip",
    log:
        "<logs>/package_csc/{model}.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=model_code_of("package_csc", "reproduce_csc"),
        system=submitted_csc,
    script:
        "../scripts/package_csc.py"


rule package_lid:
    """The upload for Task 1 of MERLIon CCS, and the description of the system that goes with it."""
    input:
        segments=expand(
            rules.ingest_lid.output.segments,
            corpus=catalog.corpus_ids("merlion", "submission"),
        ),
        scores=lambda wildcards: expand(
            rules.predict_lid.output.scores,
            corpus=catalog.corpus_ids("merlion", "submission"),
            model=wildcards.model,
        ),
        runs=lambda wildcards: expand(
            rules.predict_lid.output.runs,
            corpus=catalog.corpus_ids("merlion", "submission"),
            model=wildcards.model,
        ),
        fitted=lambda wildcards: of_fit(rules.fit_lid.output.fitted, wildcards.model),
        metrics=lambda wildcards: expand(
            rules.score_lid.output.metrics,
            corpus=catalog.corpus_ids("merlion", "scored"),
            model=wildcards.model,
        ),
    output:
        submission="<results>/submissions/lid/{track}/{model}/results.zip",
        description="<results>/submissions/lid/{track}/{model}/system_description.md",
    log:
        "<logs>/package_lid/{track}/{model}.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("package_lid"),
        system=submitted_system,
    script:
        "../scripts/package_lid.py"


rule package_ld:
    """The upload for Task 2 of MERLIon CCS, and the description of the system that goes with it."""
    input:
        recordings=expand(
            rules.ingest_merlion.output.recordings,
            corpus=catalog.corpus_ids("merlion", "submission"),
        ),
        predictions=lambda wildcards: [
            path
            for corpus in catalog.corpus_ids("merlion", "submission")
            for path in shards(
                rules.predict_ld.output.predictions, corpus, wildcards.model
            )
        ],
        runs=lambda wildcards: [
            path
            for corpus in catalog.corpus_ids("merlion", "submission")
            for path in shards(rules.predict_ld.output.runs, corpus, wildcards.model)
        ],
        fitted=lid_folder,
        tuned=lambda wildcards: of_fit(rules.fit_ld.output[0], wildcards.model),
        metrics=lambda wildcards: expand(
            rules.score_ld.output.metrics,
            corpus=catalog.corpus_ids("merlion", "scored"),
            model=wildcards.model,
        ),
    output:
        submission="<results>/submissions/ld/{track}/{model}/results.zip",
        description="<results>/submissions/ld/{track}/{model}/system_description.md",
    log:
        "<logs>/package_ld/{track}/{model}.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("package_ld"),
        system=submitted_system,
    script:
        "../scripts/package_ld.py"


rule submissions:
    input:
        submitted(rules.package_csc.output[0]),
        uploads("lid", rules.package_lid.output.submission),
        uploads("ld", rules.package_ld.output.submission),
