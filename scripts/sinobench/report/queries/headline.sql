-- The headline of each model with its interval, and the official figure beside it.
SELECT corpus, model, metric, value, ci_low, ci_high, official_value, published
FROM (SELECT *, row_number() OVER () AS line FROM leaderboard)
LEFT JOIN (SELECT corpus, rowid AS place FROM corpora) USING (corpus)
WHERE task = $task AND (value IS NOT NULL OR official_value IS NOT NULL)
ORDER BY place NULLS FIRST, corpus, line
