"""What jobs ask for: by the size of what they read, and as much again in each further attempt."""

import functools
import math


def sized(base, per_mb=0, *names):
    """Megabytes or minutes: a base, and so much for each megabyte of the inputs of these names, of all without names."""
    return lambda wildcards, input, attempt: attempt * (
        base + math.ceil(per_mb * size_mb(input, names))
    )


def memory_of(default_mb, per_mb=0, *names):
    """Megabytes of a job of models: the most that its models may take by their entries, else by size, and its own."""
    return asked_for(["memory_mb"], children.BASE_MB, default_mb, per_mb, names)


def time_of(default_min, per_mb=0, *names):
    """Minutes, likewise."""
    return asked_for(["time_min"], children.BASE_MIN, default_min, per_mb, names)


def fit_time_of(default_min, per_mb=0, *names):
    """Minutes of a fit, likewise."""
    limits = ["fit_time_min", "time_min"]
    return asked_for(limits, children.BASE_MIN, default_min, per_mb, names)


def asked_for(limits, own, default, per_mb, names):
    """The largest limit that an entry of the models at hand has, by the first of the keys that it has, and the job's own."""

    def asked(wildcards, input, attempt):
        of_entries = [entry.get("limits", {}) for entry in entries(wildcards)]
        known = [next(filter(None, map(of.get, limits)), None) for of in of_entries]
        by_size = sized(default, per_mb, *names)(wildcards, input, attempt=1)
        return attempt * (max(filter(None, known), default=by_size) + own)

    return asked


def threads_at_hand(wildcards):
    """The threads of the models at hand."""
    return max(entry.get("threads", 1) for entry in entries(wildcards))


def gpus_at_hand(wildcards):
    """The GPUs that they ask for."""
    return max(entry.get("gpus", 0) for entry in entries(wildcards))


def tries_left(wildcards, attempt):
    """How often Snakemake tries the job again if it fails in this attempt."""
    if workflow.is_main_process:
        children.tell_retries(workflow.execution_settings.retries)
    return children.retries() + 1 - attempt


def size_mb(input, names=()):
    """What inputs hold: those of these names, or all. What an earlier job of the same group makes is not there yet: 0."""
    chosen = [input.get(name, []) for name in names] if names else [input]
    paths = [
        path
        for found in chosen
        for path in ([found] if isinstance(found, str) else found)
    ]
    return sum(map(size_bytes, paths)) / 10**6


def size_bytes(path):
    """Of a file, or of all that is in a folder; 0 of what is not there."""
    try:
        known = os.stat(path)
    except FileNotFoundError:
        return 0
    if not os.path.isdir(path):
        return known.st_size
    return folder_bytes(path, known.st_mtime_ns)


@functools.cache
def folder_bytes(path, mtime_ns):
    """The same of a folder as it was then: many jobs ask."""
    with os.scandir(path) as found:
        return sum(size_bytes(each.path) for each in found)
