"""The comparison of all models on a confidential corpus: of it a database has figures alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sinobench.commands.scored import PROTOCOLS
from sinobench.results.reading import rows_of

if TYPE_CHECKING:
    from sinobench.commands.runs import Corpus

_BOUNDS = {"low": "ci_low", "high": "ci_high", "kind": "interval", "n_units": "n_units", "n_undefined": "n_undefined"}


def stored_systems(corpus: Corpus, headline: str) -> list[dict]:
    """Of each model what a comparison shows of it: figures and intervals, and the headline's signatures."""
    rows, signed = _rows(corpus, "metrics"), _rows(corpus, "signatures")
    systems = []
    for model in corpus.models():
        system: dict = {"system": model} | dict.fromkeys(PROTOCOLS) | {"intervals": {}, "signatures": {}}
        for protocol in PROTOCOLS:
            if of := [row for row in rows if (row["model"], row["protocol"]) == (model, protocol)]:
                system[protocol] = {"n_items": max(row["n_items"] for row in of), "coverage": of[0]["coverage"]}
                system[protocol] |= {row["metric"]: row["value"] for row in of}
                system["intervals"][protocol] = {
                    row["metric"]: {name: row[column] for name, column in _BOUNDS.items()} for row in of
                }
        for row in signed:
            if (row["model"], row["metric"]) == (model, headline) and row["signature"]:
                system["signatures"][row["protocol"]] = row["signature"]
        systems.append(system)
    return systems


def stored_contest(corpus: Corpus) -> list[list[dict]]:
    """Rows of ``comparisons``, ``ranks`` and ``detectable_differences``."""
    return [_rows(corpus, table) for table in ("comparisons", "ranks", "detectable_differences")]


def _rows(corpus: Corpus, table: str) -> list[dict]:
    query = f"FROM {table} WHERE task = ? AND corpus = ? AND subset = 'all'"
    return rows_of(corpus.connection, query, [corpus.task, corpus.name])
