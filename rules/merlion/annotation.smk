rule ingest_merlion:
    input:
        unpack(speech_files),
    output:
        recordings="<results>/merlion/recordings/{corpus}.parquet",
        raw_grains="<results>/merlion/raw_grains/{corpus}.parquet",
        segments="<results>/merlion/annotated_segments/{corpus}.parquet",
        redactions="<results>/merlion/redactions/{corpus}.parquet",
        regions="<results>/merlion/evaluated_regions/{corpus}.parquet",
        set_aside="<results>/merlion/set_aside/{corpus}.parquet",
    log:
        "<logs>/ingest_merlion/{corpus}.log",
    benchmark:
        "<benchmarks>/ingest_merlion/{corpus}.jsonl"
    wildcard_constraints:
        corpus=one_of(prepared("{corpus}")),
    retries: 0
    group:
        "annotation"
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(2000),
        runtime=sized(30, 0.01),
    params:
        content=content_of(speech_files),
        code=code_of("ingest_merlion"),
        role=lambda wildcards: catalog.corpora[wildcards.corpus]["role"],
        on_bad_recording=catalog.config["merlion"]["on_bad_recording"],
    script:
        "../../scripts/ingest_merlion.py"


rule recode_merlion:
    input:
        raw_grains=rules.ingest_merlion.output.raw_grains,
        segments=rules.ingest_merlion.output.segments,
        redactions=rules.ingest_merlion.output.redactions,
    output:
        grains="<results>/merlion/grains/{corpus}.parquet",
        segments="<results>/merlion/segments/{corpus}.parquet",
        redaction_labels="<results>/merlion/redaction_labels/{corpus}.parquet",
        labels="<results>/merlion/labels/{corpus}.csv",
    log:
        "<logs>/recode_merlion/{corpus}.log",
    benchmark:
        "<benchmarks>/recode_merlion/{corpus}.jsonl"
    retries: 0
    group:
        "annotation"
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 50),
        runtime=sized(30, 1),
    params:
        code=code_of("recode_merlion"),
        status=lambda wildcards: (
            "Development"
            if catalog.corpora[wildcards.corpus]["role"] == "scored"
            else "Evaluation"
        ),
        lenient=lambda wildcards: catalog.corpora[wildcards.corpus]["lenient_recoding"],
    script:
        "../../scripts/recode_merlion.py"


collect(
    merlion_recordings=prepared(rules.ingest_merlion.output.recordings),
    merlion_redactions=prepared(rules.ingest_merlion.output.redactions),
    set_aside=prepared(rules.ingest_merlion.output.set_aside),
    merlion_grains=prepared(rules.recode_merlion.output.grains),
    merlion_segments=prepared(rules.recode_merlion.output.segments),
    merlion_redaction_labels=prepared(rules.recode_merlion.output.redaction_labels),
)
