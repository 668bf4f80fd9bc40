-- What each model took on each corpus, as it ran in this run beside other jobs, and its headline.
SELECT runtime.corpus, runtime.model, metric, value, n_texts, load_s, predict_s, items_per_s, times_real_time,
    peak_memory_mb, threads, host
FROM runtime LEFT JOIN leaderboard USING (task, corpus, model)
WHERE runtime.task = $task AND status = 'done'
ORDER BY runtime.corpus, predict_s
