-- Differences of each pair of models, the first less the other; p by randomization over units, and corrected after Holm.
SELECT corpus, protocol, metric, model, other, difference, ci_low, ci_high, p, p_holm, detectable, n_units, interval
FROM comparisons LEFT JOIN (SELECT corpus, rowid AS place FROM corpora) USING (corpus)
WHERE task = $task AND subset = 'all'
ORDER BY place NULLS FIRST, corpus, protocol DESC, metric, p_holm, model, other
