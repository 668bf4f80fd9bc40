SELECT item_id AS id, prediction, nearest_label, strict_correct, problem
FROM g2p_outcomes WHERE corpus = $corpus AND model = $model;
