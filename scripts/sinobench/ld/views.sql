CREATE VIEW ld_errors AS
SELECT corpus, model, recording, prediction, lder, miss_ms, false_alarm_ms, confusion_ms, reference_ms
FROM ld_recordings ORDER BY corpus, model, lder DESC NULLS LAST;
