"""The command ``sinobench``: score and compare prediction files, and check submissions, without Snakemake.

Exit status 0; 1 for a submission that the challenge would reject, and for figures that are not what they were; 2 with a
message for wrong input, also where only one protocol refuses it and the figures of the other are printed. Heavy imports
stay inside the functions that need them.
"""

import argparse
import gc
import os
import signal
import sys
from collections.abc import Sequence
from types import ModuleType

from sinobench import __version__
from sinobench.commands import compare, items, leaderboard, standard_input, verify
from sinobench.commands.scored import Incomplete
from sinobench.csc import command as csc
from sinobench.errors import InputError
from sinobench.g2p import command as g2p
from sinobench.hub import command as hub
from sinobench.ld import command as ld
from sinobench.lid import command as lid
from sinobench.merlion.submission import command as validate_command

ABOUT = "Score predictions of Chinese speech front-ends, and check submissions."
VERSION = f"""sinobench {__version__}

To cite: The sinobench authors. sinobench: evaluation of Chinese front-ends of speech systems. Version {__version__}.
Please cite the benchmarks that you score on, too: CITATION.cff has them.
"""
TASKS: dict[str, tuple[ModuleType, str]] = {
    "g2p": (g2p, "Cantonese G2P: syllables of the target characters of texts"),
    "csc": (csc, "Chinese spelling check: corrected sentences"),
    "lid": (lid, "language identification, Task 1 of MERLIon CCS: scores of segments"),
    "ld": (ld, "language diarization, Task 2 of MERLIon CCS: turns of recordings"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    # Whatever a terminal or a file writes, Chinese does not end in a traceback.
    sys.stdout.reconfigure(errors="backslashreplace")
    # Rows hold no cycles, and looking for some again and again takes a third of the time of a large file.
    gc.disable()
    with standard_input.kept():
        try:
            text, reasons, status = _run(arguments)
        except SystemExit as end:  # argparse has printed its help
            text, reasons, status = None, [], end.code
        text = text and standard_input.named(text)
        reasons = list(map(standard_input.named, reasons))
    gc.enable()
    _say(reasons)
    try:
        if text is not None:
            print(text)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python would complain of it once more as it ends
        if isinstance(error, BrokenPipeError):  # as where `head` has read enough
            return 128 + signal.SIGPIPE
        print(f"sinobench: the output can't be written ({error.strerror})", file=sys.stderr)
        return 2
    return status


def _say(reasons: Sequence[str]) -> None:
    try:
        for reason in reasons:
            print(f"sinobench: {reason}", file=sys.stderr)
    except OSError:  # nobody reads it; the figures of the other protocol are for whoever reads the output
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _run(arguments: Sequence[str] | None) -> tuple[str | None, list[str], int]:
    """What is printed, what is said beside it, and the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options), [], 0
    except (validate_command.Rejected, verify.Differs) as finding:
        return str(finding), [], 1
    except Incomplete as found:
        return found.text, found.reasons, 2
    except InputError as error:
        return None, [error.shown], 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sinobench", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=VERSION)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    score = _group(commands, "score", "score one system under both protocols", "TASK")
    compared = _group(
        commands, "compare", "score several systems on the same items, and test their differences", "TASK"
    )
    for task, (module, about) in TASKS.items():
        command = _command(score, task, about, module.EXAMPLES)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
        command = _command(compared, task, about, module.COMPARISONS)
        module.add_comparison(command)
        compare.add_arguments(command)
        command.set_defaults(run=compare.run, task=task)
    about = "show who is better, by how much, from the database of a run"
    command = _command(commands, "leaderboard", about, leaderboard.EXAMPLES)
    leaderboard.add_arguments(command)
    command.set_defaults(run=leaderboard.run)
    about = "print the items behind a figure, from the database of a run"
    command = _command(commands, "items", about, items.EXAMPLES)
    items.add_arguments(command)
    command.set_defaults(run=items.run)
    about = "compute figures anew and say whether they are what their signatures say"
    command = _command(commands, "verify", about, verify.EXAMPLES)
    verify.add_arguments(command)
    command.set_defaults(run=verify.run)
    kinds = _group(commands, "validate", "say what a challenge would reject", "WHAT")
    about = "a MERLIon CCS submission: the zip that is uploaded"
    submission = _command(kinds, "submission", about, validate_command.EXAMPLES)
    validate_command.add_arguments(submission)
    submission.set_defaults(run=validate_command.run)
    of_hub = _group(commands, "hub", "models of a hub", "WHAT")
    about = "print the catalog entry of a repository, with the hashes of its files"
    pin = _command(of_hub, "pin", about, hub.EXAMPLES)
    hub.add_arguments(pin)
    pin.set_defaults(run=hub.run)
    return parser


def _group(commands: argparse._SubParsersAction, name: str, about: str, metavar: str) -> argparse._SubParsersAction:
    """A command that others stand below."""
    return _command(commands, name, about).add_subparsers(required=True, metavar=metavar)


def _command(
    commands: argparse._SubParsersAction, name: str, about: str, examples: str | None = None
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name, help=about, description=about, epilog=examples, formatter_class=argparse.RawDescriptionHelpFormatter
    )
