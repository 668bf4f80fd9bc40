-- How the intervals were made, and of how many figures; figures without an interval say why.
SELECT level, resamples, seed, interval, count(*) AS n FROM metrics GROUP BY ALL ORDER BY level, n DESC
