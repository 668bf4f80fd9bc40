"""The command ``sinobench``: score and compare prediction files, and check submissions, without Snakemake.

Exit status 0; 1 for a submission that the challenge would reject; 2 with a message for wrong input, also where only one
protocol refuses it and the figures of the other are printed. Heavy imports stay inside the functions that need them.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence

from sinobench import __version__, text_command
from sinobench.commands import leaderboard
from sinobench.errors import InputError
from sinobench.ld import command as ld
from sinobench.lid import command as lid
from sinobench.merlion.submission import command as validate_command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    # Whatever a terminal or a file writes, Chinese does not end in a traceback.
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        text, reasons, status = _run(arguments)
    except SystemExit as end:  # argparse has printed its help
        text, reasons, status = None, [], end.code
    for reason in reasons:
        print(f"sinobench: {reason}", file=sys.stderr)
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


def _run(arguments: Sequence[str] | None) -> tuple[str | None, list[str], int]:
    """What is printed, what is said beside it, and the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options), [], 0
    except validate_command.Rejected as rejected:
        return str(rejected), [], 1
    except text_command.Incomplete as found:
        return found.text, found.reasons, 2
    except InputError as error:
        return None, [error.shown], 2


def _parser() -> argparse.ArgumentParser:
    about = "Score predictions of Chinese speech front-ends, and check submissions."
    parser = argparse.ArgumentParser(prog="sinobench", description=about)
    parser.add_argument("--version", action="version", version=f"sinobench {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command, run, about in (
        ("score", text_command.score, "score one system under both protocols"),
        ("compare", text_command.compare, "score several systems on the same items; differences are against the first"),
    ):
        tasks = commands.add_parser(command, help=about, description=about).add_subparsers(
            dest="task", required=True, metavar="TASK"
        )
        g2p = tasks.add_parser("g2p", help="Cantonese G2P: tab-separated text, position, label, prediction")
        csc = tasks.add_parser("csc", help="Chinese spelling check: lines of input⇥gold and of input⇥output")
        csc.add_argument("--gold", required=True, metavar="FILE", help="lines of input⇥gold")
        if command == "score":
            g2p.add_argument("--items", required=True, metavar="FILE", help="TSV with a header")
            csc.add_argument("--predictions", required=True, metavar="FILE", help="lines of input⇥output")
        else:
            g2p.add_argument("systems", nargs="+", metavar="FILE", help="TSV with a header, one a system")
            csc.add_argument("systems", nargs="+", metavar="FILE", help="lines of input⇥output, one file a system")
        for task in (g2p, csc):
            task.add_argument("--format", choices=("table", "json"), default="table")
            task.set_defaults(run=run)
        if command == "score":
            for name, speech, about in (
                ("lid", lid, "language identification, Task 1 of MERLIon CCS: scores of segments"),
                ("ld", ld, "language diarization, Task 2 of MERLIon CCS: turns of recordings"),
            ):
                task = tasks.add_parser(name, help=about, description=about)
                speech.add_arguments(task)
                task.set_defaults(run=speech.run)
    for command, module, about in (
        ("leaderboard", leaderboard, "show who is better, by how much, from the database of a run"),
    ):
        face = commands.add_parser(command, help=about, description=about)
        module.add_arguments(face)
        face.set_defaults(run=module.run)
    about = "say what a challenge would reject"
    kinds = commands.add_parser("validate", help=about, description=about).add_subparsers(required=True, metavar="WHAT")
    submission = kinds.add_parser("submission", help="a MERLIon CCS submission: the zip that is uploaded")
    validate_command.add_arguments(submission)
    submission.set_defaults(run=validate_command.run)
    return parser
