rule ingest_ld:
    input:
        segments=rules.recode_merlion.output.segments,
    output:
        turns="<results>/ld/turns/{corpus}.parquet",
    log:
        "<logs>/ingest_ld/{corpus}.log",
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("ingest_ld"),
    script:
        "../scripts/ingest_ld.py"


rule fit_ld:
    """Tune a diarization model on training speakers that its identification model was not fitted on."""
    input:
        utterances=lambda wildcards: [
            of_partition(
                rules.partition_training.output.utterances,
                catalog.partition_of(wildcards.model),
            )
        ],
        audio=tuning_audio,
        lid=lid_folder,
        files=model_files,
    output:
        "<shared>/ld/fitted/{key}/{model}.json",
    log:
        "<shared>/logs/fit_ld/{key}/{model}.log",
    benchmark:
        "<shared>/benchmarks/fit_ld/{key}/{model}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=4000,
        runtime=240,
    params:
        content=content_of(model_files),
        audio_content=content_of(tuning_audio),
        code=model_code_of("fit_ld"),
        entry=model_params,
        lid_entry=lid_params,
        corpora=tuning_corpora,
        seed=catalog.config["seed"],
    script:
        "../scripts/fit_ld.py"


rule predict_ld:
    input:
        recordings=rules.ingest_merlion.output.recordings,
        masked=rules.redact_merlion.output.masked,
        audio=rules.redact_merlion.output.audio,
        originals=merlion_audio,
        proofs=rules.verify_redaction.output.proofs,
        files=model_files,
        fitted=lambda wildcards: of_fit(rules.fit_ld.output[0], wildcards.model),
        lid=lid_folder,
    output:
        predictions="<results>/ld/predictions/{corpus}/{model}/{shard}.parquet",
        runs="<results>/ld/runs/{corpus}/{model}/{shard}.parquet",
    log:
        "<logs>/predict_ld/{corpus}/{model}/{shard}.log",
    benchmark:
        "<benchmarks>/predict_ld/{corpus}/{model}/{shard}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=4000,
        runtime=240,
    params:
        content=content_of(model_files),
        code=model_code_of("predict_ld"),
        entry=model_params,
        lid_entry=lid_params,
    script:
        "../scripts/predict_ld.py"


rule score_ld:
    input:
        recordings=rules.ingest_merlion.output.recordings,
        turns=rules.ingest_ld.output[0],
        regions=rules.subtract_regions.output.regions,
        predictions=lambda wildcards: shards(
            rules.predict_ld.output.predictions, wildcards.corpus, wildcards.model
        ),
    output:
        recordings="<results>/ld/recordings/{corpus}/{model}.parquet",
        collars="<results>/ld/collars/{corpus}/{model}.parquet",
        switches="<results>/ld/switches/{corpus}/{model}.parquet",
        metrics="<results>/ld/metrics/{corpus}/{model}.parquet",
    log:
        "<logs>/score_ld/{corpus}/{model}.log",
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("score_ld"),
    script:
        "../scripts/score_ld.py"


rule export_ld:
    """Turns of the reference and of all models as RTTM, evaluated regions as UEM."""
    input:
        turns=rules.ingest_ld.output.turns,
        regions=rules.subtract_regions.output.regions,
        predictions=lambda wildcards: [
            path
            for model in catalog.model_ids("ld", wildcards.corpus)
            for path in shards(
                rules.predict_ld.output.predictions, wildcards.corpus, model
            )
        ],
    output:
        nist=directory("<results>/ld/nist/{corpus}"),
    log:
        "<logs>/export_ld/{corpus}.log",
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("export_ld"),
    script:
        "../scripts/export_ld.py"


rule ld:
    input:
        scored("ld", rules.score_ld.output.metrics),
        expand(rules.export_ld.output, corpus=catalog.corpus_ids("merlion", "scored")),
        in_shards_of_models(rules.predict_ld.output.predictions),
        lambda wildcards: rules.build_database.output,
        lambda wildcards: rules.draw_speech.output if scored("lid", "{corpus}") else [],
        uploads("ld", "<results>/submissions/ld/{track}/{model}/results.zip"),
