include: "lookups/hub.smk"


rule retrieve_hub:
    """A file of a hub model as it is pinned; one that is there and has its sha256 is kept."""
    output:
        update("<shared>/retrieved/hub/{repository}/{revision}/{file}"),
    log:
        "<shared>/logs/retrieve_hub/{repository}/{revision}/{file}.log",
    retries: 0
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        # Where the file comes from is no param: it does not change the file.
        facts=pinned_facts,
    script:
        "../scripts/retrieve_hub.py"


rule inspect_model:
    """What the files of a hub model hold, before anything is loaded; refused models have their rows too."""
    input:
        files=own_files,
    output:
        "<shared>/inspections/{repository}/{revision}/{model}.parquet",
    log:
        "<shared>/logs/inspect_model/{repository}/{revision}/{model}.log",
    conda:
        "../envs/sinobench.yaml"
    resources:
        mem_mb=sized(1000, 2),
        runtime=sized(30, 0.1),
    params:
        code=code_of("inspect_model"),
        task=lambda wildcards: catalog.models[wildcards.model]["task"],
        folder=f"{shared_folder}/retrieved/hub/{{repository}}/{{revision}}",
        files=lambda wildcards: catalog.models[wildcards.model]["files"],
    script:
        "../scripts/inspect_model.py"


rule admit_model:
    """What jobs of the model wait for; it fails where the model is refused, and they with it."""
    input:
        rules.inspect_model.output,
    output:
        "<shared>/inspections/{repository}/{revision}/{model}.admitted",
    log:
        "<shared>/logs/admit_model/{repository}/{revision}/{model}.log",
    retries: 0
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        code=code_of("admit_model"),
    script:
        "../scripts/admit_model.py"


collect(inspections=inspected(rules.inspect_model.output[0]))
