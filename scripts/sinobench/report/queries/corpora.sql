-- The corpora of the run: where they are from, and what they are for.
SELECT task, corpus, title, role, source, revision, licence, n_items, n_set_aside, warning,
    array_to_string(sources, ', ') AS sources
FROM corpora ORDER BY rowid
