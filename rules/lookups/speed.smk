"""What rules on speed look up: threads of jobs and of models."""


def every_core(wildcards):
    """All cores of the run."""
    return workflow.cores


def threads_of(rule):
    """The threads that a model has in a prediction job."""
    return lambda wildcards, threads: min(
        threads, workflow.get_rule(rule).resources["_cores"].value
    )
