"""Arrow in a job, without what its tables have no use for."""

import sys


class _Absent:
    """Answers that there is no pandas."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname == "pandas":
            raise ModuleNotFoundError(f"No module named '{fullname}'", name=fullname)
        return None


def forgo_pandas() -> None:
    """Let pyarrow take no value for one of pandas, which it would load to look: a third of a second in each job.

    For a process that gives Arrow no object of pandas; it can load pandas afterwards and make data frames of tables.
    """
    import pyarrow.lib

    if "pandas" in sys.modules:
        return
    finder = _Absent()
    sys.meta_path.insert(0, finder)
    try:
        pyarrow.lib._pandas_api.have_pandas  # noqa: B018  # the property looks once and remembers
    finally:
        sys.meta_path.remove(finder)
