"""What jobs of models ask for, by the limits in their entries."""


def memory_of(default_mb):
    """Megabytes: the most that the models at hand may take, and what the job takes beside."""
    return (
        lambda wildcards: limit_of(wildcards, "memory_mb", default_mb)
        + children.BASE_MB
    )


def time_of(default_min):
    """Minutes, likewise."""
    return (
        lambda wildcards: limit_of(wildcards, "time_min", default_min)
        + children.BASE_MIN
    )


def limit_of(wildcards, name, default):
    """The largest limit that an entry of the models at hand has, the default where none has one."""
    limits = [entry.get("limits", {}).get(name) for entry in entries(wildcards)]
    return max(filter(None, limits), default=default)


def threads_at_hand(wildcards):
    """The threads of the models at hand."""
    return max(entry.get("threads", 1) for entry in entries(wildcards))
