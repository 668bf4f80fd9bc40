"""What rules on speed look up: threads of jobs and of models."""


def every_core(wildcards):
    """All cores of the run; on a cluster, which gives the job its own, as many as the model has threads."""
    return workflow.cores if workflow.local_exec else threads_at_hand(wildcards)


def threads_of_model(wildcards, threads):
    """The threads that a model has in a prediction job."""
    return min(threads, threads_at_hand(wildcards))
