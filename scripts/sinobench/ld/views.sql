CREATE VIEW ld_errors AS
SELECT corpus, model, recording, prediction, lder, miss_ms, false_alarm_ms, confusion_ms, reference_ms
FROM ld_recordings ORDER BY corpus, model, lder DESC NULLS LAST;

-- Stretches of a recording in which nothing changes, of what strict scores; R and H are the languages of reference and
-- prediction, as numbers of bits 1 for English and 2 for Mandarin. See ld/metrics.py, strict_counts.
CREATE VIEW ld_stretches AS
WITH scored AS (
    SELECT DISTINCT corpus, model, recording FROM ld_recordings
), spans AS (
    SELECT corpus, model, recording, start_ms, end_ms, 1 AS side, language
    FROM scored JOIN ld_turns USING (corpus, recording) WHERE language IN ('English', 'Mandarin')
    UNION ALL
    SELECT corpus, model, recording, start_ms, end_ms, 2, language
    FROM ld_predictions SEMI JOIN scored USING (corpus, model, recording) WHERE language IN ('English', 'Mandarin')
    UNION ALL
    SELECT corpus, model, recording, start_ms, end_ms, 3, NULL
    FROM scored JOIN merlion_regions USING (corpus, recording) WHERE protocol = 'strict'
), bounds AS (
    SELECT *, start_ms AS at_ms, 1 AS step FROM spans WHERE start_ms < end_ms
    UNION ALL
    SELECT *, end_ms, -1 FROM spans WHERE start_ms < end_ms
), steps AS (
    SELECT corpus, model, recording, at_ms,
        sum(step) FILTER (side = 1 AND language = 'English') AS r1,
        sum(step) FILTER (side = 1 AND language = 'Mandarin') AS r2,
        sum(step) FILTER (side = 2 AND language = 'English') AS h1,
        sum(step) FILTER (side = 2 AND language = 'Mandarin') AS h2,
        sum(step) FILTER (side = 3) AS s
    FROM bounds GROUP BY ALL
), states AS (
    SELECT corpus, model, recording, at_ms, lead(at_ms) OVER later AS next_ms,
        (coalesce(sum(r1) OVER sofar, 0) > 0)::INT + 2 * (coalesce(sum(r2) OVER sofar, 0) > 0)::INT AS r,
        (coalesce(sum(h1) OVER sofar, 0) > 0)::INT + 2 * (coalesce(sum(h2) OVER sofar, 0) > 0)::INT AS h,
        coalesce(sum(s) OVER sofar, 0) > 0 AS is_scored
    FROM steps
    WINDOW later AS (PARTITION BY corpus, model, recording ORDER BY at_ms),
        sofar AS (later ROWS UNBOUNDED PRECEDING)
), runs_of_one AS (
    SELECT *, sum(is_new::INT) OVER (PARTITION BY corpus, model, recording ORDER BY at_ms) AS number FROM (
        SELECT *, (r, h, is_scored) IS DISTINCT FROM lag((r, h, is_scored)) OVER (
            PARTITION BY corpus, model, recording ORDER BY at_ms) AS is_new
        FROM states)
), stretches AS (
    SELECT corpus, model, recording, min(at_ms) AS start_ms, max(next_ms) AS end_ms, any_value(r) AS r, any_value(h) AS h,
        bit_count(any_value(r)) AS n_r, bit_count(any_value(h)) AS n_h, bit_count(any_value(r & h)) AS n_both
    FROM runs_of_one WHERE is_scored
    GROUP BY corpus, model, recording, number
)
SELECT corpus, model, recording, start_ms, end_ms,
    [NULL, 'English', 'Mandarin', 'both'][r + 1] AS reference,
    [NULL, 'English', 'Mandarin', 'both'][h + 1] AS predicted,
    CASE WHEN n_r > n_h THEN 'miss' WHEN n_h > n_r THEN 'false alarm' WHEN n_r > n_both THEN 'confusion' END AS error,
    (end_ms - start_ms) * (greatest(n_r, n_h) - n_both) AS error_ms,
    (end_ms - start_ms) * n_r AS reference_ms
