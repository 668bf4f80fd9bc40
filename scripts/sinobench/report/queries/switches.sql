-- How many language switches of the reference have one of the model near them, and the other way round.
SELECT corpus, model, tolerance_ms / 1000 AS tolerance_s, sum(n_reference)::BIGINT AS n_reference,
    sum(n_predicted)::BIGINT AS n_predicted, sum(n_matched)::BIGINT AS n_matched,
    sum(n_matched) / nullif(sum(n_reference), 0) AS recall, sum(n_matched) / nullif(sum(n_predicted), 0) AS precision
FROM ld_switches GROUP BY corpus, model, tolerance_ms ORDER BY corpus, model
