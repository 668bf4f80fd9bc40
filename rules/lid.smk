include: "lookups/lid.smk"


rule fit_lid:
    """Fit a language identification model and calibrate it on speakers that it was not fitted on."""
    input:
        utterances=partition_utterances,
        features=lambda wildcards: selected.partition_shards(
            rules.extract_training_features.output[0],
            partition_at_hand(wildcards),
        ),
        proofs=lambda wildcards: selected.partition_shards(
            rules.verify_training_features.output[0],
            partition_at_hand(wildcards),
        ),
        audio=partition_audio,
        files=model_files,
        admitted=admitted,
    output:
        fitted=directory("<shared>/lid/fitted/{key}/{model}"),
        training_sets="<shared>/lid/training_sets/{key}/{model}.parquet",
        fits="<shared>/lid/fits/{key}/{model}.parquet",
    log:
        "<shared>/logs/fit_lid/{key}/{model}.log",
    benchmark:
        "<shared>/benchmarks/fit_lid/{key}/{model}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    threads: threads_at_hand
    resources:
        mem_mb=memory_of(6000, 2, "features"),
        runtime=fit_time_of(240, 0.1, "features"),
        gpu=gpus_at_hand,
        tries_left=tries_left,
    params:
        content=content_of(model_files),
        code=model_code_of("fit_lid"),
        entry=fit_params,
        corpora=partition_corpora,
        partition=partition_entry,
        origins=partition_origins,
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
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("ingest_lid"),
    script:
        "../scripts/ingest_lid.py"


rule predict_lid:
    input:
        inputs=rules.ingest_lid.output.inputs,
        chunks=heard(rules.chunk_merlion.output[0]),
        features=heard(rules.extract_features.output[0]),
        proofs=heard(rules.verify_features.output[0]),
        files=model_files,
        admitted=admitted,
        fitted=fit_of(rules.fit_lid.output.fitted),
    output:
        scores="<results>/lid/scores/{corpus}/{model}.parquet",
        runs="<results>/lid/runs/{corpus}/{model}.parquet",
        identities="<results>/lid/identities/{corpus}/{model}.parquet",
    log:
        "<logs>/predict_lid/{corpus}/{model}.log",
    benchmark:
        "<benchmarks>/predict_lid/{corpus}/{model}.jsonl"
    group:
        "model"
    conda:
        "../envs/sinobench.yaml"
    threads: threads_at_hand
    resources:
        mem_mb=memory_of(4000, 1, "features"),
        runtime=time_of(240, 0.1, "features"),
        gpu=gpus_at_hand,
        tries_left=tries_left,
    params:
        content=content_of(model_files),
        code=model_code_of("predict_lid"),
        entry=model_params,
        scored=lambda wildcards: catalog.corpora[wildcards.corpus]["role"] == "scored",
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
    group:
        "model"
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 50),
        runtime=sized(30, 5),
    params:
        code=code_of("score_lid"),
        statistics=catalog.config["statistics"],
    script:
        "../scripts/score_lid.py"


rule compare_lid:
    """Each model against each other, and the ranks that follow."""
    input:
        segments=rules.ingest_lid.output.segments,
        scores=of_models("lid", rules.predict_lid.output.scores),
        metrics=of_models("lid", rules.score_lid.output.metrics),
    output:
        comparisons="<results>/lid/comparisons/{corpus}.parquet",
        ranks="<results>/lid/ranks/{corpus}.parquet",
        detectable="<results>/lid/detectable_differences/{corpus}.parquet",
    log:
        "<logs>/compare_lid/{corpus}.log",
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(2000, 50),
        runtime=sized(120, 5),
    params:
        code=code_of("compare_lid"),
        models=models_at_hand("lid"),
        statistics=catalog.config["statistics"],
    script:
        "../scripts/compare_lid.py"


rule package_lid:
    """The upload for Task 1 of MERLIon CCS, and the description of the system that goes with it."""
    input:
        segments=selected.corpora("lid", rules.ingest_lid.output.segments, "submission"),
        scores=selected.corpora("lid", rules.predict_lid.output.scores, "submission"),
        runs=selected.corpora("lid", rules.predict_lid.output.runs, "submission"),
        fitted=fit_of(rules.fit_lid.output.fitted),
        metrics=selected.corpora("lid", rules.score_lid.output.metrics, "scored"),
    output:
        submission="<results>/submissions/lid/{track}/{model}/results.zip",
        description="<results>/submissions/lid/{track}/{model}/system_description.md",
    log:
        "<logs>/package_lid/{track}/{model}.log",
    priority: -1  # while the database is made, which nothing else can go with
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("package_lid"),
        system=lambda wildcards: systems.speech(catalog, **wildcards),
    script:
        "../scripts/package_lid.py"


rule draw_lid:
    input:
        database,
    output:
        leaderboard=report(
            multiext("<results>/figures/lid_leaderboard", ".png", ".svg"),
            caption="../report/leaderboard.rst",
            category="MERLIon CCS",
            labels={"figure": "language identification"},
        ),
        det=report(
            multiext("<results>/figures/lid_det", ".png", ".svg"),
            caption="../report/curves.rst",
            category="MERLIon CCS",
            labels={"figure": "detection error trade-off"},
        ),
    log:
        "<logs>/draw_lid.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("draw_lid"),
    script:
        "../scripts/draw_lid.py"


collect(
    lid_segments=expand(
        rules.ingest_lid.output.segments, corpus=catalog.with_segments()
    ),
    training_sets=selected.fitted("lid", rules.fit_lid.output.training_sets),
    fits=selected.fitted("lid", rules.fit_lid.output.fits),
    lid_scores=selected.evaluated(
        "lid", rules.predict_lid.output.scores, "scored", "submission"
    ),
    runs=selected.evaluated(
        "lid", rules.predict_lid.output.runs, "scored", "submission"
    ),
    identities=selected.evaluated(
        "lid", rules.predict_lid.output.identities, "scored", "submission"
    ),
    lid_outcomes=selected.scored("lid", rules.score_lid.output.outcomes),
    lid_recordings=selected.scored("lid", rules.score_lid.output.recordings),
    lid_det=selected.scored("lid", rules.score_lid.output.det),
    metrics=selected.scored("lid", rules.score_lid.output.metrics),
    comparisons=selected.compared("lid", rules.compare_lid.output.comparisons),
    ranks=selected.compared("lid", rules.compare_lid.output.ranks),
    detectable_differences=selected.compared(
        "lid", rules.compare_lid.output.detectable
    ),
)
if selected.scored("lid", "{corpus}"):
    pictures += rules.draw_lid.output
uploads += selected.uploaded("lid", rules.package_lid.output.submission)


rule lid:
    input:
        selected.scored("lid", rules.score_lid.output.metrics),
        selected.evaluated("lid", rules.predict_lid.output.scores, "submission"),
        database,
        rules.draw_lid.output if selected.scored("lid", "{corpus}") else [],
        selected.uploaded("lid", rules.package_lid.output.submission),
