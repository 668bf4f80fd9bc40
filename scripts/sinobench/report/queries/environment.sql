-- The packages with which the database was made.
SELECT split_part(package, ' ', 1) AS package, split_part(package, ' ', 2) AS version
FROM (SELECT unnest(packages) AS package FROM run_info) ORDER BY lower(package)
