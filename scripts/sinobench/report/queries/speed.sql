-- What each model took on each corpus, all its parts together, as it ran in this run beside other jobs; and its headline.
WITH took AS (
    SELECT task, corpus, model, sum(n_texts)::BIGINT AS n_texts, max(load_s) AS load_s, sum(predict_s) AS predict_s,
        sum(n_texts) / nullif(sum(predict_s), 0) AS items_per_s,
        sum(audio_s) / nullif(sum(predict_s), 0) AS times_real_time, max(peak_memory_mb) AS peak_memory_mb,
        max(threads) AS threads, min(host) AS host
    FROM runs WHERE status = 'done' GROUP BY ALL
)
SELECT took.* EXCLUDE (task), metric, value FROM took LEFT JOIN leaderboard USING (task, corpus, model)
WHERE task = $task
ORDER BY corpus, predict_s
