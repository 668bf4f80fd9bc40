SELECT recording, protocol, start_ms, end_ms FROM merlion_regions WHERE corpus = $corpus ORDER BY ALL;
