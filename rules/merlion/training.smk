rule ingest_training:
    input:
        unpack(speech_files),
    output:
        utterances="<shared>/merlion/training/{key}/{corpus}.parquet",
        set_aside="<shared>/merlion/set_aside/{key}/{corpus}.parquet",
    log:
        "<shared>/logs/ingest_training/{key}/{corpus}.log",
    wildcard_constraints:
        corpus=one_of(catalog.corpus_ids("merlion", "training")),
    retries: 0
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000),
        runtime=sized(30, 0.01),
    params:
        content=content_of(speech_files),
        code=code_of("ingest_training"),
        reader=lambda wildcards: catalog.corpora[wildcards.corpus]["reader"],
        on_bad_recording=catalog.config["merlion"]["on_bad_recording"],
    script:
        "../../scripts/ingest_training.py"


rule partition_training:
    """A named set of training data; stops where its track does not allow it."""
    input:
        utterances=lambda wildcards: [
            selected.of_corpus(rules.ingest_training.output.utterances, part["corpus"])
            for part in partition_entry(wildcards)["parts"]
        ],
        ids=partition_ids,
    output:
        utterances="<shared>/merlion/partitions/{key}/{partition}.parquet",
        lists=directory("<shared>/merlion/partitions/{key}/{partition}"),
    log:
        "<shared>/logs/partition_training/{key}/{partition}.log",
    retries: 0
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 50),
        runtime=sized(30, 1),
    params:
        content=content_of(partition_ids),
        code=code_of("partition_training"),
        entry=partition_entry,
        origins=partition_origins,
        seed=catalog.config["seed"],
    script:
        "../../scripts/partition_training.py"


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
    group:
        "training-shard"
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 50, "utterances"),
        runtime=sized(30, 0.1, "audio"),
    params:
        content=content_of(partition_audio),
        code=code_of("extract_training_features"),
        corpora=partition_corpora,
        shards=runs.TRAINING_SHARDS,
    script:
        "../../scripts/extract_training_features.py"


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
    group:
        "training-shard"
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 50, "utterances"),
        runtime=sized(30),
    params:
        code=code_of("verify_training_features"),
        corpora=partition_corpora,
        seed=catalog.config["seed"],
    script:
        "../../scripts/verify_training_features.py"


collect(
    merlion_training=selected.trained_on(
        "merlion", rules.ingest_training.output.utterances
    ),
    set_aside=selected.trained_on("merlion", rules.ingest_training.output.set_aside),
    merlion_partitions=selected.partitions(rules.partition_training.output.utterances),
    merlion_feature_proofs=selected.fitted_on(
        "lid", rules.verify_training_features.output[0]
    ),
)
