rule retrieve_file:
    """A public file as it is pinned; one that is there and has its sha256 is kept."""
    output:
        update("<shared>/retrieved/{source}/{file}"),
    log:
        "<shared>/logs/retrieve_file/{source}/{file}.log",
    retries: 0
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        # Where the file comes from is no param: it does not change the file.
        sha256=lambda wildcards: catalog.sha256_of(wildcards.source, wildcards.file),
    script:
        "../scripts/retrieve_file.py"


rule retrieve_speech:
    """The originals of the clips; those that are there as pinned are kept, also where others can't be had."""
    input:
        listing=lambda wildcards: catalog.sources["speech-originals"]["listing"],
    output:
        # The last to be written; the files stand beside it, where no failed job removes them.
        "<shared>/retrieved/speech-originals.csv",
    log:
        "<shared>/logs/retrieve_speech.log",
    retries: 0
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    script:
        "../scripts/retrieve_speech.py"


rule make_clips:
    """Clips of one form from originals of many."""
    input:
        rules.retrieve_speech.output,
    output:
        clips=directory("<shared>/merlion/clips"),
    log:
        "<shared>/logs/make_clips.log",
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000),
        runtime=sized(120),
    params:
        code=code_of("make_clips"),
    script:
        "../scripts/make_clips.py"


rule join_speech:
    """Code-switched recordings made of the clips of test speakers, and training data of the training speakers'."""
    input:
        clips=rules.make_clips.output.clips,
    output:
        audio=directory("<shared>/merlion/joined/audio"),
        labels="<shared>/merlion/joined/labels.csv",
        regions="<shared>/merlion/joined/regions.xlsx",
        redactions="<shared>/merlion/joined/redactions.csv",
        recordings="<shared>/merlion/joined/recordings.csv",
        turns="<shared>/merlion/joined/turns.csv",
        training=directory("<shared>/merlion/joined/training"),
    log:
        "<shared>/logs/join_speech.log",
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000),
        runtime=sized(60, 0.1),
    params:
        code=code_of("join_speech"),
        seed=catalog.config["seed"],
    script:
        "../scripts/join_speech.py"
