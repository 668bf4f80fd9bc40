SELECT item_id AS id, text, position, labels, pos FROM g2p_items WHERE corpus = $corpus;
