"""What rules on speed look up: threads of jobs and of models."""


def every_core(wildcards):
    """All cores of the run."""
    return workflow.cores


def threads_of_model(wildcards, threads):
    """The threads that a model has in a prediction job."""
    return min(threads, threads_at_hand(wildcards))
