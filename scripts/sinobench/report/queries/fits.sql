-- What fitting each model of the task took, and the hours of speech that it learnt from.
SELECT model, corpora, hours, fit_s, peak_memory_mb, host FROM training WHERE task = $task
