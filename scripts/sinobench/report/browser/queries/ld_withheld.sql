WITH errors AS (
    UNPIVOT (SELECT model, miss_ms AS miss, false_alarm_ms AS "false alarm", confusion_ms AS confusion
        FROM ld_recordings WHERE corpus = $corpus)
    ON miss, "false alarm", confusion INTO NAME kind VALUE ms
)
SELECT model, kind, round(sum(ms) / 1000, 1) || ' s' AS amount FROM errors GROUP BY ALL ORDER BY model, kind;
