-- What became of errors, and false alarms: characters that were right and are changed (over-correction).
SELECT corpus, model, outcome, coalesce(error_type, 'a right character') AS error_type, sum(n)::BIGINT AS n
FROM csc_edit_summary GROUP BY ALL ORDER BY corpus, model, outcome, n DESC
