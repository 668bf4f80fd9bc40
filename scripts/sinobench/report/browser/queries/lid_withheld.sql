SELECT model, language || ' taken for ' || predicted AS kind, count(*)::VARCHAR AS amount
FROM lid_outcomes WHERE corpus = $corpus AND NOT correct GROUP BY ALL ORDER BY model, kind;
