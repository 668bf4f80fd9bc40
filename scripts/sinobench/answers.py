"""Answers of models that others serve, kept on disk by what was asked: a run that ends in whatever way loses none."""

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from sinobench.chat import Answer
from sinobench.errors import InputError


class Answers:
    """The answers to prompts, one JSON object a line in the file of an endpoint's address, model and parameters.

    A line is written whole before the next one; the last of a process that was killed may be cut, and is asked again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Answer] = {}
        for line in path.read_bytes().split(b"\n") if path.exists() else []:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                found = json.loads(line)
                prompt = found.pop("prompt")
                self._known[prompt] = Answer(**found)

    def get(self, prompt: str) -> Answer | None:
        """The answer to a prompt that was asked before."""
        return self._known.get(prompt)

    def keep(self, prompt: str, answer: Answer) -> None:
        """Write an answer; it is on the disk when this returns."""
        line = json.dumps({"prompt": prompt, **asdict(answer)})
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            # After the cut line of a process that was killed, a line of its own.
            os.write(descriptor, f"\n{line}\n".encode())
            os.fsync(descriptor)
        except OSError as error:
            raise InputError(f"can't be written ({error.strerror})", self._path) from None
        finally:
            os.close(descriptor)
        self._known[prompt] = answer


@contextlib.contextmanager
def opened(folder: str | Path, asked: Mapping) -> Iterator[Answers]:
    """The answers to what is asked with these settings: address, model and parameters. Others wait for the block's end.

    So of two jobs that ask the same, in one run or in two, the second finds the answers of the first.
    """
    name = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]
    Path(folder).mkdir(parents=True, exist_ok=True)
    with Path(folder, f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Answers(Path(folder, f"{name}.jsonl"))
