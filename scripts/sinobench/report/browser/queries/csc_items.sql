SELECT item_id AS id, input AS text, coalesce(golds, []) AS golds FROM csc_items WHERE corpus = $corpus;
