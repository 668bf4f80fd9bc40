-- Accuracy and EER of segments by their duration in seconds.
SELECT corpus, model, split_part(subset, '=', 2) AS duration_s, max(n_items) AS n_segments,
    max(value) FILTER (metric = 'accuracy') AS accuracy, max(ci_low) FILTER (metric = 'accuracy') AS ci_low,
    max(ci_high) FILTER (metric = 'accuracy') AS ci_high, max(value) FILTER (metric = 'eer') AS eer
FROM metrics
WHERE task = 'lid' AND protocol = 'strict' AND subset LIKE 'duration_s=%'
GROUP BY ALL ORDER BY corpus, model, duration_s
