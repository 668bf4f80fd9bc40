-- How often English is spoken where a model gives it a probability: of its scores, log-likelihood ratios, with equal priors.
SELECT corpus, model, avg(p) AS given, avg((language = 'English')::INTEGER * weight) / avg(weight) AS spoken, count(*) AS n
FROM (
    SELECT corpus, model, language, 1 / (1 + exp(-score)) AS p,
        1 / count(*) OVER (PARTITION BY corpus, model, language) AS weight
    FROM lid_outcomes WHERE score IS NOT NULL
)
GROUP BY corpus, model, least(floor(p * 10), 9)
ORDER BY corpus, model, given
