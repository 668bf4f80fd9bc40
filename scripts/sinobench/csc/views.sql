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
