"""What rules of language identification look up."""


def fit_params(wildcards):
    """What a fitted model depends on of its entry, with what it may be fitted on."""
    entry = catalog.models[wildcards.model]
    known = {key: entry[key] for key in ("track", "pretrained")}
    return model_params(wildcards) | known
