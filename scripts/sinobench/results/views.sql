-- The views of results/sinobench.duckdb that no board makes. Values are fractions; a rank is among the runs of one
-- corpus, one more than the models that are better by more than chance; published rows have none and stand only for the
-- corpora and pools of this run. A model without results stands there with its failure, the reason, and no rank.

CREATE VIEW published_here AS
FROM published WHERE corpus IN (SELECT corpus FROM corpora UNION ALL SELECT corpus FROM metrics);

CREATE VIEW failed_runs AS
SELECT runs.task, corpus, model, min(reason) AS failure
FROM runs LEFT JOIN corpora USING (corpus)
WHERE status = 'failed' AND role IS DISTINCT FROM 'submission'
GROUP BY ALL;

CREATE VIEW runtime AS
SELECT task, corpus, model, n_texts, load_s, predict_s, items_per_s, audio_s, times_real_time, peak_memory_mb,
    threads, host, versions, status, reason
FROM runs ORDER BY task, corpus, predict_s;

-- What was set aside, a row a corpus and reason.
CREATE VIEW set_aside_reasons AS
SELECT task, corpus, reason, count(*) AS n_set_aside, any_value(meaning) AS meaning
FROM set_aside LEFT JOIN reasons USING (reason)
GROUP BY ALL ORDER BY ALL;
