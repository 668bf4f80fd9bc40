"""Chat models that others serve: one question at a time to an OpenAI-compatible endpoint, tried again where that helps.

urllib, whose every wait `web` bounds and which follows no redirection here, is all that a request of one JSON object
takes. The key is read when the first question is asked; no message, answer or attribute holds it.
"""

import json
import logging
import os
import random
import re
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from threading import Event
from typing import Any
from urllib import request
from urllib.error import HTTPError, URLError

from sinobench.errors import InputError, short
from sinobench.web import opener, time_limit

ATTEMPTS = 6
TIMEOUT_S = 120.0  # for one answer, from the request to its last byte
LONGEST_WAIT_S = 300.0
MOST_BYTES = 1 << 20
_PASSING = frozenset({408, 409, 425, 429})
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Answer:
    """What a model said, None where it refused; tokens are None where the server does not count them."""

    text: str | None
    prompt_tokens: int | None
    completion_tokens: int | None


class _Passing(Exception):
    """A failure that another attempt may not meet; ``wait_s``: what the server asks to wait."""

    def __init__(self, message: str, wait_s: float = 0.0) -> None:
        super().__init__(message)
        self.wait_s = wait_s


@dataclass(frozen=True)
class Endpoint:
    """A served model: the base address, of which ``/chat/completions`` is asked, and the model's name there.

    key_variable: the environment variable that holds the key, None for a server that wants none. wait_s: seconds before
    the second attempt, doubled before each further one.
    """

    address: str
    chat_model: str
    key_variable: str | None = None
    attempts: int = ATTEMPTS
    wait_s: float = 1.0
    timeout_s: float = TIMEOUT_S

    def ask(self, prompt: str, max_tokens: int, stopped: Event) -> Answer:
        """The answer to one prompt, at temperature 0.

        Passing failures (429, 5xx, an answer that is late, cut or no chat completion, a broken connection) are tried
        again until ``stopped`` is set; raises InputError where no attempt succeeds, and at once for any other status.
        """
        key = self._key()
        body = {
            "model": self.chat_model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "max_tokens": max_tokens,
        }
        for attempt in range(1, self.attempts + 1):
            try:
                return _answer(self._receive(json.dumps(body).encode(), key), key)
            except _Passing as passing:
                if passing.wait_s > LONGEST_WAIT_S:
                    raise InputError(f"{self.address}: {passing}; it asks to wait {passing.wait_s:.0f} s") from None
                if attempt == self.attempts or stopped.is_set():
                    raise InputError(f"{self.address}: {passing} (the last of {attempt} attempts)") from None
                pause_s = max(passing.wait_s, self.wait_s * 2 ** (attempt - 1) * random.uniform(0.5, 1.5))
                _log.warning("%s: %s; attempt %d, again in %.1f s", self.address, passing, attempt, pause_s)
                stopped.wait(pause_s)
        raise AssertionError("unreachable")

    def _key(self) -> str | None:
        if not self.key_variable:
            return None
        key = os.environ.get(self.key_variable, "")
        if not re.fullmatch(r"[!-~]{8,4096}", key):
            found = "is not set" if not key else "holds none"
            raise InputError(
                f"the environment variable {self.key_variable} {found}; it should hold the key of {self.address}, "
                "at least 8 printable ASCII characters without blanks"
            )
        return key

    def _receive(self, body: bytes, key: str | None) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "sinobench"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        asked = request.Request(f"{self.address.rstrip('/')}/chat/completions", body, headers)
        try:
            with time_limit(self.timeout_s) as watch:
                try:
                    response = opener(watch, with_key=True).open(asked, timeout=self.timeout_s)
                except HTTPError as error:
                    response = error  # one with another status
                with closing(response):
                    data = response.read(MOST_BYTES + 1)
                if watch.is_over:
                    raise _Passing(f"no whole answer in {self.timeout_s:g} s")
        except URLError as error:
            raise _Passing(_hidden(str(error.reason), key)) from None
        except (OSError, HTTPException) as error:
            raise _Passing(_hidden(str(error) or type(error).__name__, key)) from None
        if response.status != 200:
            raise self._refusal(response.status, response.headers, _hidden(_message(data), key))
        if len(data) > MOST_BYTES:
            raise InputError(f"{self.address}: an answer of over {MOST_BYTES >> 20} MiB; expected a corrected text")
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise _Passing("an answer that is cut or no JSON") from None

    def _refusal(self, status: int, headers: Mapping, message: str) -> Exception:
        """What to raise for an answer with another status than 200."""
        said = f"HTTP {status}: {short(message, 300)}"
        if status in _PASSING or status >= 500:
            return _Passing(said, _retry_after_s(headers))
        if 300 <= status < 400:
            said = f"HTTP {status}, a redirection, which is not followed; name the address that it leads to"
        return InputError(f"{self.address}, model '{self.chat_model}': {said}")


def _answer(data: Any, key: str | None) -> Answer:
    """The answer in a chat completion; _Passing for what is none."""
    try:
        choice = data["choices"][0]
        message = choice["message"]
        text = message.get("content")
        usage = data.get("usage") or {}
        counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
        refused = bool(message.get("refusal")) or choice.get("finish_reason") == "content_filter"
    except (KeyError, IndexError, TypeError, AttributeError):
        raise _Passing("an answer that is no chat completion") from None
    if not isinstance(text, str | None):
        raise _Passing(f"an answer whose content is {type(text).__name__}; expected a text")
    tokens = [n if isinstance(n, int) and 0 <= n < 1 << 40 else None for n in counts]
    return Answer(None if refused or text is None else text.replace(key, "…") if key else text, *tokens)


def _message(data: bytes) -> str:
    """The message in the body of an error, in the form of this interface or as it is."""
    text = data.decode("utf-8", "replace")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    for name in ("error", "message", "detail"):
        if isinstance(found, Mapping) and name in found:
            found = found[name]
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def _hidden(text: str, key: str | None) -> str:
    """The text without the key, and without words that hold its beginning or its end, as servers quote it."""
    return re.sub(rf"\S*(?:{re.escape(key[:6])}|{re.escape(key[-4:])})\S*", "…", text) if key else text


def _retry_after_s(headers: Mapping) -> float:
    """Seconds that the server asks to wait: a number of them, or a date."""
    value = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return 0.0
