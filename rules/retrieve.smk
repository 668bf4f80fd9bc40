rule retrieve_file:
    output:
        "<results>/retrieved/{source}/{file}",
    log:
        "<logs>/retrieve_file/{source}/{file}.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("retrieve_file"),
        corpora=corpora_of_file,
        entry=lambda wildcards: catalog.sources[wildcards.source],
        mirror=os.environ.get("SINOBENCH_MIRROR") or catalog.config["mirror"],
    script:
        "../scripts/retrieve_file.py"


rule retrieve_speech:
    """Clips of real speech, which only a mirror has as they were prepared."""
    input:
        listing="resources/speech_clips.csv",
    output:
        clips=directory("<results>/merlion/clips"),
    log:
        "<logs>/retrieve_speech.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("retrieve_speech"),
        mirror=os.environ.get("SINOBENCH_MIRROR") or catalog.config["mirror"],
    script:
        "../scripts/retrieve_speech.py"


rule join_speech:
    """Code-switched recordings made of the clips of test speakers, and training data of the training speakers'."""
    input:
        clips=rules.retrieve_speech.output.clips,
    output:
        audio=directory("<results>/merlion/joined/audio"),
        labels="<results>/merlion/joined/labels.csv",
        regions="<results>/merlion/joined/regions.xlsx",
        redactions="<results>/merlion/joined/redactions.csv",
        recordings="<results>/merlion/joined/recordings.csv",
        turns="<results>/merlion/joined/turns.csv",
        training=directory("<results>/merlion/joined/training"),
    log:
        "<logs>/join_speech.log",
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=1000,
    params:
        code=code_of("join_speech"),
        seed=catalog.config["seed"],
    script:
        "../scripts/join_speech.py"
