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

CREATE VIEW contaminated AS
SELECT task, corpus, model, list(DISTINCT source ORDER BY source) AS sources,
    string_agg(CASE kind WHEN 'declared' THEN source
        ELSE format('{}: {} of {} items in {}', kind, n_items, n_corpus_items, source) END, '; ' ORDER BY kind, source)
        AS learnt
FROM contamination WHERE n_items > 0
GROUP BY ALL ORDER BY ALL;

-- Figures over the items of a corpus in which nothing of the training corpora stands, beside those over all.
CREATE VIEW without_overlap AS
SELECT a.task, a.corpus, a.model, a.protocol, a.metric, a.value AS value_all, b.value, b.ci_low, b.ci_high,
    a.n_items AS n_items_all, b.n_items
FROM metrics AS a JOIN metrics AS b USING (task, corpus, model, protocol, metric)
WHERE a.subset = 'all' AND b.subset = 'overlap=none';

-- A corpus that is predicted in shards has a row of runs for each of them.
CREATE VIEW runtime AS
SELECT task, corpus, model, sum(n_texts) AS n_texts, sum(load_s) AS load_s, sum(predict_s) AS predict_s,
    sum(n_texts) / nullif(sum(predict_s), 0) AS items_per_s, sum(audio_s) AS audio_s,
    sum(audio_s) / nullif(sum(predict_s), 0) AS times_real_time, max(peak_memory_mb) AS peak_memory_mb,
    max(threads) AS threads, min(host) AS host, min(versions) AS versions, max(status) AS status, min(reason) AS reason
FROM runs GROUP BY task, corpus, model ORDER BY task, corpus, predict_s;

-- What was measured of a model that is no longer the run's says nothing of that one.
CREATE VIEW speed AS
WITH repeats AS (
    SELECT *, n_items / nullif(predict_s, 0) AS items, audio_s / nullif(predict_s, 0) AS real_time
    FROM speeds SEMI JOIN identities USING (task, corpus, model, sha256)
)
SELECT task, corpus, model, count(*) AS n_repeats, max(n_items) AS n_items, median(items) AS items_per_s,
    min(items) AS items_per_s_min, max(items) AS items_per_s_max, median(real_time) AS times_real_time,
    min(real_time) AS times_real_time_min, max(real_time) AS times_real_time_max, max(threads) AS threads,
    min(host) AS host
FROM repeats GROUP BY task, corpus, model ORDER BY task, corpus, items_per_s DESC;

CREATE VIEW training AS
WITH sets AS (
    SELECT task, model, list(corpus ORDER BY corpus) AS corpora, sum(n_pairs)::BIGINT AS n_pairs, sum(hours) AS hours
    FROM training_sets GROUP BY ALL
)
SELECT task, model, corpora, n_pairs, hours, fit_s, peak_memory_mb, host
FROM sets FULL JOIN fits USING (task, model)
ORDER BY task, fit_s DESC, model;

-- What was set aside, a row a corpus and reason.
CREATE VIEW set_aside_reasons AS
SELECT task, corpus, reason, count(*) AS n_set_aside, any_value(meaning) AS meaning
FROM set_aside LEFT JOIN reasons USING (reason)
GROUP BY ALL ORDER BY ALL;
