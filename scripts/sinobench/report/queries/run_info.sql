-- How the database was made.
SELECT version, "commit", configs, config, built_at, python, system, n_cores, memory_mb FROM run_info
