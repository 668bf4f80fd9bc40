-- How fast each model is on each corpus, and its headline: measured alone and repeatedly where `speeds` has it, else once.
SELECT runtime.corpus, runtime.model, metric, value,
    CASE WHEN n_repeats IS NULL THEN 'once, beside other jobs' ELSE concat('alone, ', n_repeats, ' times') END AS measured,
    coalesce(speed.items_per_s, runtime.items_per_s) AS items_per_s, items_per_s_min, items_per_s_max,
    coalesce(speed.times_real_time, runtime.times_real_time) AS times_real_time, times_real_time_min,
    times_real_time_max, coalesce(speed.n_items, n_texts) AS n_items, n_repeats, load_s, predict_s, peak_memory_mb,
    coalesce(speed.threads, runtime.threads) AS threads, coalesce(speed.host, runtime.host) AS host
FROM runtime LEFT JOIN leaderboard USING (task, corpus, model) LEFT JOIN speed USING (task, corpus, model)
WHERE runtime.task = $task AND status = 'done'
ORDER BY runtime.corpus, predict_s
