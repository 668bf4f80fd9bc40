include: "lookups/ld.smk"


rule ingest_ld:
    input:
        segments=rules.recode_merlion.output.segments,
    output:
        turns="<results>/ld/turns/{corpus}.parquet",
    log:
        "<logs>/ingest_ld/{corpus}.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("ingest_ld"),
    script:
        "../scripts/ingest_ld.py"


rule fit_ld:
    """Tune a diarization model on training speakers that its identification model was not fitted on."""
    input:
        utterances=partition_utterances,
        audio=partition_audio,
        lid=lid_folder,
        files=model_files,
        admitted=admitted,
    output:
        "<shared>/ld/fitted/{key}/{model}.json",
        fits="<shared>/ld/fits/{key}/{model}.parquet",
    log:
        "<shared>/logs/fit_ld/{key}/{model}.log",
    benchmark:
        "<shared>/benchmarks/fit_ld/{key}/{model}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    threads: threads_at_hand
    resources:
        mem_mb=memory_of(4000, 50, "utterances"),
        runtime=fit_time_of(240, 0.1, "audio"),
        gpu=gpus_at_hand,
        tries_left=tries_left,
    params:
        content=content_of(model_files),
        audio_content=content_of(partition_audio),
        code=model_code_of("fit_ld"),
        entry=model_params,
        lid_entry=lid_params,
        corpora=partition_corpora,
        seed=catalog.config["seed"],
    script:
        "../scripts/fit_ld.py"


rule predict_ld:
    input:
        recordings=rules.ingest_merlion.output.recordings,
        masked=masked_at_hand,
        audio=rules.redact_merlion.output.audio,
        originals=corpus_audio,
        proofs=rules.verify_redaction.output.proofs,
        files=model_files,
        admitted=admitted,
        fitted=fit_of(rules.fit_ld.output[0]),
        lid=lid_folder,
    output:
        predictions="<results>/ld/predictions/{corpus}/{model}/{shard}.parquet",
        runs="<results>/ld/runs/{corpus}/{model}/{shard}.parquet",
        identities="<results>/ld/identities/{corpus}/{model}/{shard}.parquet",
    log:
        "<logs>/predict_ld/{corpus}/{model}/{shard}.log",
    benchmark:
        "<benchmarks>/predict_ld/{corpus}/{model}/{shard}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    threads: threads_at_hand
    resources:
        mem_mb=memory_of(4000),
        runtime=time_of(240, 0.1, "audio"),
        gpu=gpus_at_hand,
        tries_left=tries_left,
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
        predictions=diarized(rules.predict_ld.output.predictions),
    output:
        recordings="<results>/ld/recordings/{corpus}/{model}.parquet",
        collars="<results>/ld/collars/{corpus}/{model}.parquet",
        switches="<results>/ld/switches/{corpus}/{model}.parquet",
        metrics="<results>/ld/metrics/{corpus}/{model}.parquet",
    log:
        "<logs>/score_ld/{corpus}/{model}.log",
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 50),
        runtime=sized(30, 5),
    params:
        code=code_of("score_ld"),
        statistics=catalog.config["statistics"],
    script:
        "../scripts/score_ld.py"


rule compare_ld:
    """Each model against each other, and the ranks that follow."""
    input:
        recordings=rules.ingest_merlion.output.recordings,
        turns=rules.ingest_ld.output.turns,
        regions=rules.subtract_regions.output.regions,
        predictions=predicted_for_corpus,
        metrics=of_models("ld", rules.score_ld.output.metrics),
    output:
        comparisons="<results>/ld/comparisons/{corpus}.parquet",
        ranks="<results>/ld/ranks/{corpus}.parquet",
        detectable="<results>/ld/detectable_differences/{corpus}.parquet",
    log:
        "<logs>/compare_ld/{corpus}.log",
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(2000, 50),
        runtime=sized(120, 5),
    params:
        code=code_of("compare_ld"),
        models=models_at_hand("ld"),
        statistics=catalog.config["statistics"],
    script:
        "../scripts/compare_ld.py"


rule export_ld:
    """Turns of the reference and of all models as RTTM, evaluated regions as UEM."""
    input:
        turns=rules.ingest_ld.output.turns,
        regions=rules.subtract_regions.output.regions,
        predictions=predicted_for_corpus,
    output:
        nist=directory("<results>/ld/nist/{corpus}"),
    log:
        "<logs>/export_ld/{corpus}.log",
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 50),
        runtime=sized(30, 1),
    params:
        code=code_of("export_ld"),
    script:
        "../scripts/export_ld.py"


rule package_ld:
    """The upload for Task 2 of MERLIon CCS, and the description of the system that goes with it."""
    input:
        recordings=selected.corpora(
            "ld", rules.ingest_merlion.output.recordings, "submission"
        ),
        predictions=diarized(rules.predict_ld.output.predictions, "submission"),
        runs=diarized(rules.predict_ld.output.runs, "submission"),
        fitted=lid_folder,
        tuned=fit_of(rules.fit_ld.output[0]),
        metrics=selected.corpora("ld", rules.score_ld.output.metrics, "scored"),
    output:
        submission="<results>/submissions/ld/{track}/{model}/results.zip",
        description="<results>/submissions/ld/{track}/{model}/system_description.md",
    log:
        "<logs>/package_ld/{track}/{model}.log",
    priority: -1  # while the database is made, which nothing else can go with
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("package_ld"),
        system=lambda wildcards: systems.speech(catalog, **wildcards),
    script:
        "../scripts/package_ld.py"


rule draw_ld:
    input:
        database,
    output:
        leaderboard=report(
            multiext("<results>/figures/ld_leaderboard", ".png", ".svg"),
            caption="../report/leaderboard.rst",
            category="MERLIon CCS",
            labels={"figure": "language diarization"},
        ),
        collars=report(
            multiext("<results>/figures/ld_collars", ".png", ".svg"),
            caption="../report/curves.rst",
            category="MERLIon CCS",
            labels={"figure": "LDER against the collar"},
        ),
    log:
        "<logs>/draw_ld.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("draw_ld"),
    script:
        "../scripts/draw_ld.py"


collect(
    fits=selected.fitted("ld", rules.fit_ld.output.fits),
    ld_turns=prepared(rules.ingest_ld.output.turns),
    ld_predictions=predicted(rules.predict_ld.output.predictions),
    runs=predicted(rules.predict_ld.output.runs),
    identities=predicted(rules.predict_ld.output.identities),
    ld_recordings=selected.scored("ld", rules.score_ld.output.recordings),
    ld_collars=selected.scored("ld", rules.score_ld.output.collars),
    ld_switches=selected.scored("ld", rules.score_ld.output.switches),
    metrics=selected.scored("ld", rules.score_ld.output.metrics),
    comparisons=selected.compared("ld", rules.compare_ld.output.comparisons),
    ranks=selected.compared("ld", rules.compare_ld.output.ranks),
    detectable_differences=selected.compared("ld", rules.compare_ld.output.detectable),
)
if selected.scored("ld", "{corpus}"):
    pictures += rules.draw_ld.output
uploads += selected.uploaded("ld", rules.package_ld.output.submission)


rule ld:
    input:
        selected.scored("ld", rules.score_ld.output.metrics),
        selected.corpora("ld", rules.export_ld.output.nist, "scored"),
        predicted(rules.predict_ld.output.predictions),
        database,
        rules.draw_ld.output if selected.scored("ld", "{corpus}") else [],
        selected.uploaded("ld", rules.package_ld.output.submission),
