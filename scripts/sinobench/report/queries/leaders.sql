-- The headline of every model on every corpus, best first.
SELECT task, corpus, rank, model, metric, value, ci_low, ci_high, official_value, n_items, coverage, published, failure
FROM leaderboard
ORDER BY task, corpus, published, rank NULLS LAST, model
