-- The smallest differences that a corpus shows with 80 % power: of models on the same items, and on others.
SELECT corpus, protocol, metric, n_units, n_pairs, paired, unpaired, power
FROM detectable_differences LEFT JOIN (SELECT corpus, rowid AS place FROM corpora) USING (corpus)
WHERE task = $task AND subset = 'all'
ORDER BY place NULLS FIRST, corpus, protocol DESC, metric
