"""What rules of language identification look up."""


def fit_params(wildcards):
    """What a fitted model depends on of its entry, with what it may be fitted on."""
    entry = catalog.models[wildcards.model]
    known = {key: entry[key] for key in ("track", "pretrained")}
    return model_params(wildcards) | known


def heard(pattern):
    """The pattern for each shard of the corpus at hand; none for a file of predictions, which needs no audio."""
    return lambda wildcards: (
        []
        if catalog.models[wildcards.model]["kind"] == "predictions"
        else selected.in_shards(filled(pattern, corpus=wildcards.corpus))
    )
