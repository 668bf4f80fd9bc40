rule expand_audio:
    """Compressed audio to the format of its layout: 32 kHz WAV for MERLIon."""
    input:
        given_audio,
    output:
        audio=directory("<shared>/merlion/audio/{key}/{corpus}"),
    log:
        "<shared>/logs/expand_audio/{key}/{corpus}.log",
    conda:
        "../envs/sinobench.yaml"
    params:
        content=content_of(given_audio),
        code=code_of("expand_audio"),
    script:
        "../scripts/expand_audio.py"


rule ingest_merlion:
    input:
        unpack(merlion_files),
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
        corpus=one_of(catalog.corpus_ids("merlion", "scored", "submission")),
    conda:
        "../envs/sinobench.yaml"
    params:
        content=content_of(merlion_files),
        code=code_of("ingest_merlion"),
        role=lambda wildcards: catalog.corpora[wildcards.corpus]["role"],
        on_bad_recording=catalog.config["merlion"]["on_bad_recording"],
    script:
        "../scripts/ingest_merlion.py"


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
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("recode_merlion"),
        status=lambda wildcards: (
            "Development"
            if catalog.corpora[wildcards.corpus]["role"] == "scored"
            else "Evaluation"
        ),
        lenient=lambda wildcards: catalog.corpora[wildcards.corpus]["lenient_recoding"],
    script:
        "../scripts/recode_merlion.py"


rule redact_merlion:
    """Masked copies of the recordings with redactions; the originals are read only."""
    input:
        recordings=rules.ingest_merlion.output.recordings,
        redactions=rules.ingest_merlion.output.redactions,
        originals=merlion_audio,
    output:
        audio=directory("<results>/merlion/masked_audio/{corpus}/{shard}"),
        masked="<results>/merlion/masked/{corpus}/{shard}.parquet",
    log:
        "<logs>/redact_merlion/{corpus}/{shard}.log",
    benchmark:
        "<benchmarks>/redact_merlion/{corpus}/{shard}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    params:
        content=content_of(merlion_audio),
        code=code_of("redact_merlion"),
        shards=catalog.config["merlion"]["shards"],
        peak=catalog.config["merlion"]["tone_peak"],
        already=lambda wildcards: catalog.corpora[wildcards.corpus]["masked"],
    script:
        "../scripts/redact_merlion.py"


rule verify_redaction:
    """The proof that everything after depends on: redacted samples are the tone, all others are untouched."""
    input:
        masked=rules.redact_merlion.output.masked,
        audio=rules.redact_merlion.output.audio,
        originals=merlion_audio,
        redactions=rules.ingest_merlion.output.redactions,
    output:
        proofs="<results>/merlion/proofs/{corpus}/{shard}.parquet",
        tone="<results>/merlion/tone/{corpus}/{shard}.parquet",
    log:
        "<logs>/verify_redaction/{corpus}/{shard}.log",
    benchmark:
        "<benchmarks>/verify_redaction/{corpus}/{shard}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("verify_redaction"),
        peak=catalog.config["merlion"]["tone_peak"],
        already=lambda wildcards: catalog.corpora[wildcards.corpus]["masked"],
    script:
        "../scripts/verify_redaction.py"


rule subtract_regions:
    input:
        recordings=rules.ingest_merlion.output.recordings,
        regions=rules.ingest_merlion.output.regions,
        redactions=rules.ingest_merlion.output.redactions,
        segments=rules.recode_merlion.output.segments,
        tone=lambda wildcards: shards(
            rules.verify_redaction.output.tone, wildcards.corpus
        ),
    output:
        regions="<results>/merlion/regions/{corpus}.parquet",
        subtractions="<results>/merlion/subtractions/{corpus}.parquet",
    log:
        "<logs>/subtract_regions/{corpus}.log",
    benchmark:
        "<benchmarks>/subtract_regions/{corpus}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("subtract_regions"),
    script:
        "../scripts/subtract_regions.py"


rule chunk_merlion:
    input:
        masked=rules.redact_merlion.output.masked,
        audio=rules.redact_merlion.output.audio,
        originals=merlion_audio,
        proofs=rules.verify_redaction.output.proofs,
        segments=rules.recode_merlion.output.segments,
    output:
        "<results>/merlion/chunks/{corpus}/{shard}.parquet",
    log:
        "<logs>/chunk_merlion/{corpus}/{shard}.log",
    benchmark:
        "<benchmarks>/chunk_merlion/{corpus}/{shard}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=1000,
    params:
        code=code_of("chunk_merlion"),
        chunks=catalog.config["merlion"]["chunks"],
    script:
        "../scripts/chunk_merlion.py"


