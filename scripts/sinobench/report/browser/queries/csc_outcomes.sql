WITH wrong AS (
    SELECT item_id, list_sort(list(DISTINCT outcome || coalesce(': ' || error_type, ''))) AS kinds
    FROM csc_edits WHERE corpus = $corpus AND model = $model AND outcome != 'corrected' GROUP BY item_id
)
SELECT o.prediction, o.gold, wrong.kinds, o.covered, o.problem
FROM csc_items AS i
LEFT JOIN csc_outcomes AS o ON o.corpus = i.corpus AND o.item_id = i.item_id AND o.model = $model
LEFT JOIN wrong ON wrong.item_id = i.item_id
WHERE i.corpus = $corpus ORDER BY i.line, i.item_id;
