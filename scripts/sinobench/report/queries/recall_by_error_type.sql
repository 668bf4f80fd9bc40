-- The share of errors that were corrected, and of those that were found, by how input and gold differ.
SELECT corpus, model, split_part(subset, '=', 2) AS error_type, max(n_items) AS n_errors,
    max(value) FILTER (metric = 'correction_recall') AS corrected,
    max(ci_low) FILTER (metric = 'correction_recall') AS ci_low,
    max(ci_high) FILTER (metric = 'correction_recall') AS ci_high,
    max(value) FILTER (metric = 'detection_recall') AS detected
FROM metrics
WHERE task = 'csc' AND protocol = 'strict' AND subset LIKE 'error_type=%'
GROUP BY ALL
HAVING corrected IS NOT NULL
ORDER BY corpus, model, n_errors DESC
