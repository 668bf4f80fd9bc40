include: "lookups/csc.smk"


rule ingest_csc:
    input:
        unpack(corpus_files),
    output:
        item_table="<results>/csc/items/{corpus}.parquet",
        inputs="<results>/csc/inputs/{corpus}.parquet",
        set_aside="<results>/csc/set_aside/{corpus}.parquet",
    log:
        "<logs>/ingest_csc/{corpus}.log",
    retries: 0
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 5),
        runtime=sized(30, 0.05),
    params:
        content=content_of(corpus_files),
        code=code_of("ingest_csc"),
        entry=corpus_form,
    script:
        "../scripts/ingest_csc.py"


use rule ingest_csc as ingest_csc_to_fit with:
    output:
        item_table="<shared>/csc/items/{key}/{corpus}.parquet",
        inputs="<shared>/csc/inputs/{key}/{corpus}.parquet",
        set_aside="<shared>/csc/set_aside/{key}/{corpus}.parquet",
    log:
        "<shared>/logs/ingest_csc/{key}/{corpus}.log",


rule fit_csc:
    input:
        training=selected.trained_on("csc", rules.ingest_csc_to_fit.output.item_table),
        set_aside=selected.trained_on("csc", rules.ingest_csc_to_fit.output.set_aside),
        scored=[
            selected.of_corpus(rules.ingest_csc_to_fit.output.item_table, corpus)
            for corpus in catalog.corpus_ids("csc", "scored")
        ],
        files=model_files,
    output:
        fitted="<shared>/csc/fitted/{key}/{model}.fitted",
        training_sets="<shared>/csc/training_sets/{key}/{model}.parquet",
        fits="<shared>/csc/fits/{key}/{model}.parquet",
    log:
        "<shared>/logs/fit_csc/{key}/{model}.log",
    benchmark:
        "<shared>/benchmarks/fit_csc/{key}/{model}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    threads: threads_at_hand
    resources:
        mem_mb=memory_of(4000, 50, "training"),
        runtime=fit_time_of(120, 10, "training"),
        gpu=gpus_at_hand,
        tries_left=tries_left,
    params:
        content=content_of(model_files),
        code=model_code_of("fit_csc"),
        entry=model_params,
        seed=catalog.config["seed"],
    script:
        "../scripts/fit_csc.py"


rule overlap_csc:
    """What the items of a corpus share with the corpora that models are fitted on."""
    input:
        item_table=rules.ingest_csc.output.item_table,
        training=rules.fit_csc.input.training,
        scored=rules.fit_csc.input.scored,
    output:
        "<results>/csc/overlaps/{corpus}.parquet",
    log:
        "<logs>/overlap_csc/{corpus}.log",
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 2),
        runtime=sized(30, 0.1),
    params:
        code=code_of("overlap_csc"),
    script:
        "../scripts/overlap_csc.py"


rule predict_csc:
    input:
        inputs=rules.ingest_csc.output.inputs,
        files=model_files,
        admitted=admitted,
        fitted=fit_of(rules.fit_csc.output.fitted),
    output:
        predictions="<results>/csc/predictions/{corpus}/{model}.parquet",
        runs="<results>/csc/runs/{corpus}/{model}.parquet",
        identities="<results>/csc/identities/{corpus}/{model}.parquet",
    log:
        "<logs>/predict_csc/{corpus}/{model}.log",
    benchmark:
        "<benchmarks>/predict_csc/{corpus}/{model}.jsonl"
    group:
        "model"
    conda:
        "../envs/sinobench.yaml"
    threads: threads_at_hand
    resources:
        mem_mb=memory_of(4000, 20, "inputs"),
        runtime=time_of(60, 20, "inputs"),
        gpu=gpus_at_hand,
        tries_left=tries_left,
        chat_jobs=chat_jobs,
    params:
        content=content_of(model_files),
        code=model_code_of("predict_csc"),
        entry=model_params,
        answers=f"{shared_folder}/answers",
    script:
        "../scripts/predict_csc.py"


rule score_csc:
    input:
        item_table=rules.ingest_csc.output.item_table,
        predictions=rules.predict_csc.output.predictions,
        overlaps=lambda wildcards: selected.overlapped(
            rules.overlap_csc.output[0], wildcards.corpus
        ),
    output:
        outcomes="<results>/csc/outcomes/{corpus}/{model}.parquet",
        edits="<results>/csc/edits/{corpus}/{model}.parquet",
        metrics="<results>/csc/metrics/{corpus}/{model}.parquet",
    log:
        "<logs>/score_csc/{corpus}/{model}.log",
    group:
        "model"
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 2),
        runtime=sized(30, 0.1),
    params:
        code=code_of("score_csc"),
        statistics=catalog.config["statistics"],
        ignored_characters=lambda wildcards: catalog.corpora[wildcards.corpus][
            "ignored_characters"
        ],
    script:
        "../scripts/score_csc.py"


