-- The language diarization error rate within a distance of a language switch of the reference, and elsewhere.
SELECT corpus, model, within_s, miss_ms / nullif(reference_ms, 0) AS miss, false_alarm_ms / nullif(reference_ms, 0) AS false_alarm,
    confusion_ms / nullif(reference_ms, 0) AS confusion, lder, lder_elsewhere
FROM ld_near_switches WHERE lder IS NOT NULL ORDER BY corpus, model, within_s
