"""What models learnt of the items that they are evaluated on: as declared, and as measured of training corpora."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sinobench.results.reading import rows_of

if TYPE_CHECKING:
    import duckdb

_EVALUATED = """
WITH evaluated AS (
    SELECT task, corpus, model FROM runs UNION SELECT task, corpus, model FROM metrics
    UNION SELECT task, corpus, model FROM published
), parts AS (  -- of a pool its corpora, of a corpus itself
    SELECT pools.corpus, part, n_items FROM pools JOIN corpora ON corpora.corpus = part
    UNION ALL SELECT corpus, corpus, n_items FROM corpora
), sizes AS (
    SELECT corpus, sum(n_items)::BIGINT AS n_corpus_items FROM parts GROUP BY corpus
), learnt AS (
    SELECT task, model, unnest(training_data) AS source FROM models
    UNION SELECT task, model, unnest(string_split(training_data, '; ')) FROM published
)
"""
_DECLARED = """, taken_from AS (
    SELECT corpus AS part, unnest(list_distinct(list_prepend(corpus, sources))) AS source FROM corpora
), declared AS (
    SELECT task, corpus, model, 'declared' AS kind, source, sum(n_items)::BIGINT AS n_items
    FROM evaluated JOIN parts USING (corpus) JOIN taken_from USING (part) JOIN learnt USING (task, model, source)
    GROUP BY ALL
)
SELECT *, n_corpus_items, n_items / nullif(n_corpus_items, 0) AS share
FROM declared JOIN sizes USING (corpus) ORDER BY task, corpus, model, source
"""
_CSC = """, training AS (
    SELECT model, corpus AS source, true AS fitted FROM training_sets WHERE task = 'csc'
    UNION ALL
    SELECT model, learnt.source, false FROM learnt JOIN corpora ON corpora.corpus = learnt.source
    WHERE learnt.task = 'csc' AND role = 'training'
        AND (model, learnt.source) NOT IN (SELECT (model, corpus) FROM training_sets WHERE task = 'csc')
), measured AS (
    SELECT evaluated.*, training.source, fitted
    FROM evaluated JOIN corpora USING (corpus) JOIN training USING (model)
    WHERE evaluated.task = 'csc' AND role = 'scored'
), kinds AS (
    SELECT unnest([['same items', 'same item'], ['n-gram', 'n-gram']]) AS named
)
SELECT measured.task, measured.corpus, model, named[1] AS kind, measured.source,
    count(*) FILTER (CASE WHEN fitted THEN in_fit ELSE in_file END = named[2]) AS n_items,
    CASE WHEN fitted THEN count(*) FILTER (in_file = named[2] AND in_fit IS DISTINCT FROM named[2]) END AS n_left_out,
    any_value(n_corpus_items) AS n_corpus_items, n_items / nullif(any_value(n_corpus_items), 0) AS share
FROM measured CROSS JOIN kinds JOIN sizes USING (corpus)
LEFT JOIN csc_overlaps AS o ON o.corpus = measured.corpus AND training_corpus = measured.source
GROUP BY measured.task, measured.corpus, model, named, measured.source, fitted
ORDER BY ALL
"""
_SPEECH = """, told AS (
    SELECT corpus AS source, 'same recordings' AS kind, recording AS name FROM merlion_training
    UNION SELECT corpus, 'same speakers', speaker FROM merlion_training
), heard AS (
    SELECT corpus, recording, 'same recordings' AS kind, recording AS name FROM merlion_recordings
    UNION SELECT corpus, recording, 'same speakers', pair FROM merlion_recordings
), met AS (
    SELECT DISTINCT corpus, recording, kind, source FROM heard JOIN told USING (kind, name)
), measured AS (
    SELECT DISTINCT evaluated.*, kind, source FROM evaluated JOIN learnt USING (task, model) JOIN told USING (source)
)
SELECT task, measured.corpus, model, measured.kind, measured.source, count(recording) AS n_items,
    any_value(n_corpus_items) AS n_corpus_items, n_items / nullif(any_value(n_corpus_items), 0) AS share
FROM measured JOIN sizes USING (corpus) LEFT JOIN met USING (corpus, kind, source)
GROUP BY ALL ORDER BY ALL
"""


def rows(connection: duckdb.DuckDBPyConnection) -> list[dict]:
    """The rows of ``contamination``, of a database that has all other tables."""
    return [row for query in (_DECLARED, _CSC, _SPEECH) for row in rows_of(connection, _EVALUATED + query)]