FROM stretches
ORDER BY corpus, model, recording, start_ms;

CREATE VIEW ld_error_stretches AS
SELECT corpus, model, recording, start_ms, end_ms, error, reference, predicted, error_ms
FROM ld_stretches WHERE error IS NOT NULL
ORDER BY corpus, model, recording, start_ms;

-- The reference's alone, so of the stretches of any one model.
CREATE VIEW ld_switch_points AS
WITH of_one AS (
    SELECT *, start_ms IS DISTINCT FROM lag(end_ms) OVER (PARTITION BY corpus, recording ORDER BY start_ms) AS is_apart
    FROM ld_stretches SEMI JOIN (SELECT corpus, min(model) AS model FROM ld_recordings GROUP BY corpus) USING (corpus, model)
), numbered AS (
    SELECT *, sum(is_apart::INT) OVER (PARTITION BY corpus, recording ORDER BY start_ms) AS number FROM of_one
), spoken AS (
    SELECT *, lag(reference) OVER (PARTITION BY corpus, recording, number ORDER BY start_ms) AS former
    FROM numbered WHERE reference IN ('English', 'Mandarin')
)
SELECT corpus, recording, start_ms AS at_ms, former AS from_language, reference AS to_language
FROM spoken WHERE former != reference
ORDER BY ALL;

CREATE VIEW ld_near_switches AS
WITH zones AS (
    SELECT corpus, recording, unnest([500, 1000, 2000]) AS within_ms, at_ms - within_ms AS start_ms, at_ms + within_ms AS end_ms
    FROM ld_switch_points
), opened AS (
    SELECT *, start_ms > max(end_ms) OVER (PARTITION BY corpus, recording, within_ms ORDER BY start_ms
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS is_apart
    FROM zones
), numbered AS (
    SELECT *, sum(coalesce(is_apart, true)::INT) OVER (PARTITION BY corpus, recording, within_ms ORDER BY start_ms) AS number
    FROM opened
), joined AS (
    SELECT corpus, recording, within_ms, min(start_ms) AS start_ms, max(end_ms) AS end_ms
    FROM numbered GROUP BY corpus, recording, within_ms, number
), parts AS (
    SELECT s.corpus, s.model, z.within_ms, s.error, s.error_ms, s.reference_ms,
        (least(s.end_ms, z.end_ms) - greatest(s.start_ms, z.start_ms)) / (s.end_ms - s.start_ms) AS share
    FROM ld_stretches AS s JOIN joined AS z
        ON z.corpus = s.corpus AND z.recording = s.recording AND z.start_ms < s.end_ms AND s.start_ms < z.end_ms
), near AS (
    SELECT corpus, model, within_ms,
        round(coalesce(sum(error_ms * share) FILTER (error = 'miss'), 0))::BIGINT AS miss_ms,
        round(coalesce(sum(error_ms * share) FILTER (error = 'false alarm'), 0))::BIGINT AS false_alarm_ms,
        round(coalesce(sum(error_ms * share) FILTER (error = 'confusion'), 0))::BIGINT AS confusion_ms,
        round(sum(reference_ms * share))::BIGINT AS reference_ms
    FROM parts GROUP BY ALL
), everywhere AS (
    SELECT corpus, model, sum(miss_ms + false_alarm_ms + confusion_ms) AS error_ms, sum(reference_ms) AS of_ms
    FROM ld_recordings GROUP BY ALL
)
SELECT corpus, model, within_ms / 1000 AS within_s, miss_ms, false_alarm_ms, confusion_ms, reference_ms,
    (miss_ms + false_alarm_ms + confusion_ms) / nullif(reference_ms, 0) AS lder,
    (error_ms - miss_ms - false_alarm_ms - confusion_ms) / nullif(of_ms - reference_ms, 0) AS lder_elsewhere
FROM near JOIN everywhere USING (corpus, model)
ORDER BY corpus, model, within_s;
