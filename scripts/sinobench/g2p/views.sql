CREATE VIEW g2p_errors AS
SELECT o.corpus, o.model, i.item_id, i.line, i.text, i.position, i.character, i.pos, i.labels, o.prediction,
    o.nearest_label, o.strict_errors AS component_errors, o.problem
FROM g2p_outcomes AS o JOIN g2p_items AS i USING (corpus, item_id)
WHERE NOT o.strict_correct;

CREATE VIEW g2p_protocol_differences AS
SELECT o.corpus, o.model, i.item_id, i.line, i.text, i.position, o.prediction, o.strict_correct, o.official_correct,
    o.official_dropped, o.problem
FROM g2p_outcomes AS o JOIN g2p_items AS i USING (corpus, item_id)
WHERE o.official_dropped OR o.strict_correct != o.official_correct OR o.strict_errors != o.official_errors;

CREATE VIEW g2p_disagreements AS
SELECT o.corpus, i.item_id, i.text, i.position, i.character, i.labels, count(*) AS n_models,
    count_if(o.strict_correct) AS n_right,
    coalesce(list(o.model ORDER BY o.model) FILTER (o.strict_correct), []) AS right_models,
    coalesce(list(o.model || ': ' || coalesce(o.prediction, '-') ORDER BY o.model) FILTER (NOT o.strict_correct), [])
        AS wrong_models
FROM g2p_outcomes AS o JOIN g2p_items AS i USING (corpus, item_id)
GROUP BY ALL HAVING count(DISTINCT coalesce(o.prediction, '-')) > 1
ORDER BY ALL;
