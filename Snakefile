from snakemake.utils import min_version

min_version("9.27")


# A config file named on the command line stands alone; the sample's lists and training never reach it.
if not workflow.overwrite_configfiles:

    configfile: "config/config.yaml"


report: "report/workflow.rst"


include: "rules/common.smk"


# `results` is this run's folder; in `shared` all runs keep what does not depend on which of them needs it.
pathvars:
    results=run_folder,
    shared=shared_folder,
    logs="<results>/logs",
    benchmarks="<results>/benchmarks",


wildcard_constraints:
    corpus=one_of(catalog.corpora),
    model=one_of(catalog.models),
    pool=one_of(catalog.pools()),
    partition=one_of(catalog.partitions()),
    track="closed|open",
    shard="[0-9]+",
    key="[0-9a-f]{12}",
    source=one_of(catalog.sources),
    repository=one_of(
        hub.folder_name(m["hub"])
        for m in catalog.models.values()
        if m["kind"] == "hub"
    ),
    revision="[0-9a-f]{40}",


include: "rules/lookups/limits.smk"
include: "rules/retrieve.smk"
include: "rules/hub.smk"


for task in TASKS:

    include: f"rules/{task}.smk"


include: "rules/speed.smk"
include: "rules/results.smk"
include: "rules/storage.smk"
include: "rules/tidy.smk"


rule all:
    default_target: True
    input:
        [getattr(rules, task).input for task in TASKS],
        rules.database.input,
        rules.figures.input,
        rules.report.input,
        rules.submissions.input,
        rules.store_results.output if catalog.config["store"] else [],
    localrule: True


check_options()


onsuccess:
    say_at_the_end(True)


onerror:
    say_at_the_end(False)