rule compare_csc:
    """Each model against each other, and the ranks that follow."""
    input:
        item_table=rules.ingest_csc.output.item_table,
        predictions=of_models("csc", rules.predict_csc.output.predictions),
        metrics=of_models("csc", rules.score_csc.output.metrics),
        overlaps=lambda wildcards: selected.overlapped(
            rules.overlap_csc.output[0], wildcards.corpus
        ),
    output:
        comparisons="<results>/csc/comparisons/{corpus}.parquet",
        ranks="<results>/csc/ranks/{corpus}.parquet",
        detectable="<results>/csc/detectable_differences/{corpus}.parquet",
    log:
        "<logs>/compare_csc/{corpus}.log",
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(2000, 5),
        runtime=sized(120, 0.1),
    params:
        code=code_of("compare_csc"),
        models=models_at_hand("csc"),
        statistics=catalog.config["statistics"],
    script:
        "../scripts/compare_csc.py"


rule package_csc:
    """One zip a model, with its predictions for every corpus without gold."""
    input:
        item_table=selected.corpora(
            "csc", rules.ingest_csc.output.item_table, "submission"
        ),
        predictions=lambda wildcards: expand(
            rules.predict_csc.output.predictions,
            corpus=catalog.corpus_ids("csc", "submission"),
            model=wildcards.model,
        ),
        training=fit_of(rules.fit_csc.output.training_sets),
    output:
        "<results>/submissions/csc/{model}/results.zip",
    log:
        "<logs>/package_csc/{model}.log",
    priority: -1  # while the database is made, which nothing else can go with
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=model_code_of("package_csc", "reproduce_csc"),
        system=lambda wildcards: systems.csc(
            catalog, wildcards.model, f"{shared_folder}/retrieved"
        ),
    script:
        "../scripts/package_csc.py"


rule draw_csc:
    input:
        database,
    output:
        leaderboard=report(
            multiext("<results>/figures/csc_leaderboard", ".png", ".svg"),
            caption="../report/leaderboard.rst",
            category="Chinese spelling check",
            labels={"figure": "corrections and false alarms"},
        ),
    log:
        "<logs>/draw_csc.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("draw_csc"),
    script:
        "../scripts/draw_csc.py"


collect(
    csc_items=selected.corpora(
        "csc", rules.ingest_csc.output.item_table, "scored", "submission"
    )
    + selected.trained_on("csc", rules.ingest_csc_to_fit.output.item_table),
    csc_overlaps=selected.overlapped(rules.overlap_csc.output[0]),
    set_aside=selected.corpora(
        "csc", rules.ingest_csc.output.set_aside, "scored", "submission"
    )
    + selected.trained_on("csc", rules.ingest_csc_to_fit.output.set_aside),
    training_sets=selected.fitted("csc", rules.fit_csc.output.training_sets),
    fits=selected.fitted("csc", rules.fit_csc.output.fits),
    csc_predictions=selected.evaluated(
        "csc", rules.predict_csc.output.predictions, "scored", "submission"
    ),
    runs=selected.evaluated(
        "csc", rules.predict_csc.output.runs, "scored", "submission"
    ),
    identities=selected.evaluated(
        "csc", rules.predict_csc.output.identities, "scored", "submission"
    ),
    csc_outcomes=selected.scored("csc", rules.score_csc.output.outcomes),
    csc_edits=selected.scored("csc", rules.score_csc.output.edits),
    metrics=selected.scored("csc", rules.score_csc.output.metrics),
    comparisons=selected.compared("csc", rules.compare_csc.output.comparisons),
    ranks=selected.compared("csc", rules.compare_csc.output.ranks),
    detectable_differences=selected.compared(
        "csc", rules.compare_csc.output.detectable
    ),
)
pictures += rules.draw_csc.output
uploads += selected.submitted(rules.package_csc.output[0])


rule csc:
    input:
        selected.scored("csc", rules.score_csc.output.metrics),
        selected.evaluated("csc", rules.predict_csc.output.predictions, "submission"),
        database,
        rules.draw_csc.output,
        selected.submitted(rules.package_csc.output[0]),
