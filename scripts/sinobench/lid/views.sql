CREATE VIEW lid_errors AS
SELECT corpus, model, segment_id, recording, duration_ms, language, predicted, score
FROM lid_outcomes WHERE NOT correct;
