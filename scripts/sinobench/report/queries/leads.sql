-- The best of each corpus by the headline of its task, and the model that comes next; strict protocol.
WITH own AS (
    SELECT * FROM leaderboard WHERE NOT published AND value IS NOT NULL
), first AS (
    SELECT task, corpus, any_value(metric) AS metric, list(model ORDER BY model) AS models, any_value(value) AS value,
        any_value(ci_low) AS ci_low, any_value(ci_high) AS ci_high, any_value(n_items) AS n_items
    FROM own WHERE rank = 1 GROUP BY task, corpus
), next AS (
    SELECT DISTINCT ON (task, corpus) task, corpus, model AS next_model, value AS next_value, ci_low AS next_ci_low,
        ci_high AS next_ci_high
    FROM own WHERE rank > 1 ORDER BY task, corpus, rank, model
)
SELECT first.*, next.* EXCLUDE (task, corpus)
FROM first LEFT JOIN next USING (task, corpus)
LEFT JOIN (SELECT corpus, rowid AS place FROM corpora) USING (corpus)
ORDER BY task, place NULLS FIRST, corpus
