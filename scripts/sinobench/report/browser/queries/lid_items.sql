SELECT s.segment_id AS id, s.recording, s.start_ms, s.end_ms, s.language
FROM lid_segments AS s WHERE s.corpus = $corpus ORDER BY s.recording, s.start_ms, s.segment_id;
