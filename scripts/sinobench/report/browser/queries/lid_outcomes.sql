SELECT s.segment_id AS id, s.recording, s.start_ms, s.end_ms, round(o.score, 3) AS score, o.predicted, o.correct
FROM lid_segments AS s
LEFT JOIN lid_outcomes AS o ON o.corpus = s.corpus AND o.segment_id = s.segment_id AND o.model = $model
WHERE s.corpus = $corpus ORDER BY s.recording, s.start_ms, s.segment_id;
