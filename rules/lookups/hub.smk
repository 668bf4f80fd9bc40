"""What rules on hub models look up."""

from sinobench.hub import entries as hub


def pinned_facts(wildcards):
    """The sha256 and size of a file of a hub model."""
    return hub.facts_of(catalog.models, **wildcards)


def hub_models():
    """The selected models of kind hub by their id."""
    return {i: m for i, m in catalog.models.items() if m["kind"] == "hub"}
