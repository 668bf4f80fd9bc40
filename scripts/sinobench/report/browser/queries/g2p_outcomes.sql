SELECT o.prediction, o.nearest_label, o.strict_correct, o.problem
FROM g2p_items AS i LEFT JOIN g2p_outcomes AS o ON o.corpus = i.corpus AND o.item_id = i.item_id AND o.model = $model
WHERE i.corpus = $corpus ORDER BY i.line, i.item_id;
