"""What rules on hub models look up."""

from sinobench.hub import entries as hub


def pinned_facts(wildcards):
    """The sha256 and size of a file of a hub model."""
    return hub.facts_of(catalog.models, **wildcards)


def hub_models():
    """The selected models of kind hub by their id."""
    return {i: m for i, m in catalog.models.items() if m["kind"] == "hub"}


def own_files(wildcards):
    """The files of a hub model."""
    return hub.files_of(catalog.models[wildcards.model], "<shared>/retrieved")


def inspected(pattern, models=None):
    """The pattern for each selected hub model, or for those of the given ones that are."""
    return [
        filled(
            pattern,
            repository=hub.folder_name(m["hub"]),
            revision=m["revision"],
            model=i,
        )
        for i, m in hub_models().items()
        if models is None or i in models
    ]


def admitted(wildcards):
    """What says that the model at hand, and the identification model that it uses, may be loaded; none of other kinds."""
    lid = catalog.models[wildcards.model].get("lid")
    return inspected(rules.admit_model.output[0], [wildcards.model, lid])
