SELECT recording, duration_ms FROM merlion_recordings WHERE corpus = $corpus ORDER BY recording;
