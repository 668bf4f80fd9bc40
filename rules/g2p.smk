rule ingest_g2p:
    input:
        unpack(corpus_files),
    output:
        item_table="<results>/g2p/items/{corpus}.parquet",
        inputs="<results>/g2p/inputs/{corpus}.parquet",
        set_aside="<results>/g2p/set_aside/{corpus}.parquet",
    log:
        "<logs>/ingest_g2p/{corpus}.log",
    conda:
        "../envs/sinobench.yaml"
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
    output:
        predictions="<results>/g2p/predictions/{corpus}/{model}.parquet",
        runs="<results>/g2p/runs/{corpus}/{model}.parquet",
    log:
        "<logs>/predict_g2p/{corpus}/{model}.log",
    benchmark:
        "<benchmarks>/predict_g2p/{corpus}/{model}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=2000,
        runtime=60,
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
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("score_g2p"),
    script:
        "../scripts/score_g2p.py"


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
    params:
        code=code_of("pool_g2p"),
    script:
        "../scripts/pool_g2p.py"


rule g2p:
    input:
        scored("g2p", rules.score_g2p.output.metrics),
        pooled(rules.pool_g2p.output.metrics),
        lambda wildcards: rules.build_database.output,
        lambda wildcards: rules.draw_leaderboards.output.g2p,
