"""What the pages of the report are made of: results of queries, tables, charts, sections, and pages of these."""

from __future__ import annotations

import csv
import glob
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.results.drawing import Names, read_names
from sinobench.results.reading import literal

if TYPE_CHECKING:
    import duckdb

QUERIES = Path(__file__).parent / "queries/"
DATA = "data"  # the folder of the report with a CSV file a query


@dataclass(frozen=True)
class Result:
    """The answer to a query: its SQL as it was asked, its rows, and the CSV file that has them."""

    sql: str
    columns: list[str]
    rows: list[dict]
    csv: str

    @property
    def says(self) -> str:
        """What the query asks for, in the words that it begins with."""
        lines = itertools.takewhile(lambda line: line.startswith("--"), self.sql.splitlines())
        return " ".join(line.removeprefix("--").strip() for line in lines)

    def __bool__(self) -> bool:
        return bool(self.rows)


@dataclass(frozen=True)
class Column:
    """A column of a table: the key of its values, its heading, and how they are shown (a function of ``cells``).

    chosen: readers filter by it from a list of its values.
    """

    name: str
    title: str
    kind: str = "text"
    chosen: bool = False


@dataclass(frozen=True)
class Table:
    """A table that can be sorted and searched; ``absent`` says why it is empty when it is."""

    title: str
    result: Result
    columns: Sequence[Column]
    absent: str
    kind: str = field(default="table", init=False)


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite specification over values, which are the rows of a result as people read them.

    description: what the chart shows, for those who don't see it.
    """

    title: str
    result: Result
    values: Sequence[Mapping]
    spec: Mapping
    description: str
    absent: str
    kind: str = field(default="chart", init=False)

    @property
    def name(self) -> str:
        """Of the files that it is saved as."""
        return Path(self.result.csv).stem

    @property
    def vega_lite(self) -> dict:
        """The whole specification."""
        return {"data": {"values": self.values}, "description": self.description, **self.spec}


@dataclass(frozen=True)
class Section:
    """A part of a page. ``text`` are paragraphs, ``template`` is a file of templates/ in their place."""

    id: str
    title: str
    text: Sequence[str] = ()
    blocks: Sequence[Table | Chart] = ()
    template: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    queries: Sequence[Result] = ()  # that the template shows


@dataclass(frozen=True)
class Page:
    """A file of the report. A page without a ``menu`` entry is reached by links alone."""

    path: str
    title: str
    lead: str
    sections: Sequence[Section]
    menu: str | None = None
    scripts: Sequence[str] = ()  # files of the report that it loads beside the common ones

    @property
    def has_charts(self) -> bool:
        """Whether it needs Vega."""
        return any(isinstance(block, Chart) and block.values for section in self.sections for block in section.blocks)


class Material:
    """The database to ask, the titles of its models and corpora, and the folder in which the report is made."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        folder: Path,
        measured: Sequence[str] = (),
        citation: str | Path = "CITATION.cff",
        rendered: str | Path | None = None,
    ) -> None:
        """measured: patterns of the files in which Snakemake wrote what jobs took; rendered: what it made of sound."""
        self.connection = connection
        self.folder = folder
        self.measured = [pattern for pattern in measured if glob.glob(pattern, recursive=True)]
        self.citation = citation
        self.rendered = rendered
        self.names: Names = read_names(connection, "sans-serif")
        self.origins = dict(connection.execute("SELECT corpus, origin FROM corpora").fetchall())
        self._asked: dict[str, Result] = {}

    def ask(self, query: str, **values: str | Sequence[str]) -> Result:
        """The answer to ``queries/<query>.sql`` with these values for its ``$names``, as CSV in the report too.

        A query of no files has no rows.
        """
        sql = _filled((QUERIES / f"{query}.sql").read_text(encoding="utf-8").strip(), values)
        if sql not in self._asked:
            columns, rows = [], []
            if all(values.values()):
                found = self.connection.execute(sql)
                columns = [column[0] for column in found.description]
                rows = [dict(zip(columns, row, strict=True)) for row in found.fetchall()]
            parts = [_plain(value) for value in values.values() if isinstance(value, str)]
            path = f"{DATA}/{'_'.join([query, *parts])}.csv"
            self._write_csv(path, columns, rows)
            self._asked[sql] = Result(sql, columns, rows, path)
        return self._asked[sql]

    def titled(self, result: Result) -> list[dict]:
        """Its rows with ``Model`` and ``Corpus``, the titles of their ids, and with numbers of few digits."""
        ids = {"model": ("Model", self.names.model), "corpus": ("Corpus", self.names.corpus)}
        return [
            {name: float(f"{value:.6g}") if isinstance(value, float) else value for name, value in row.items()}
            | {title: of(row[name]) for name, (title, of) in ids.items() if name in row}
            for row in result.rows
        ]

    def models(self, task: str) -> list[str]:
        """The titles of the task's models, of its published systems too, in one order for all charts."""
        found = self.connection.execute(
            """SELECT model FROM (SELECT model, rowid AS place FROM models WHERE task = $task
            UNION ALL SELECT DISTINCT model, NULL FROM published_here WHERE task = $task) ORDER BY place, model""",
            {"task": task},
        )
        return list(dict.fromkeys(self.names.model(model) for (model,) in found.fetchall()))

    def write(self, path: str, content: str) -> None:
        """Write a file of the report."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8", newline="\n")

    def answers(self) -> Iterator[Result]:
        """All results, each once."""
        yield from self._asked.values()

    def _write_csv(self, path: str, columns: Sequence[str], rows: Sequence[Mapping]) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


def _filled(sql: str, values: Mapping[str, str | Sequence[str]]) -> str:
    """The query with literals for its parameters, as people can copy and run it."""
    return re.sub(r"\$([a-z]\w*)", lambda found: _literal(values[found[1]]), sql)


def _literal(value: str | Sequence[str]) -> str:
    return literal(value) if isinstance(value, str) else f"[{', '.join(map(literal, value))}]"


def _plain(text: str) -> str:
    return re.sub(r"[^\w+.-]+", "-", text)
