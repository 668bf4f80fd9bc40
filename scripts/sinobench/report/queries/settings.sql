-- How the intervals were made.
SELECT DISTINCT level, resamples, seed FROM metrics WHERE level IS NOT NULL ORDER BY ALL
