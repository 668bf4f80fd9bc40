-- Machines and versions of packages with which models ran.
SELECT task, host, threads, versions, list_sort(list(DISTINCT model)) AS models FROM runs
WHERE status = 'done' GROUP BY ALL ORDER BY ALL
