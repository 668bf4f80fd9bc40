-- The language diarization error rate by the collar around the bounds of the reference.
SELECT corpus, model, collar_ms, lder, reference_ms / 1000 AS reference_s FROM ld_collars
WHERE lder IS NOT NULL ORDER BY corpus, model, collar_ms
