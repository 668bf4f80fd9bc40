"""Whether figures are what their signatures say: computed anew from the items and predictions that a database holds."""

from __future__ import annotations

import importlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sinobench import __version__
from sinobench.errors import InputError, nearest
from sinobench.identity import digest_of
from sinobench.results.fingerprints import Held
from sinobench.results.reading import rows_of
from sinobench.results.signature import DIGITS, Signature
from sinobench.results.statistics.resampling import Settings
from sinobench.results.statistics.rows import metric_rows
from sinobench.results.stored import in_database, require_items

if TYPE_CHECKING:
    import duckdb

_MODEL = ("task", "corpus", "model")
_FIGURE = ("protocol", "subset", "metric")
_SETTINGS = ("resamples", "level", "seed")
_INTERVAL = ("interval", "n_units", "n_undefined")


@dataclass(frozen=True)
class Difference:
    """A part that is not as it should be.

    part: corpus, model, n, statistics, version, predictions, figure, interval or coverage; expected: what the signature
    or the database says; found: what the content gives; figure: of which one, "" for what all of a model's have.
    """

    part: str
    expected: str
    found: str
    figure: str = ""

    def __str__(self) -> str:
        of = f"{self.figure}: " if self.figure else ""
        return f"{of}{self.part} differs, expected {self.expected}, found {self.found}"


@dataclass(frozen=True)
class Verified:
    """A model on a corpus: figures, rows of ``metrics`` as computed anew, and what differs.

    hidden: why nothing can be computed anew, of a corpus whose items stay out of the database.
    """

    task: str
    corpus: str
    model: str
    figures: Sequence[Mapping]
    differences: Sequence[Difference]
    hidden: str | None = None


def verify(connection: duckdb.DuckDBPyConnection, signed: Signature) -> Verified:
    """The figure of a signature. Raises InputError, with the nearest name, for one that the database does not have, and
    where the items of its corpus stay out of the database."""
    row = _row(connection, signed)
    require_items(signed.corpus, connection)
    key = (signed.task, signed.corpus, signed.model)
    held = Held(connection)
    found = _verified(connection, held, key, [row])
    now = held.fingerprint(*key)
    n_items = found.figures[0]["n_items"] if found.figures else row["n_items"]
    settings = vars(signed.statistics) if signed.statistics else dict.fromkeys(_SETTINGS)
    parts = (
        ("corpus", signed.items, _start(now["items"])),
        ("model", _model(signed.model_version, signed.code), _model(now["model_version"], now["code"])),
        ("n", str(signed.n_items), str(n_items)),
        ("statistics", _statistics(settings), _statistics(row)),
        ("version", signed.version, __version__),
    )
    own = [Difference(part, expected, found) for part, expected, found in parts if expected != found]
    said = {(each.part, each.found) for each in own}
    others = [each for each in found.differences if (each.part, each.found) not in said]
    return Verified(*key, found.figures, [*own, *others])


def verify_all(connection: duckdb.DuckDBPyConnection) -> Iterator[Verified]:
    """All figures, of a model on a corpus at a time."""
    held = Held(connection)
    for key in connection.execute(f"SELECT DISTINCT {', '.join(_MODEL)} FROM metrics ORDER BY ALL").fetchall():
        try:
            require_items(key[1], connection)
        except InputError as error:
            yield Verified(*key, [], [], str(error))
            continue
        rows = rows_of(connection, "FROM metrics WHERE task = ? AND corpus = ? AND model = ?", key)
        yield _verified(connection, held, key, rows, whole=True)


def interval(row: Mapping) -> str:
    """Bounds, kind and units of a row of ``metrics``."""
    bounds = "" if row["ci_low"] is None else f"{_number(row['ci_low'])} to {_number(row['ci_high'])}, "
    undefined = f", undefined in {row['n_undefined']} resamples" if row["n_undefined"] else ""
    return f"{bounds}{row['interval']}, {row['n_units']} units{undefined}"


