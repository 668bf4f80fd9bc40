CREATE VIEW csc_errors AS
SELECT e.corpus, e.model, e.item_id, i.line, e.outcome, e.error_type, e.position, e.source, e.gold, e.prediction, i.input
FROM csc_edits AS e JOIN csc_items AS i USING (corpus, item_id)
WHERE e.outcome != 'corrected';

CREATE VIEW csc_edit_summary AS
SELECT corpus, model, outcome, error_type, seed_type, count(*) AS n
FROM csc_edits GROUP BY ALL ORDER BY corpus, model, n DESC, outcome, error_type;

CREATE VIEW csc_protocol_differences AS
SELECT corpus, model, item_id, input, gold, prediction, covered, in_official,
    coalesce(official_note, 'no prediction: taken as unchanged') AS reason
FROM csc_outcomes WHERE official_note IS NOT NULL OR NOT covered;

CREATE VIEW csc_disagreements AS
WITH told AS (
    SELECT *, covered AND prediction IS NOT DISTINCT FROM gold AS is_right FROM csc_outcomes
)
SELECT corpus, item_id, input, count(*) AS n_models, count_if(is_right) AS n_right,
    coalesce(list(model ORDER BY model) FILTER (is_right), []) AS right_models,
    coalesce(list(model || ': ' || coalesce(prediction, '-') ORDER BY model) FILTER (NOT is_right), []) AS wrong_models
FROM told
GROUP BY ALL HAVING count(DISTINCT coalesce(prediction, '-')) > 1
ORDER BY ALL;

CREATE VIEW csc_over_correction_rates AS
WITH texts AS (
    SELECT corpus, model, sum(length(input) - n_gold_edits)::BIGINT AS n_right_characters
    FROM csc_outcomes GROUP BY ALL
), altered AS (
    SELECT corpus, model, count(*) AS n FROM csc_edits WHERE outcome = 'over-correction' GROUP BY ALL
)
SELECT corpus, model, n_right_characters, coalesce(n, 0) AS n_over_corrections,
    coalesce(n, 0) / nullif(n_right_characters, 0) AS rate
FROM texts LEFT JOIN altered USING (corpus, model)
ORDER BY corpus, rate, model;

CREATE VIEW csc_over_corrections AS
WITH characters AS (
    SELECT corpus, unnest(string_split(input, '')) AS source FROM csc_items
), occurrences AS (
    SELECT corpus, source, count(*) AS n_occurrences FROM characters GROUP BY ALL
)
SELECT corpus, model, source, prediction, count(*) AS n, count(DISTINCT item_id) AS n_texts,
    any_value(n_occurrences) AS n_occurrences
FROM csc_edits LEFT JOIN occurrences USING (corpus, source)
WHERE outcome = 'over-correction'
GROUP BY corpus, model, source, prediction
ORDER BY corpus, model, n DESC, source, prediction;
