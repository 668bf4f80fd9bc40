"""A corpus of a run in place of a gold file, and the models of that run: from its database."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.commands.standard_input import readable
from sinobench.errors import InputError, nearest
from sinobench.results.reading import DATABASE, opened

if TYPE_CHECKING:
    import duckdb

    from sinobench.commands.scored import System
    from sinobench.results.stored import Stored

_OTHERS = "*/sinobench.duckdb"  # beside DATABASE, of runs with another config


def add_corpus(parser: argparse.ArgumentParser, gold: str, metavar: str, about: str, required: bool = True) -> None:
    """The option that names the gold file, and in its place ``--corpus`` with ``--database``."""
    wanted = parser.add_mutually_exclusive_group(required=required)
    wanted.add_argument(gold, metavar=metavar, help=about)
    wanted.add_argument("--corpus", metavar="CORPUS", help=f"of a run or the catalog, in place of {gold}")
    about = f"of that run; else {DATABASE}, then results/{_OTHERS}, then what was retrieved"
    parser.add_argument("--database", metavar="FILE", help=about)


def add_systems(parser: argparse.ArgumentParser, metavar: str, about: str, suffix: str = "") -> None:
    """The systems that are compared; suffix: of what stands on standard input."""
    about = f"{about}; with --corpus models of the run too, all of them where none is named; '-': standard input"
    parser.add_argument("systems", nargs="*", type=partial(readable, suffix=suffix), metavar=metavar, help=about)


def refuse_lone_database(options: argparse.Namespace) -> None:
    """InputError for a database without a corpus."""
    if options.corpus is None and options.database is not None:
        raise InputError("--database goes with --corpus, which is missing")


@dataclass(frozen=True)
class Corpus:
    """A corpus, or a pool, of the task in a database."""

    task: str
    name: str
    database: str | Path
    connection: duckdb.DuckDBPyConnection

    def models(self) -> list[str]:
        """Those that are scored on it, by name."""
        query = "SELECT DISTINCT model FROM metrics WHERE task = ? AND corpus = ? ORDER BY model"
        return [model for (model,) in self.connection.execute(query, [self.task, self.name]).fetchall()]

    def has_figures_alone(self) -> bool:
        """Whether all else of it is confidential."""
        found = self.connection.execute("SELECT confidential FROM corpora WHERE corpus = ?", [self.name]).fetchone()
        return bool(found) and found[0] == "everything"

    def settings(self) -> dict[str, float]:
        """The settings of its stored intervals, none where nothing is scored."""
        query = "SELECT max(resamples), max(level), max(seed) FROM metrics WHERE task = ? AND corpus = ?"
        found = self.connection.execute(query, [self.task, self.name]).fetchone()
        return {
            name: value for name, value in zip(("resamples", "level", "seed"), found, strict=True) if value is not None
        }

    def system(self, named: str) -> System:
        """The figures of a model of the run, or of a file of predictions for its corpus.

        Raises InputError for what is both or neither, and for a file that can't be laid beside the corpus.
        """
        is_file, is_model = Path(named).exists(), named in self.models()
        if is_file and is_model:
            raise InputError(f"'{named}' is a file and a model of the run; write ./{named} for the file")
        if not is_file and not is_model:
            hint = nearest(named, self.models())
            raise InputError(
                f"'{named}' is no file, and no model that has predictions for '{self.name}' in {self.database}; {hint}"
            )
        return self.of_model(named) if is_model else self.of_file(named)

    def of_model(self, model: str) -> System:
        """The figures of a model of the run."""
        from sinobench.commands.scored import Source

        query = "SELECT items, code, model_version FROM fingerprints WHERE task = ? AND corpus = ? AND model = ?"
        found = self.connection.execute(query, [self.task, self.name, model]).fetchone()
        items, code, version = found or (None, None, None)
        signed = {"corpus": Source(self.name, items), "model": Source(model, code, version or "")}
        return replace(self._module.of_stored(self._stored(model)), key=(self.name, model), **signed)

    def of_file(self, path: str) -> System:
        """The figures of a file of predictions."""
        from sinobench.commands.scored import Source
        from sinobench.results.fingerprints import Held

        system = self._module.of_stored_and_file(self._stored(""), path)
        held = Held(self.connection).fingerprint(self.task, self.name, "")
        return replace(system, key=(self.name,), corpus=Source(self.name, held["items"]), model=Source.of(path))

    def _stored(self, model: str) -> Stored:
        from sinobench.results.stored import in_database, require_items

        require_items(self.name, self.connection)
        return in_database(self.name, model, self.connection)

    @property
    def _module(self):
        return import_module(f"sinobench.{self.task}.command")


@contextlib.contextmanager
def corpus_of(options: argparse.Namespace, task: str, items: str) -> Iterator[Corpus]:
    """The corpus that the options name, whose rows stand in the table ``items``: of a run, else of the catalog.

    Raises InputError, with where it looked, where neither a database of a run nor the catalog has it.
    """
    import duckdb

    from sinobench.commands import retrieved

    looked: list[Path] = [Path(options.database)] if options.database else _databases()
    known: set[str] = set()
    for path in looked:
        with opened(path) as connection:
            try:
                found = _corpora(connection, task, items)
                if options.corpus in found:
                    yield Corpus(task, options.corpus, path, connection)
                    return
            except (duckdb.CatalogException, duckdb.BinderException):
                raise InputError("was made by another version of sinobench; run it again", path) from None
            known.update(found)
    others = {} if options.database else retrieved.catalogued(task)
    if options.corpus in others:
        with retrieved.as_database(options.corpus, others[options.corpus]) as path, opened(path) as connection:
            yield Corpus(task, options.corpus, retrieved.RETRIEVED, connection)
            return
    known.update(others)
    where = f"not in {', '.join(map(str, looked))}" if looked else f"there is no {DATABASE} and no results/{_OTHERS}"
    hint = f"; {nearest(options.corpus, known)}" if known else ""
    raise InputError(
        f"no corpus '{options.corpus}' of {task}: {where}{hint}; run a config that has it, or name its --database"
    )


def _databases() -> list[Path]:
    first = Path(DATABASE)
    others = sorted(first.parent.glob(_OTHERS), key=lambda path: (-path.stat().st_mtime, path))
    return [path for path in (first, *others) if path.exists()]


def _corpora(connection: duckdb.DuckDBPyConnection, task: str, items: str) -> Sequence[str]:
    # Pools have no items of their own, and those of a confidential corpus stay out of the database.
    query = f"SELECT corpus FROM {items} UNION SELECT corpus FROM metrics WHERE task = ? ORDER BY ALL"
    return [corpus for (corpus,) in connection.execute(query, [task]).fetchall()]
