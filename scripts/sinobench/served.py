"""Entries of chat models, which others serve: what they may say, and as what they are run.

Imported while Snakemake parses: nothing heavy here.
"""

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from sinobench.errors import InputError

# What decides an answer, and what only says how it is asked for.
_OPTIONS = ("endpoint", "chat_model", "prompt", "max_tokens")
_SERVICE = ("key_variable", "at_once", "price")


def check_served(entry: Mapping, where: str) -> None:
    """InputError for a prompt without its place for the text, and for a key that would travel without encryption."""
    if (n := entry["prompt"].count("{text}")) != 1:
        raise InputError(f"{where}, prompt has {n} times {{text}}, where the text is put; expected it once")
    address = urlsplit(entry["endpoint"])
    if entry["key_variable"] and address.scheme == "http" and not _is_here(address.hostname or ""):
        raise InputError(
            f"{where}, endpoint: no key is sent over http to {address.hostname}; use https, or leave key_variable away"
        )


def as_run(entry: Mapping) -> dict:
    """The entry with the keys that a model which is run has."""
    return {
        **entry,
        "class": "sinobench.csc.models.chat:Chat",
        "options": {name: entry[name] for name in _OPTIONS},
        "service": {name: entry[name] for name in _SERVICE},
        "packages": [],
    }


def _is_here(host: str) -> bool:
    """Whether a name or address is of this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
