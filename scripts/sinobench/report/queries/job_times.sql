-- Seconds and memory of the run's jobs, by rule, from the files that Snakemake wrote of them.
SELECT regexp_extract(filename, 'benchmarks/([^/.]+)', 1) AS rule, count(*) AS jobs, sum(s) AS total_s, max(s) AS longest_s,
    max(max_rss) AS most_memory_mb
FROM read_json($files, columns = {s: 'DOUBLE', max_rss: 'DOUBLE'}, format = 'newline_delimited', filename = true,
    ignore_errors = true)
GROUP BY rule ORDER BY total_s DESC