def _verified(
    connection: duckdb.DuckDBPyConnection, held: Held, key: Sequence[str], rows: Sequence[Mapping], whole: bool = False
) -> Verified:
    """Stored rows of a model on a corpus beside what is computed anew; whole: they are all that there should be."""
    task, corpus, model = key
    differences = list(_changed(connection, held, key))
    settings = Counter(tuple(row[name] for name in _SETTINGS) for row in rows).most_common(1)[0][0]
    try:
        scores = importlib.import_module(f"sinobench.{task}.stored").scores(in_database(corpus, model, connection))
        subsets = {(row["protocol"], row["subset"]) for row in rows}
        wanted = [score for score in scores if whole or (score.protocol, score.subset) in subsets]
        again = metric_rows(wanted, Settings(*settings), task=task, corpus=corpus, model=model)
    except Exception as error:
        # A job's own tables can be scored; what others put in their place may be anything.
        if not differences and not isinstance(error, InputError):
            raise
        return Verified(*key, [], [*differences, Difference("figure", "some", f"none: {error}")])
    made = {_name(row): row for row in again}
    names = [_name(row) for row in rows]
    for name, row in zip(names, rows, strict=True):
        differences += _differences(name, row, made.get(name), dict(zip(_SETTINGS, settings, strict=True)))
    if whole:
        absent = (name for name in made if name not in names)
        differences += [Difference("figure", "none", _number(made[name]["value"]), name) for name in absent]
    return Verified(*key, [made[name] for name in (made if whole else names) if name in made], differences)


def _changed(connection: duckdb.DuckDBPyConnection, held: Held, key: Sequence[str]) -> Iterator[Difference]:
    """What is not as it was when the database was made: items, predictions, the model that made them, the version."""
    now = held.fingerprint(*key)
    stored = rows_of(connection, "FROM fingerprints WHERE task = ? AND corpus = ? AND model = ?", key)
    then = stored[0] if stored else dict.fromkeys(now)
    parts = (
        ("corpus", then["items"], now["items"]),
        ("predictions", then["predictions"], now["predictions"]),
        ("model", _model(then["model_version"], then["code"]), _model(now["model_version"], now["code"])),
        ("version", then["version"], now["version"]),
    )
    for part, expected, found in parts:
        if expected != found:
            shown = (expected, found) if part in ("model", "version") else (_start(expected), _start(found))
            yield Difference(part, *map(str, shown))
    for identity in rows_of(connection, "FROM identities WHERE task = ? AND corpus = ? AND model = ?", key):
        if identity["sha256"] != (digest := digest_of(identity)):
            yield Difference("model", f"+{_start(identity['sha256'])}", f"+{_start(digest)}")


def _differences(name: str, row: Mapping, made: Mapping | None, settings: Mapping) -> Iterator[Difference]:
    """Of a stored figure from the same one computed anew."""
    if made is None:
        yield Difference("figure", _number(row["value"]), "none", name)
        return
    if row["n_items"] != made["n_items"]:
        yield Difference("n", str(row["n_items"]), str(made["n_items"]), name)
    if _statistics(row) != _statistics(settings):
        yield Difference("statistics", _statistics(row), _statistics(settings), name)
    for part, column in (("figure", "value"), ("coverage", "coverage")):
        if not _same(row[column], made[column]):
            yield Difference(part, _number(row[column]), _number(made[column]), name)
    bounds = all(_same(row[bound], made[bound]) for bound in ("ci_low", "ci_high"))
    if not bounds or any(row[column] != made[column] for column in _INTERVAL):
        yield Difference("interval", interval(row), interval(made), name)


def _row(connection: duckdb.DuckDBPyConnection, signed: Signature) -> dict:
    """The row of ``metrics``; raises InputError at the first part of the signature that has none."""
    where, values = "true", []
    for part in (*_MODEL, *_FIGURE):
        wanted = getattr(signed, part)
        query = f"SELECT DISTINCT {part} FROM metrics WHERE {where} ORDER BY ALL"
        known = [name for (name,) in connection.execute(query, values).fetchall()]
        if wanted not in known:
            of_files = "; a signature of files is verified by scoring them again" if part == "corpus" else ""
            raise InputError(
                f"the database has no figure with the {part} '{wanted}'; {nearest(wanted, known)}{of_files}"
            )
        where, values = f"{where} AND {part} = ?", [*values, wanted]
    rows = rows_of(connection, f"FROM metrics WHERE {where}", values)
    if len(rows) > 1:
        raise InputError(f"the database has {len(rows)} rows for the figure; expected one: run again")
    return rows[0]


def _name(row: Mapping) -> str:
    subset = "" if row["subset"] == "all" else f" ({row['subset']})"
    return f"{row['protocol']} {row['metric']}{subset}"


def _statistics(settings: Mapping) -> str:
    return "none" if settings["resamples"] is None else "{resamples}/{seed}, level {level}".format_map(settings)


def _model(version: str | None, code: str | None) -> str:
    return f"@{version}+{_start(code)}" if version else f"+{_start(code)}"


def _start(sha256: str | None) -> str:
    return sha256[:DIGITS] if sha256 else "none"


def _same(a: float | None, b: float | None) -> bool:
    """Up to the last digits, in which machines differ that add in another order."""
    return a is b is None or (None not in (a, b) and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12))


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.12g}"
