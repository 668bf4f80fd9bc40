-- Figures of whole corpora that differ between the protocols by a hundredth of a percentage point or more.
SELECT corpus, model, metric, max(value) FILTER (protocol = 'strict') AS strict,
    max(value) FILTER (protocol = 'official') AS official, official - strict AS difference
FROM metrics
WHERE task = $task AND subset = 'all'
GROUP BY ALL HAVING abs(official - strict) >= 0.0001
ORDER BY abs(difference) DESC, corpus, model, metric
