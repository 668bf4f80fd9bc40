-- The 25 most frequent confusions of each corpus and model, and their share of what was expected.
SELECT corpus, model, component, expected, predicted, n, share FROM (
    SELECT *, n / sum(n) OVER (PARTITION BY corpus, model, component, expected) AS share,
        row_number() OVER (PARTITION BY corpus, model, expected IS NOT DISTINCT FROM predicted ORDER BY n DESC) AS place
    FROM g2p_confusions
)
WHERE expected IS DISTINCT FROM predicted AND place <= 25
ORDER BY n DESC, corpus, model, component, expected, predicted
