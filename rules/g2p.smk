rule ingest_g2p:
    input:
        unpack(corpus_files),
    output:
        item_table="<results>/g2p/items/{corpus}.parquet",
        inputs="<results>/g2p/inputs/{corpus}.parquet",
        set_aside="<results>/g2p/set_aside/{corpus}.parquet",
    log:
        "<logs>/ingest_g2p/{corpus}.log",
    retries: 0
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 10),
        runtime=sized(30, 1),
    params:
        content=content_of(corpus_files),
        code=code_of("ingest_g2p"),
        entry=corpus_form,
    script:
        "../scripts/ingest_g2p.py"


rule predict_g2p:
    input:
        inputs=rules.ingest_g2p.output.inputs,
        files=model_files,
        admitted=admitted,
    output:
        predictions="<results>/g2p/predictions/{corpus}/{model}.parquet",
        runs="<results>/g2p/runs/{corpus}/{model}.parquet",
        identities="<results>/g2p/identities/{corpus}/{model}.parquet",
    log:
        "<logs>/predict_g2p/{corpus}/{model}.log",
    benchmark:
        "<benchmarks>/predict_g2p/{corpus}/{model}.jsonl"
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
    params:
        content=content_of(model_files),
        code=model_code_of("predict_g2p"),
        entry=model_params,
    script:
        "../scripts/predict_g2p.py"


rule score_g2p:
    input:
        item_table=rules.ingest_g2p.output.item_table,
        predictions=rules.predict_g2p.output.predictions,
    output:
        outcomes="<results>/g2p/outcomes/{corpus}/{model}.parquet",
        confusions="<results>/g2p/confusions/{corpus}/{model}.parquet",
        metrics="<results>/g2p/metrics/{corpus}/{model}.parquet",
    log:
        "<logs>/score_g2p/{corpus}/{model}.log",
    group:
        "model"
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 10),
        runtime=sized(30, 1),
    params:
        code=code_of("score_g2p"),
        statistics=catalog.config["statistics"],
    script:
        "../scripts/score_g2p.py"


rule compare_g2p:
    """Each model against each other, and the ranks that follow."""
    input:
        item_table=rules.ingest_g2p.output.item_table,
        predictions=of_models("g2p", rules.predict_g2p.output.predictions),
        metrics=of_models("g2p", rules.score_g2p.output.metrics),
    output:
        comparisons="<results>/g2p/comparisons/{corpus}.parquet",
        ranks="<results>/g2p/ranks/{corpus}.parquet",
        detectable="<results>/g2p/detectable_differences/{corpus}.parquet",
    log:
        "<logs>/compare_g2p/{corpus}.log",
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(2000, 10),
        runtime=sized(120, 2),
    params:
        code=code_of("compare_g2p"),
        models=models_at_hand("g2p"),
        statistics=catalog.config["statistics"],
    script:
        "../scripts/compare_g2p.py"


rule pool_g2p:
    input:
        item_table=lambda wildcards: expand(
            rules.ingest_g2p.output.item_table, corpus=catalog.pools()[wildcards.pool]
        ),
        predictions=lambda wildcards: expand(
            rules.predict_g2p.output.predictions,
            corpus=catalog.pools()[wildcards.pool],
            model=wildcards.model,
        ),
    output:
        confusions="<results>/g2p/confusions/pooled-{pool}/{model}.parquet",
        metrics="<results>/g2p/metrics/pooled-{pool}/{model}.parquet",
    log:
        "<logs>/pool_g2p/{pool}/{model}.log",
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 10),
        runtime=sized(30, 1),
    params:
        code=code_of("pool_g2p"),
        overlapping=lambda wildcards: [
            corpus
            for corpus in catalog.pools()[wildcards.pool]
            if catalog.overlaps(wildcards.model, corpus)
        ],
        statistics=catalog.config["statistics"],
    script:
        "../scripts/pool_g2p.py"


use rule compare_g2p as compare_pool_g2p with:
    input:
        item_table=rules.pool_g2p.input.item_table,
        predictions=lambda wildcards: [
            filled(rules.predict_g2p.output.predictions, corpus=corpus, model=model)
            for model in selected.given_to_pool(wildcards.pool)
            for corpus in catalog.pools()[wildcards.pool]
        ],
        metrics=lambda wildcards: expand(
            rules.pool_g2p.output.metrics,
            pool=wildcards.pool,
            model=selected.given_to_pool(wildcards.pool),
        ),
    output:
        comparisons="<results>/g2p/comparisons/pooled-{pool}.parquet",
        ranks="<results>/g2p/ranks/pooled-{pool}.parquet",
        detectable="<results>/g2p/detectable_differences/pooled-{pool}.parquet",
    log:
        "<logs>/compare_g2p/pooled-{pool}.log",
    params:
        code=code_of("compare_g2p"),
        models=lambda wildcards: selected.given_to_pool(wildcards.pool),
        statistics=catalog.config["statistics"],


rule draw_g2p:
    input:
        database,
    output:
        leaderboard=report(
            multiext("<results>/figures/g2p_leaderboard", ".png", ".svg"),
            caption="../report/leaderboard.rst",
            category="Cantonese G2P",
            labels={"figure": "accuracy and PER"},
        ),
        runtime=report(
            multiext("<results>/figures/g2p_runtime", ".png", ".svg"),
            caption="../report/runtime.rst",
            category="Cantonese G2P",
            labels={"figure": "run time against accuracy"},
        ),
    log:
        "<logs>/draw_g2p.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("draw_g2p"),
        pools=catalog.pools(),
    script:
        "../scripts/draw_g2p.py"


collect(
    g2p_items=selected.corpora("g2p", rules.ingest_g2p.output.item_table, "scored"),
    set_aside=selected.corpora("g2p", rules.ingest_g2p.output.set_aside, "scored"),
    g2p_predictions=selected.scored("g2p", rules.predict_g2p.output.predictions),
    runs=selected.scored("g2p", rules.predict_g2p.output.runs),
    identities=selected.scored("g2p", rules.predict_g2p.output.identities),
    g2p_outcomes=selected.scored("g2p", rules.score_g2p.output.outcomes),
    g2p_confusions=selected.scored("g2p", rules.score_g2p.output.confusions)
    + selected.pooled(rules.pool_g2p.output.confusions),
    metrics=selected.scored("g2p", rules.score_g2p.output.metrics)
    + selected.pooled(rules.pool_g2p.output.metrics),
    comparisons=selected.compared("g2p", rules.compare_g2p.output.comparisons)
    + selected.compared_pools(rules.compare_pool_g2p.output.comparisons),
    ranks=selected.compared("g2p", rules.compare_g2p.output.ranks)
    + selected.compared_pools(rules.compare_pool_g2p.output.ranks),
    detectable_differences=selected.compared("g2p", rules.compare_g2p.output.detectable)
    + selected.compared_pools(rules.compare_pool_g2p.output.detectable),
)
pictures += rules.draw_g2p.output


rule g2p:
    input:
        selected.scored("g2p", rules.score_g2p.output.metrics),
        selected.pooled(rules.pool_g2p.output.metrics),
        database,
        rules.draw_g2p.output,
