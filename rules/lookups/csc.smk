"""What rules of spelling check look up."""


def chat_jobs(wildcards):
    """1 for a model that a service is asked for: the default profile lets one such job run at a time."""
    return int(catalog.models[wildcards.model]["kind"] == "chat")
