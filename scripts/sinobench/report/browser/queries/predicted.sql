SELECT 'ld' AS task, corpus, model FROM ld_predictions JOIN corpora USING (corpus)
WHERE role = 'submission' AND confidential != 'everything' GROUP BY ALL ORDER BY ALL;
