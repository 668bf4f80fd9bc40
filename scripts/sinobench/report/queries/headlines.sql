-- The headline of every model on every corpus, best first; then published figures, which have no rank.
SELECT task, corpus, rank, model, tied_with, metric, value, ci_low, ci_high, official_value, n_items, coverage, published,
    trust, contaminated, failure
FROM (SELECT *, row_number() OVER () AS line FROM leaderboard)
LEFT JOIN (SELECT corpus, rowid AS place FROM corpora) USING (corpus)
ORDER BY list_position(['g2p', 'csc', 'lid', 'ld'], task), place NULLS FIRST, corpus, line
