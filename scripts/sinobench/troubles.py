"""What stopped a run, in this project's words, as its last ones.

Imported while Snakemake parses: nothing heavy here.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from sinobench import locks
from sinobench.errors import nearest, printable

if TYPE_CHECKING:
    from snakemake.workflow import Workflow

# Exceptions of which a run's last words say all that there is to say.
TOLD = {"LockException", "MissingRuleException"}

_FULL = ("No space left on device", "Disk quota exceeded", "File too large")
_CLOSED = ("Write-protected", "Read-only file system", "Permission denied")
_SUMMED_UP = "At least one job did not complete successfully"
_STOPPED = ("Terminating processes on user request", "Cancelling snakemake on user request")
_GOES_ON = "What was made stands, and the same command goes on."


class Trouble(logging.Handler):
    """Hears the last error that Snakemake reports, but for those of jobs, whose logs say more.

    is_stopped: by Ctrl-C or its signal.
    """

    def __init__(self, workflow: Workflow) -> None:
        super().__init__()
        self._workflow = workflow
        self.kind = self.message = ""
        self.is_stopped = False

    def emit(self, record: logging.LogRecord) -> None:
        self.is_stopped |= str(record.msg or "").startswith(_STOPPED)
        kind = getattr(record, "exception", None)
        if kind and kind != "RuleException" and _SUMMED_UP not in record.getMessage():
            self.kind, self.message = kind, record.getMessage()

    def words(self) -> list[str]:
        """What stopped the run and what to do, a line each; none where nothing but jobs did."""
        if self.is_stopped:
            return [f"The run was stopped. {_GOES_ON}"]
        if not self.kind:
            return []
        if self.kind == "LockException":
            return locks.refusal()
        if found := re.search(r"No rule to produce (.*) \(if you use", self.message):
            wanted = printable(found[1])
            targets = [rule.name for rule in self._workflow.rules if not rule.has_wildcards()]
            return [f"Error: '{wanted}' is no target, and no file that a rule makes; {nearest(wanted, targets)}"]
        if self.kind == "MissingInputException":
            return ["Error: the files above are missing. Lay them there, or take what needs them out of the config."]
        return [advice(self.message) or f"Error: the run was stopped, as said above. {_GOES_ON}"]


def advice(message: str) -> str:
    """What to do where a system's error has no cause in this project; "" for any other message."""
    if any(words in message for words in _FULL):
        return f"Error: the disk is full. Make room; {_GOES_ON[0].lower()}{_GOES_ON[1:]}"
    if any(words in message for words in _CLOSED):
        return (
            "Error: results can't be written, as said above: they are write-protected, or another user's. "
            f"Make them writable; {_GOES_ON[0].lower()}{_GOES_ON[1:]}"
        )
    if "Workflow defines configfile" in message:
        return "Error: runs start in the folder that holds config/ and resources/, without --directory."
    if "marked for report but does not exist" in message:
        return "Error: a report is made of what a run has made; run the same command without --report first."
    if "No storage provider found" in message:
        return "Error: object storage needs a plug-in of Snakemake's, which `make cluster` installs."
    return ""
