-- The headline over all items, and over those without overlap.
SELECT task, corpus, model, protocol, metric, value_all, value, ci_low, ci_high, n_items_all, n_items
FROM without_overlap SEMI JOIN leaderboard USING (task, metric) ORDER BY task, corpus, model, protocol DESC
