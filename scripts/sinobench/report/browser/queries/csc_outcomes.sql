SELECT item_id AS id, prediction, covered, problem FROM csc_outcomes WHERE corpus = $corpus AND model = $model;
