"""Signatures: one line that says what a figure is of, so that it can be cited, made again and verified.

``csc|nlpcc2023-dev@ac93f0df|strict|correction_f1|dictionary@0.1.0+1f3c77a0|n:1000|bs:10000/2023|sinobench:0.1.0``:
task, corpus with the hash of its items, protocol, metric, model with version and hash, number of items, resamples and
seed of the interval, version of this package. A subset other than ``all`` stands after the metric as ``subset:``, a
level other than .95 after the seed as ``level:``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sinobench import __version__
from sinobench.errors import InputError, printable

if TYPE_CHECKING:
    from sinobench.results.statistics.resampling import Settings

FORM = "TASK|CORPUS@HASH|PROTOCOL|METRIC|MODEL@VERSION+HASH|n:ITEMS|bs:RESAMPLES/SEED|sinobench:VERSION"
DIGITS = 8  # of a hash, hexadecimal
LEVEL = 0.95
# What parts a signature, and what a shell or a line of text would part.
_ESCAPES = {c: "".join(f"%{byte:02X}" for byte in c.encode()) for c in "%|@ \t\r\n\u3000"}
_PLAIN = (
    r"(?P<task>[^|]+)\|(?P<corpus>[^|@]+)@(?P<items>[0-9a-f]{8})\|(?P<protocol>[^|]+)\|(?P<metric>[^|]+)"
    r"(\|subset:(?P<subset>[^|]+))?\|(?P<model>[^|@]+)(@(?P<model_version>[^|@]+))?\+(?P<code>[0-9a-f]{8})"
    r"\|n:(?P<n_items>[0-9]{1,18})"
    r"\|bs:(none|(?P<resamples>[0-9]{1,18})/(?P<seed>[0-9]{1,18})(\|level:(?P<level>0\.[0-9]+))?)"
    r"\|sinobench:(?P<version>[^|]+)"
)


@dataclass(frozen=True)
class Signature:
    """What a figure is of. items, code: hashes of the corpus's items, and of the model; model_version: '' for a model
    that has none; statistics: None for a figure without interval."""

    task: str
    corpus: str
    items: str
    protocol: str
    metric: str
    model: str
    code: str
    n_items: int
    statistics: Settings | None
    subset: str = "all"
    model_version: str = ""
    version: str = __version__

    def __str__(self) -> str:
        settings = self.statistics
        at_version = f"@{escaped(self.model_version)}" if self.model_version else ""
        parts = [
            escaped(self.task),
            f"{escaped(self.corpus)}@{self.items[:DIGITS]}",
            escaped(self.protocol),
            escaped(self.metric),
            *([f"subset:{escaped(self.subset)}"] if self.subset != "all" else []),
            f"{escaped(self.model)}{at_version}+{self.code[:DIGITS]}",
            f"n:{self.n_items}",
            f"bs:{settings.resamples}/{settings.seed}" if settings else "bs:none",
            *([f"level:{settings.level}"] if settings and settings.level != LEVEL else []),
            f"sinobench:{escaped(self.version)}",
        ]
        return "|".join(parts)


def signature(
    task: str,
    corpus: str,
    items: str,
    protocol: str,
    metric: str,
    model: str,
    code: str,
    n_items: int,
    statistics: Settings | None,
    **others: str,
) -> str:
    """The signature of a figure; corpus and model may be names of files, items and code as ``hashes.of_file`` says."""
    return str(Signature(task, corpus, items, protocol, metric, model, code, n_items, statistics, **others))


def parsed(text: str) -> Signature:
    """The signature that a line is. Raises InputError for a line that is none."""
    from sinobench.results.statistics.resampling import Settings

    found = re.fullmatch(_PLAIN, text.strip())
    if not found:
        raise InputError(f"'{printable(text)}' is no signature; expected {FORM}, in quotes")
    parts = {name: _unescaped(part) for name, part in found.groupdict().items() if part is not None}
    resamples, seed, level = (parts.pop(name, None) for name in ("resamples", "seed", "level"))
    settings = Settings(int(resamples), float(level or LEVEL), int(seed)) if resamples else None
    return Signature(**parts | {"n_items": int(parts["n_items"])}, statistics=settings)


def view() -> str:
    """The view with the signature of each row of ``metrics``; null where what made it is not known.

    Ids of corpora and models need no escapes, by the schemas of their catalogs; subsets hold what texts hold.
    """
    return f"""CREATE VIEW signatures AS
SELECT task, corpus, model, protocol, subset, metric,
    CASE WHEN items IS NOT NULL AND code IS NOT NULL THEN concat_ws('|',
        task,
        corpus || '@' || left(items, {DIGITS}),
        protocol,
        metric,
        CASE WHEN subset != 'all' THEN 'subset:' || {_escaped_in_sql("subset")} END,
        model || coalesce('@' || model_version, '') || '+' || left(code, {DIGITS}),
        'n:' || n_items,
        coalesce('bs:' || resamples || '/' || seed, 'bs:none'),
        CASE WHEN level != {LEVEL} THEN 'level:' || level END,
        'sinobench:' || version)
    END AS signature
FROM metrics LEFT JOIN fingerprints USING (task, corpus, model);
"""


def escaped(part: str) -> str:
    """A name as a part of a signature, by percent-encoding of what would end it."""
    return "".join(_ESCAPES.get(c, c) for c in printable(part))


def _escaped_in_sql(column: str) -> str:
    """``escaped`` of a column."""
    for c, code in _ESCAPES.items():
        column = f"replace({column}, chr({ord(c)}), '{code}')"
    return column


def _unescaped(part: str) -> str:
    from urllib.parse import unquote

    return unquote(part)
