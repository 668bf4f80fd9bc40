rule build_database:
    """The one database of all results, made anew beside the old one and renamed into its place."""
    input:
        **as_asked(
            **merlion_tables(),
            g2p_items=expand(
                rules.ingest_g2p.output.item_table,
                corpus=catalog.corpus_ids("g2p", "scored"),
            ),
            g2p_predictions=scored("g2p", rules.predict_g2p.output.predictions),
            g2p_outcomes=scored("g2p", rules.score_g2p.output.outcomes),
            g2p_confusions=scored("g2p", rules.score_g2p.output.confusions)
            + pooled(rules.pool_g2p.output.confusions),
            csc_items=expand(
                rules.ingest_csc.output.item_table,
                corpus=catalog.corpus_ids("csc", "scored", "submission"),
            )
            + trained_on("csc", rules.ingest_csc_to_fit.output.item_table),
            csc_predictions=evaluated(
                "csc", rules.predict_csc.output.predictions, "scored", "submission"
            ),
            csc_outcomes=scored("csc", rules.score_csc.output.outcomes),
            csc_edits=scored("csc", rules.score_csc.output.edits),
            lid_segments=segmented(rules.ingest_lid.output[0]),
            lid_scores=evaluated(
                "lid", rules.predict_lid.output.scores, "scored", "submission"
            ),
            lid_outcomes=scored("lid", rules.score_lid.output.outcomes),
            lid_recordings=scored("lid", rules.score_lid.output.recordings),
            lid_det=scored("lid", rules.score_lid.output.det),
            ld_turns=prepared(rules.ingest_ld.output[0]),
            ld_predictions=in_shards_of_models(rules.predict_ld.output.predictions),
            ld_recordings=scored("ld", rules.score_ld.output.recordings),
            ld_collars=scored("ld", rules.score_ld.output.collars),
            ld_switches=scored("ld", rules.score_ld.output.switches),
            metrics=scored("g2p", rules.score_g2p.output.metrics)
            + pooled(rules.pool_g2p.output.metrics)
            + scored("csc", rules.score_csc.output.metrics)
            + scored("lid", rules.score_lid.output.metrics)
            + scored("ld", rules.score_ld.output.metrics),
            runs=scored("g2p", rules.predict_g2p.output.runs)
            + evaluated("csc", rules.predict_csc.output.runs, "scored", "submission")
            + evaluated("lid", rules.predict_lid.output.runs, "scored", "submission")
            + in_shards_of_models(rules.predict_ld.output.runs),
            set_aside=ingested("<results>/{task}/set_aside/{corpus}.parquet")
            + trained_on("merlion", rules.ingest_training.output.set_aside)
            + trained_on("csc", rules.ingest_csc_to_fit.output.set_aside),
            training_sets=fitted("csc", rules.fit_csc.output.training_sets)
            + fitted("lid", rules.fit_lid.output.training_sets),
            published="resources/published.csv",
        ),
    output:
        update("<results>/sinobench.duckdb"),
    log:
        "<logs>/build_database.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("build_database"),
        corpora=described(catalog.corpora),
        models=described(catalog.models),
        sources=catalog.sources_of(*catalog.corpora),
    script:
        "../scripts/build_database.py"


rule draw_leaderboards:
    input:
        rules.build_database.output,
    output:
        g2p=report(
            multiext("<results>/figures/g2p_leaderboard", ".png", ".svg"),
            category="Cantonese G2P",
            labels={"figure": "accuracy and PER"},
        ),
        runtime=report(
            multiext("<results>/figures/g2p_runtime", ".png", ".svg"),
            category="Cantonese G2P",
            labels={"figure": "run time against accuracy"},
        ),
        csc=report(
            multiext("<results>/figures/csc_leaderboard", ".png", ".svg"),
            category="Chinese spelling check",
            labels={"figure": "corrections and false alarms"},
        ),
    log:
        "<logs>/draw_leaderboards.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("draw_leaderboards"),
        pools=catalog.pools(),
    script:
        "../scripts/draw_leaderboards.py"


rule draw_merlion:
    input:
        rules.build_database.output,
    output:
        segments=report(
            multiext("<results>/figures/merlion_segments", ".png", ".svg"),
            category="MERLIon CCS",
            labels={"figure": "length of segments"},
        ),
        recordings=report(
            multiext("<results>/figures/merlion_recordings", ".png", ".svg"),
            category="MERLIon CCS",
            labels={"figure": "speech in a recording"},
        ),
        shares=report(
            multiext("<results>/figures/merlion_shares", ".png", ".svg"),
            category="MERLIon CCS",
            labels={"figure": "languages of each recording"},
        ),
    log:
        "<logs>/draw_merlion.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("draw_merlion"),
    script:
        "../scripts/draw_merlion.py"


rule draw_speech:
    input:
        rules.build_database.output,
    output:
        lid=report(
            multiext("<results>/figures/lid_leaderboard", ".png", ".svg"),
            category="MERLIon CCS",
            labels={"figure": "language identification"},
        ),
        det=report(
            multiext("<results>/figures/lid_det", ".png", ".svg"),
            category="MERLIon CCS",
            labels={"figure": "detection error trade-off"},
        ),
        ld=report(
            multiext("<results>/figures/ld_leaderboard", ".png", ".svg"),
            category="MERLIon CCS",
            labels={"figure": "language diarization"},
        ),
        collars=report(
            multiext("<results>/figures/ld_collars", ".png", ".svg"),
            category="MERLIon CCS",
            labels={"figure": "LDER against the collar"},
        ),
    log:
        "<logs>/draw_speech.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("draw_speech"),
    script:
        "../scripts/draw_speech.py"


rule database:
    input:
        rules.build_database.output,


rule figures:
    input:
        rules.draw_leaderboards.output,
        rules.draw_merlion.output if prepared("{corpus}") else [],
        rules.draw_speech.output if scored("lid", "{corpus}") else [],