rule export_chunks:
    """Real WAV files of the chunks of a shard, on request."""
    input:
        rules.chunk_merlion.output,
    output:
        wav=directory("<results>/merlion/chunks_wav/{corpus}/{shard}"),
    log:
        "<logs>/export_chunks/{corpus}/{shard}.log",
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("export_chunks"),
    script:
        "../scripts/export_chunks.py"


rule extract_features:
    input:
        rules.chunk_merlion.output,
    output:
        "<results>/merlion/features/{corpus}/{shard}.parquet",
    log:
        "<logs>/extract_features/{corpus}/{shard}.log",
    benchmark:
        "<benchmarks>/extract_features/{corpus}/{shard}.jsonl"
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=1000,
    params:
        code=code_of("extract_features"),
    script:
        "../scripts/extract_features.py"


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
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("verify_features"),
        seed=catalog.config["seed"],
    script:
        "../scripts/verify_features.py"


rule summarize_merlion:
    input:
        recordings=rules.ingest_merlion.output.recordings,
        segments=rules.recode_merlion.output.segments,
    output:
        speech="<results>/merlion/speech/{corpus}.parquet",
        statistics="<results>/merlion/statistics/{corpus}.parquet",
        lengths="<results>/merlion/lengths/{corpus}.parquet",
    log:
        "<logs>/summarize_merlion/{corpus}.log",
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("summarize_merlion"),
    script:
        "../scripts/summarize_merlion.py"


rule fold_merlion:
    """Folds for tuning, of all development sets; stops where an evaluation set shares a parent–child pair with one."""
    input:
        development=expand(
            rules.ingest_merlion.output.recordings,
            corpus=catalog.corpus_ids("merlion", "scored"),
        ),
        evaluation=expand(
            rules.ingest_merlion.output.recordings,
            corpus=catalog.corpus_ids("merlion", "submission"),
        ),
    output:
        "<results>/merlion/folds.parquet",
    log:
        "<logs>/fold_merlion.log",
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("fold_merlion"),
        n_folds=catalog.config["merlion"]["folds"],
        seed=catalog.config["seed"],
    script:
        "../scripts/fold_merlion.py"


rule ingest_training:
    input:
        unpack(merlion_files),
    output:
        utterances="<shared>/merlion/training/{key}/{corpus}.parquet",
        set_aside="<shared>/merlion/set_aside/{key}/{corpus}.parquet",
    log:
        "<shared>/logs/ingest_training/{key}/{corpus}.log",
    wildcard_constraints:
        corpus=one_of(catalog.corpus_ids("merlion", "training")),
    conda:
        "../envs/sinobench.yaml"
    params:
        content=content_of(merlion_files),
        code=code_of("ingest_training"),
        reader=lambda wildcards: catalog.corpora[wildcards.corpus]["reader"],
        on_bad_recording=catalog.config["merlion"]["on_bad_recording"],
    script:
        "../scripts/ingest_training.py"


rule partition_training:
    """A named set of training data; stops where its track does not allow it."""
    input:
        utterances=lambda wildcards: [
            of_corpus(rules.ingest_training.output.utterances, part["corpus"])
            for part in catalog.partitions()[wildcards.partition]["parts"]
        ],
        ids=training_ids,
    output:
        utterances="<shared>/merlion/partitions/{key}/{partition}.parquet",
        lists=directory("<shared>/merlion/partitions/{key}/{partition}"),
    log:
        "<shared>/logs/partition_training/{key}/{partition}.log",
    conda:
        "../envs/sinobench.yaml"
    params:
        content=content_of(training_ids),
        code=code_of("partition_training"),
        entry=lambda wildcards: catalog.partitions()[wildcards.partition],
        origins=lambda wildcards: origins_of(wildcards.partition),
        seed=catalog.config["seed"],
    script:
        "../scripts/partition_training.py"


rule merlion:
    input:
        [
            of_partition(rules.partition_training.output.utterances, partition)
            for partition in catalog.partitions()
        ],
        rules.fold_merlion.output if catalog.corpus_ids("merlion", "scored") else [],
        prepared("<results>/merlion/regions/{corpus}.parquet"),
        prepared("<results>/merlion/statistics/{corpus}.parquet"),
        in_shards(rules.verify_features.output[0]),
        trained_on("merlion", rules.ingest_training.output.utterances),
