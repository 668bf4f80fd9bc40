SELECT recording, start_ms, end_ms, label FROM merlion_redactions WHERE corpus = $corpus
UNION ALL SELECT recording, start_ms, end_ms, 'tone without a redaction' FROM merlion_tone
WHERE corpus = $corpus AND NOT mentioned ORDER BY ALL;
