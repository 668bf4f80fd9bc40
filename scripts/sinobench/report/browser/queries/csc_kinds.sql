SELECT item_id AS id, outcome || coalesce(': ' || error_type, '') AS kind
FROM csc_edits WHERE corpus = $corpus AND model = $model AND outcome != 'corrected';
