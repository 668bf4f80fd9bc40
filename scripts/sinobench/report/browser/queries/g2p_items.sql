SELECT item_id AS id, text, position, coalesce(labels, []) AS labels, pos FROM g2p_items WHERE corpus = $corpus;
