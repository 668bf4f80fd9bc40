-- The best of each corpus by the headline of its task, strict protocol; the models that can't be told apart from it, and
-- the best of the others.
WITH own AS (
    SELECT *, if(metric = 'correction_f1', -value, value) AS place FROM leaderboard WHERE NOT published AND value IS NOT NULL
), best AS (
    SELECT DISTINCT ON (task, corpus) task, corpus, metric, model, value, ci_low, ci_high, n_items, trust,
        string_split(replace(nullif(tied_with, ''), ' ', ''), ',') AS tied
    FROM own ORDER BY task, corpus, rank, place, model
), next AS (
    SELECT DISTINCT ON (task, corpus) task, corpus, own.model AS next_model, own.value AS next_value,
        own.ci_low AS next_ci_low, own.ci_high AS next_ci_high
    FROM own JOIN best USING (task, corpus)
    WHERE own.model != best.model AND NOT list_contains(coalesce(tied, []), own.model)
    ORDER BY task, corpus, place, own.model
)
SELECT best.*, next.* EXCLUDE (task, corpus)
FROM best LEFT JOIN next USING (task, corpus)
LEFT JOIN (SELECT corpus, rowid AS place FROM corpora) USING (corpus)
ORDER BY task, place NULLS FIRST, corpus
