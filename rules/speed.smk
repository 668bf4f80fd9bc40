include: "lookups/speed.smk"


rule measure_g2p:
    """How fast a model predicts a sample of a corpus; on all cores, so that Snakemake runs nothing beside it."""
    input:
        inputs=rules.ingest_g2p.output.inputs,
        files=model_files,
        admitted=admitted,
    output:
        speeds="<results>/speed/g2p/{corpus}/{model}.parquet",
    log:
        "<logs>/measure_g2p/{corpus}/{model}.log",
    conda:
        "../envs/sinobench.yaml"
    threads: every_core
    resources:
        mem_mb=memory_of(4000),
        runtime=time_of(240),
        gpu=gpus_at_hand,
        tries_left=tries_left,
    params:
        task="g2p",
        model_threads=threads_of_model,
        content=content_of(model_files),
        code=model_code_of("measure_speed", "sinobench.g2p.speed"),
        entry=model_params,
    script:
        "../scripts/measure_speed.py"


use rule measure_g2p as measure_csc with:
    input:
        inputs=rules.ingest_csc.output.inputs,
        files=model_files,
        admitted=admitted,
        fitted=fit_of(rules.fit_csc.output.fitted),
    output:
        speeds="<results>/speed/csc/{corpus}/{model}.parquet",
    log:
        "<logs>/measure_csc/{corpus}/{model}.log",
    params:
        task="csc",
        model_threads=threads_of_model,
        content=content_of(model_files),
        code=model_code_of("measure_speed", "sinobench.csc.speed"),
        entry=model_params,


use rule measure_g2p as measure_lid with:
    input:
        inputs=rules.ingest_lid.output.inputs,
        chunks=selected.in_shards(rules.chunk_merlion.output[0]),
        features=selected.in_shards(rules.extract_features.output[0]),
        proofs=selected.in_shards(rules.verify_features.output[0]),
        files=model_files,
        admitted=admitted,
        fitted=fit_of(rules.fit_lid.output.fitted),
    output:
        speeds="<results>/speed/lid/{corpus}/{model}.parquet",
    log:
        "<logs>/measure_lid/{corpus}/{model}.log",
    params:
        task="lid",
        model_threads=threads_of_model,
        content=content_of(model_files),
        code=model_code_of("measure_speed", "sinobench.lid.speed"),
        entry=model_params,


use rule measure_g2p as measure_ld with:
    input:
        masked=selected.in_shards(rules.redact_merlion.output.masked),
        audio=selected.in_shards(rules.redact_merlion.output.audio),
        originals=corpus_audio,
        proofs=selected.in_shards(rules.verify_redaction.output.proofs),
        files=model_files,
        admitted=admitted,
        fitted=fit_of(rules.fit_ld.output[0]),
        lid=lid_folder,
    output:
        speeds="<results>/speed/ld/{corpus}/{model}.parquet",
    log:
        "<logs>/measure_ld/{corpus}/{model}.log",
    params:
        task="ld",
        model_threads=threads_of_model,
        content=content_of(model_files),
        code=model_code_of("measure_speed", "sinobench.ld.speed"),
        entry=model_params,
        lid_entry=lid_params,


collect(
    speeds=[
        *selected.measured("g2p", rules.measure_g2p.output.speeds),
        *selected.measured("csc", rules.measure_csc.output.speeds),
        *selected.measured("lid", rules.measure_lid.output.speeds),
        *selected.measured("ld", rules.measure_ld.output.speeds),
    ],
)


rule speed:
    input:
        collected["speeds"],
    localrule: True
