-- What models were fitted on: rows taken, and those left out since they stand in a scored corpus or can't be used.
SELECT task, model, corpus, n_pairs, n_removed_scored, n_set_aside FROM training_sets ORDER BY ALL
