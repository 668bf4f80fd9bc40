"""A page a task."""

from sinobench.report.material import Material, Page


def pages(material: Material) -> list[Page]:
    """The pages of the tasks that the run has."""
    return []
