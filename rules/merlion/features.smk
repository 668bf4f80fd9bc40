rule extract_features:
    input:
        rules.chunk_merlion.output,
    output:
        "<results>/merlion/features/{corpus}/{shard}.parquet",
    log:
        "<logs>/extract_features/{corpus}/{shard}.log",
    benchmark:
        "<benchmarks>/extract_features/{corpus}/{shard}.jsonl"
    group:
        "shard"
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000),
        runtime=sized(30, 0.1),
    params:
        code=code_of("extract_features"),
    script:
        "../../scripts/extract_features.py"


rule verify_features:
    """The proof that identification depends on: features are librosa's, on some chunks of each shard."""
    input:
        chunks=rules.chunk_merlion.output[0],
        features=rules.extract_features.output[0],
    output:
        "<results>/merlion/feature_proofs/{corpus}/{shard}.parquet",
    log:
        "<logs>/verify_features/{corpus}/{shard}.log",
    benchmark:
        "<benchmarks>/verify_features/{corpus}/{shard}.jsonl"
    group:
        "shard"
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000),
        runtime=sized(30),
    params:
        code=code_of("verify_features"),
        seed=catalog.config["seed"],
    script:
        "../../scripts/verify_features.py"


# They prove what identification takes: without a model nobody asks for them.
if catalog.model_ids("lid"):
    collect(
        merlion_feature_proofs=selected.in_shards(
            *prepared(rules.verify_features.output[0])
        )
    )
