"""What rules on object storage look up."""

from sinobench import objects


def stored(path):
    """The object that a file of the run's folder becomes."""
    key = workflow.pathvars.apply(str(path)).removeprefix(f"{run_folder}/")
    return storage(f"{catalog.config['store'].rstrip('/')}/{key}")
