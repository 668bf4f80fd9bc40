rule extract_training_features:
    """Features of a shard of a partition's utterances, in chunks of at most 3 s."""
    input:
        utterances=rules.partition_training.output.utterances,
        audio=partition_audio,
    output:
        features=directory(
            "<shared>/merlion/training_features/{key}/{partition}/{shard}"
        ),
    log:
        "<shared>/logs/extract_training_features/{key}/{partition}/{shard}.log",
    benchmark:
        "<shared>/benchmarks/extract_training_features/{key}/{partition}/{shard}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=1000,
    params:
        content=content_of(partition_audio),
        code=code_of("extract_training_features"),
        corpora=partition_corpora,
        shards=runs.TRAINING_SHARDS,
    script:
        "../scripts/extract_training_features.py"


rule verify_training_features:
    """The same proof for the features that models are fitted on."""
    input:
        utterances=rules.partition_training.output.utterances,
        audio=partition_audio,
        features=rules.extract_training_features.output[0],
    output:
        "<shared>/merlion/training_feature_proofs/{key}/{partition}/{shard}.parquet",
    log:
        "<shared>/logs/verify_training_features/{key}/{partition}/{shard}.log",
    benchmark:
        "<shared>/benchmarks/verify_training_features/{key}/{partition}/{shard}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("verify_training_features"),
        corpora=partition_corpora,
        seed=catalog.config["seed"],
    script:
        "../scripts/verify_training_features.py"


rule fit_lid:
    """Fit a language identification model and calibrate it on speakers that it was not fitted on."""
    input:
        utterances=lambda wildcards: of_partition(
            rules.partition_training.output.utterances,
            catalog.partition_of(wildcards.model),
        ),
        features=lambda wildcards: partition_shards(
            rules.extract_training_features.output[0],
            catalog.partition_of(wildcards.model),
        ),
        proofs=lambda wildcards: partition_shards(
            rules.verify_training_features.output[0],
            catalog.partition_of(wildcards.model),
        ),
        files=model_files,
    output:
        fitted=directory("<shared>/lid/fitted/{key}/{model}"),
        training_sets="<shared>/lid/training_sets/{key}/{model}.parquet",
    log:
        "<shared>/logs/fit_lid/{key}/{model}.log",
    benchmark:
        "<shared>/benchmarks/fit_lid/{key}/{model}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=6000,
        runtime=2880,
    params:
        content=content_of(model_files),
        code=model_code_of("fit_lid"),
        entry=fit_params,
        partition_name=lambda wildcards: catalog.partition_of(wildcards.model),
        partition_entry=lambda wildcards: catalog.partitions()[
            catalog.partition_of(wildcards.model)
        ],
        origins=lambda wildcards: origins_of(catalog.partition_of(wildcards.model)),
        seed=catalog.config["seed"],
    script:
        "../scripts/fit_lid.py"


rule ingest_lid:
    input:
        rules.recode_merlion.output.segments,
    output:
        segments="<results>/lid/segments/{corpus}.parquet",
        inputs="<results>/lid/inputs/{corpus}.parquet",
    log:
        "<logs>/ingest_lid/{corpus}.log",
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("ingest_lid"),
    script:
        "../scripts/ingest_lid.py"


rule predict_lid:
    input:
        inputs=rules.ingest_lid.output.inputs,
        chunks=lambda wildcards: shards(rules.chunk_merlion.output[0], wildcards.corpus),
        features=lambda wildcards: shards(
            rules.extract_features.output[0], wildcards.corpus
        ),
        proofs=lambda wildcards: shards(
            rules.verify_features.output[0], wildcards.corpus
        ),
        files=model_files,
        fitted=lambda wildcards: of_fit(rules.fit_lid.output.fitted, wildcards.model),
    output:
        scores="<results>/lid/scores/{corpus}/{model}.parquet",
        runs="<results>/lid/runs/{corpus}/{model}.parquet",
    log:
        "<logs>/predict_lid/{corpus}/{model}.log",
    benchmark:
        "<benchmarks>/predict_lid/{corpus}/{model}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=4000,
        runtime=240,
    params:
        content=content_of(model_files),
        code=model_code_of("predict_lid"),
        entry=model_params,
        scored=is_scored,
    script:
        "../scripts/predict_lid.py"


rule score_lid:
    input:
        segments=rules.ingest_lid.output.segments,
        scores=rules.predict_lid.output.scores,
    output:
        outcomes="<results>/lid/outcomes/{corpus}/{model}.parquet",
        recordings="<results>/lid/recordings/{corpus}/{model}.parquet",
        det="<results>/lid/det/{corpus}/{model}.parquet",
        metrics="<results>/lid/metrics/{corpus}/{model}.parquet",
    log:
        "<logs>/score_lid/{corpus}/{model}.log",
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("score_lid"),
    script:
        "../scripts/score_lid.py"


rule lid:
    input:
        scored("lid", rules.score_lid.output.metrics),
        evaluated("lid", rules.predict_lid.output.scores, "submission"),
        lambda wildcards: rules.build_database.output,
        lambda wildcards: rules.draw_speech.output if scored("lid", "{corpus}") else [],
        uploads("lid", "<results>/submissions/lid/{track}/{model}/results.zip"),
