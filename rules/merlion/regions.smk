rule subtract_regions:
    input:
        recordings=rules.ingest_merlion.output.recordings,
        regions=rules.ingest_merlion.output.regions,
        redactions=rules.ingest_merlion.output.redactions,
        segments=rules.recode_merlion.output.segments,
        tone=selected.in_shards(rules.verify_redaction.output.tone),
    output:
        regions="<results>/merlion/regions/{corpus}.parquet",
        subtractions="<results>/merlion/subtractions/{corpus}.parquet",
    log:
        "<logs>/subtract_regions/{corpus}.log",
    benchmark:
        "<benchmarks>/subtract_regions/{corpus}.jsonl"
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 50),
        runtime=sized(30, 1),
    params:
        code=code_of("subtract_regions"),
    script:
        "../../scripts/subtract_regions.py"


collect(
    merlion_regions=prepared(rules.subtract_regions.output.regions),
    merlion_subtractions=prepared(rules.subtract_regions.output.subtractions),
)
