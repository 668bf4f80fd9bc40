rule expand_audio:
    """Compressed audio to the format of its layout: 32 kHz WAV for MERLIon."""
    input:
        given_audio,
    output:
        audio=directory(expanded_audio),
    log:
        "<shared>/logs/expand_audio/{key}/{corpus}.log",
    retries: 0
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000),
        runtime=sized(30, 0.02),
    params:
        content=content_of(given_audio),
        code=code_of("expand_audio"),
    script:
        "../../scripts/expand_audio.py"


rule redact_merlion:
    """Masked copies of the recordings with redactions; the originals are read only."""
    input:
        recordings=rules.ingest_merlion.output.recordings,
        redactions=rules.ingest_merlion.output.redactions,
        originals=corpus_audio,
    output:
        audio=directory("<results>/merlion/masked_audio/{corpus}/{shard}"),
        masked="<results>/merlion/masked/{corpus}/{shard}.parquet",
    log:
        "<logs>/redact_merlion/{corpus}/{shard}.log",
    benchmark:
        "<benchmarks>/redact_merlion/{corpus}/{shard}.jsonl"
    group:
        "shard"
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 50, "recordings", "redactions"),
        runtime=sized(30, 0.01),
    params:
        content=content_of(corpus_audio),
        code=code_of("redact_merlion"),
        shards=catalog.shards(),
        peak=catalog.config["merlion"]["tone_peak"],
        already=lambda wildcards: catalog.corpora[wildcards.corpus]["masked"],
    script:
        "../../scripts/redact_merlion.py"


rule verify_redaction:
    """The proof that everything after depends on: redacted samples are the tone, all others are untouched."""
    input:
        masked=rules.redact_merlion.output.masked,
        audio=rules.redact_merlion.output.audio,
        originals=corpus_audio,
        redactions=rules.ingest_merlion.output.redactions,
    output:
        proofs="<results>/merlion/proofs/{corpus}/{shard}.parquet",
        tone="<results>/merlion/tone/{corpus}/{shard}.parquet",
    log:
        "<logs>/verify_redaction/{corpus}/{shard}.log",
    benchmark:
        "<benchmarks>/verify_redaction/{corpus}/{shard}.jsonl"
    group:
        "shard"
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 50, "masked", "redactions"),
        runtime=sized(30, 0.01),
    params:
        code=code_of("verify_redaction"),
        peak=catalog.config["merlion"]["tone_peak"],
        already=lambda wildcards: catalog.corpora[wildcards.corpus]["masked"],
    script:
        "../../scripts/verify_redaction.py"


rule chunk_merlion:
    input:
        masked=rules.redact_merlion.output.masked,
        audio=rules.redact_merlion.output.audio,
        originals=corpus_audio,
        proofs=rules.verify_redaction.output.proofs,
        segments=rules.recode_merlion.output.segments,
    output:
        "<results>/merlion/chunks/{corpus}/{shard}.parquet",
    log:
        "<logs>/chunk_merlion/{corpus}/{shard}.log",
    benchmark:
        "<benchmarks>/chunk_merlion/{corpus}/{shard}.jsonl"
    group:
        "shard"
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 50, "segments"),
        runtime=sized(30, 0.01),
    params:
        code=code_of("chunk_merlion"),
        chunks=catalog.config["merlion"]["chunks"],
    script:
        "../../scripts/chunk_merlion.py"


rule export_chunks:
    """Real WAV files of the chunks of a shard, on request."""
    input:
        rules.chunk_merlion.output,
    output:
        wav=directory("<results>/merlion/chunks_wav/{corpus}/{shard}"),
    log:
        "<logs>/export_chunks/{corpus}/{shard}.log",
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000),
        runtime=sized(30, 0.01),
    params:
        code=code_of("export_chunks"),
    script:
        "../../scripts/export_chunks.py"


rule render_recordings:
    """Mel spectrograms and sound of the masked recordings that the report may play, as long as they fit."""
    input:
        masked=shown(rules.redact_merlion.output.masked),
        audio=shown(rules.redact_merlion.output.audio),
        originals=shown_audio,
        proofs=shown(rules.verify_redaction.output.proofs),
    output:
        rendered=directory("<results>/merlion/rendered"),
    log:
        "<logs>/render_recordings.log",
    benchmark:
        "<benchmarks>/render_recordings.jsonl"
    conda:
        "../../envs/sinobench.yaml"
    resources:
        mem_mb=sized(2000),
        runtime=sized(60),
    params:
        content=content_of(shown_audio),
        code=code_of("render_recordings"),
    script:
        "../../scripts/render_recordings.py"


collect(
    merlion_masked=selected.in_shards(*prepared(rules.redact_merlion.output.masked)),
    merlion_proofs=selected.in_shards(*prepared(rules.verify_redaction.output.proofs)),
    merlion_tone=selected.in_shards(*prepared(rules.verify_redaction.output.tone)),
    merlion_chunks=selected.in_shards(*prepared(rules.chunk_merlion.output[0])),
)
