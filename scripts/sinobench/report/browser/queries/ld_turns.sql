SELECT recording, start_ms, end_ms, language FROM ld_turns WHERE corpus = $corpus ORDER BY ALL;
