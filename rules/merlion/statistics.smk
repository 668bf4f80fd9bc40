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
    localrule: True
    conda:
        "../../envs/sinobench.yaml"
    params:
        code=code_of("summarize_merlion"),
    script:
        "../../scripts/summarize_merlion.py"


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
    localrule: True
    conda:
        "../../envs/sinobench.yaml"
    params:
        code=code_of("fold_merlion"),
        n_folds=catalog.config["merlion"]["folds"],
        seed=catalog.config["seed"],
    script:
        "../../scripts/fold_merlion.py"


rule draw_merlion:
    input:
        database,
    output:
        segments=report(
            multiext("<results>/figures/merlion_segments", ".png", ".svg"),
            caption="../../report/corpora.rst",
            category="MERLIon CCS",
            labels={"figure": "length of segments"},
        ),
        recordings=report(
            multiext("<results>/figures/merlion_recordings", ".png", ".svg"),
            caption="../../report/corpora.rst",
            category="MERLIon CCS",
            labels={"figure": "speech in a recording"},
        ),
        shares=report(
            multiext("<results>/figures/merlion_shares", ".png", ".svg"),
            caption="../../report/corpora.rst",
            category="MERLIon CCS",
            labels={"figure": "languages of each recording"},
        ),
    log:
        "<logs>/draw_merlion.log",
    localrule: True
    conda:
        "../../envs/sinobench.yaml"
    params:
        code=code_of("draw_merlion"),
    script:
        "../../scripts/draw_merlion.py"


collect(
    merlion_speech=prepared(rules.summarize_merlion.output.speech),
    merlion_statistics=prepared(rules.summarize_merlion.output.statistics),
    merlion_lengths=prepared(rules.summarize_merlion.output.lengths),
)
if catalog.corpus_ids("merlion", "scored"):
    collect(merlion_folds=rules.fold_merlion.output)
if catalog.corpus_ids("merlion", "scored", "submission"):
    pictures += rules.draw_merlion.output
