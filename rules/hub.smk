include: "lookups/hub.smk"


rule retrieve_hub:
    """A file of a hub model as it is pinned; one that is there and has its sha256 is kept."""
    output:
        update("<shared>/retrieved/hub/{repository}/{revision}/{file}"),
    log:
        "<shared>/logs/retrieve_hub/{repository}/{revision}/{file}.log",
    localrule: True
    conda:
        "../envs/sinobench.yaml"
    params:
        # Where the file comes from is no param: it does not change the file.
        facts=pinned_facts,
    script:
        "../scripts/retrieve_hub.py"
