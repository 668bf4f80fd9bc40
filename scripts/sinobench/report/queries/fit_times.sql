-- What fitting each model of the task took, from the files that Snakemake wrote of the jobs.
SELECT regexp_extract(filename, '([^/]+)\.jsonl$', 1) AS model, sum(s) / 3600 AS hours, max(max_rss) AS memory_mb
FROM read_json($files, columns = {s: 'DOUBLE', max_rss: 'DOUBLE'}, format = 'newline_delimited', filename = true,
    ignore_errors = true)
WHERE contains(filename, '/fit_' || $task || '/')
GROUP BY model ORDER BY model
