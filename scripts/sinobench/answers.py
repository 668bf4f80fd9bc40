"""Answers of models that others serve, kept on disk by what was asked: a run that ends in whatever way loses none."""

import contextlib
import errno
import fcntl
import hashlib
import io
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from sinobench.chat import Answer
from sinobench.errors import InputError


class Answers:
    """The answers to what is asked with the same settings, address, model and parameters: one JSON object a line.

    A line is written whole before the next one; the last of a process that was killed may be cut, and is asked again.
    Of each, memory holds a digest of the prompt and where its line begins.
    """

    def __init__(self, folder: str | Path, asked: Mapping) -> None:
        name = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]
        self._path, self._lock = (Path(folder, f"{name}.{suffix}") for suffix in ("jsonl", "lock"))
        self._starts: dict[bytes, int] = {}
        self._end = 0  # of what was read

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """What others have written until now is known, and they wait for the block's end.

        So of two jobs that ask the same, in one run or in two, the second finds the answers of the first.
        """
        self._lock.parent.mkdir(parents=True, exist_ok=True)
        with self._lock.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with self._path.open("rb") if self._path.exists() else io.BytesIO() as file:
                file.seek(self._end)
                for line in file:
                    with contextlib.suppress(ValueError, KeyError, TypeError):
                        prompt, _ = _parsed(line)
                        self._starts[_key(prompt)] = self._end
                    self._end += len(line)
            yield

    def __contains__(self, prompt: str) -> bool:
        return _key(prompt) in self._starts

    def __getitem__(self, prompt: str) -> Answer:
        """The answer to a prompt that was asked before."""
        with self._path.open("rb") as file:
            file.seek(self._starts[_key(prompt)])
            return _parsed(file.readline())[1]

    def keep(self, prompt: str, answer: Answer) -> None:
        """Write an answer; it is on the disk when this returns."""
        line = f"{json.dumps({'prompt': prompt, **asdict(answer)})}\n".encode()
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            # After the cut line of a process that was killed, a line of its own.
            if os.write(descriptor, b"\n" + line) <= len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(descriptor)
            self._end = os.fstat(descriptor).st_size
        except OSError as error:
            raise InputError(f"can't be written ({error.strerror})", self._path) from None
        finally:
            os.close(descriptor)
        self._starts[_key(prompt)] = self._end - len(line)


def _key(prompt: str) -> bytes:
    return hashlib.blake2b(prompt.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _parsed(line: bytes) -> tuple[str, Answer]:
    """Prompt and answer of a line; ValueError, KeyError or TypeError for what is none."""
    found = json.loads(line)
    return found.pop("prompt"), Answer(**found)
