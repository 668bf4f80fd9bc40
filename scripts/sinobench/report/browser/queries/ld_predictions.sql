SELECT recording, start_ms, end_ms, language FROM ld_predictions WHERE corpus = $corpus AND model = $model ORDER BY ALL;
