-- What models learnt of the items that they are scored on, as declared and as measured.
SELECT task, corpus, model, kind, source, n_items, share, n_left_out FROM contamination
WHERE n_items > 0 OR n_left_out > 0 ORDER BY task, corpus, model, kind, source
