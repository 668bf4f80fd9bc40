-- Rows of the corpora that were set aside, and why.
SELECT task, corpus, reason, n_set_aside, meaning FROM set_aside_reasons ORDER BY ALL
