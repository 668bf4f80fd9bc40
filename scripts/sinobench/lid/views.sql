CREATE VIEW lid_errors AS
SELECT o.corpus, o.model, o.segment_id, o.recording, s.start_ms, s.end_ms, o.duration_ms, o.language, o.predicted, o.score,
    r.path
FROM lid_outcomes AS o
JOIN lid_segments AS s USING (corpus, segment_id)
LEFT JOIN merlion_recordings AS r ON r.corpus = o.corpus AND r.recording = o.recording
WHERE NOT o.correct;

CREATE VIEW lid_disagreements AS
SELECT o.corpus, o.segment_id, o.recording, s.start_ms, s.end_ms, o.language, count(*) AS n_models,
    count_if(o.correct) AS n_right,
    coalesce(list(o.model ORDER BY o.model) FILTER (o.correct), []) AS right_models,
    coalesce(list(o.model ORDER BY o.model) FILTER (NOT o.correct), []) AS wrong_models
FROM lid_outcomes AS o JOIN lid_segments AS s USING (corpus, segment_id)
GROUP BY ALL HAVING n_right BETWEEN 1 AND n_models - 1
ORDER BY ALL;
