-- Pairs of models whose headlines differ by no more than chance explains, strict protocol, p corrected after Holm.
SELECT task, corpus, comparisons.model, other, difference, comparisons.ci_low, comparisons.ci_high, p_holm, detectable, n_units
FROM comparisons JOIN (SELECT DISTINCT task, metric FROM leaderboard) USING (task, metric)
WHERE protocol = 'strict' AND subset = 'all' AND coalesce(p_holm, 1) > 1 - level AND difference IS NOT NULL
ORDER BY list_position(['g2p', 'csc', 'lid', 'ld'], task), corpus, p_holm DESC, comparisons.model, other
