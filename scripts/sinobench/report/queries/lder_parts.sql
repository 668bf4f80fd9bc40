-- The three parts of the language diarization error rate, by the collar around the bounds of the reference.
UNPIVOT (
    SELECT corpus, model, collar_ms, miss_ms / reference_ms AS miss, false_alarm_ms / reference_ms AS "false alarm",
        confusion_ms / reference_ms AS confusion
    FROM ld_collars WHERE reference_ms > 0
) ON miss, "false alarm", confusion INTO NAME part VALUE rate
ORDER BY corpus, model, collar_ms, part
