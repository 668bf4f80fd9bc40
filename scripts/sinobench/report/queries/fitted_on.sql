-- What the fitted models of the task learnt from in this run.
SELECT model, corpus, n_pairs, n_removed_scored, n_set_aside FROM training_sets WHERE task = $task ORDER BY ALL
