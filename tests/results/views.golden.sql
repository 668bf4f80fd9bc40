-- The views of results/sinobench.duckdb that no board makes. Values are fractions; a rank is among the runs of one
-- corpus, one more than the models that are better by more than chance; published rows have none and stand only for the
-- corpora and pools of this run. A model without results stands there with its failure, the reason, and no rank.

CREATE VIEW published_here AS
FROM published WHERE corpus IN (SELECT corpus FROM corpora UNION ALL SELECT corpus FROM metrics);

CREATE VIEW failed_runs AS
SELECT runs.task, corpus, model, min(reason) AS failure
FROM runs LEFT JOIN corpora USING (corpus)
WHERE status = 'failed' AND role IS DISTINCT FROM 'submission'
GROUP BY ALL;

CREATE VIEW contaminated AS
SELECT task, corpus, model, list(DISTINCT source ORDER BY source) AS sources,
    string_agg(CASE kind WHEN 'declared' THEN source
        ELSE format('{}: {} of {} items in {}', kind, n_items, n_corpus_items, source) END, '; ' ORDER BY kind, source)
        AS learnt
FROM contamination WHERE n_items > 0
GROUP BY ALL ORDER BY ALL;

-- Figures over the items of a corpus in which nothing of the training corpora stands, beside those over all.
CREATE VIEW without_overlap AS
SELECT a.task, a.corpus, a.model, a.protocol, a.metric, a.value AS value_all, b.value, b.ci_low, b.ci_high,
    a.n_items AS n_items_all, b.n_items
FROM metrics AS a JOIN metrics AS b USING (task, corpus, model, protocol, metric)
WHERE a.subset = 'all' AND b.subset = 'overlap=none';

-- A corpus that is predicted in shards has a row of runs for each of them.
CREATE VIEW runtime AS
SELECT task, corpus, model, sum(n_texts) AS n_texts, sum(load_s) AS load_s, sum(predict_s) AS predict_s,
    sum(n_texts) / nullif(sum(predict_s), 0) AS items_per_s, sum(audio_s) AS audio_s,
    sum(audio_s) / nullif(sum(predict_s), 0) AS times_real_time, max(peak_memory_mb) AS peak_memory_mb,
    max(threads) AS threads, min(host) AS host, min(versions) AS versions, max(status) AS status, min(reason) AS reason
FROM runs GROUP BY task, corpus, model ORDER BY task, corpus, predict_s;

-- What was measured of a model that is no longer the run's says nothing of that one.
CREATE VIEW speed AS
WITH repeats AS (
    SELECT *, n_items / nullif(predict_s, 0) AS items, audio_s / nullif(predict_s, 0) AS real_time
    FROM speeds SEMI JOIN identities USING (task, corpus, model, sha256)
)
SELECT task, corpus, model, count(*) AS n_repeats, max(n_items) AS n_items, median(items) AS items_per_s,
    min(items) AS items_per_s_min, max(items) AS items_per_s_max, median(real_time) AS times_real_time,
    min(real_time) AS times_real_time_min, max(real_time) AS times_real_time_max, max(threads) AS threads,
    min(host) AS host
FROM repeats GROUP BY task, corpus, model ORDER BY task, corpus, items_per_s DESC;

CREATE VIEW training AS
WITH sets AS (
    SELECT task, model, list(corpus ORDER BY corpus) AS corpora, sum(n_pairs)::BIGINT AS n_pairs, sum(hours) AS hours
    FROM training_sets GROUP BY ALL
)
SELECT task, model, corpora, n_pairs, hours, fit_s, peak_memory_mb, host
FROM sets FULL JOIN fits USING (task, model)
ORDER BY task, fit_s DESC, model;

-- What was set aside, a row a corpus and reason.
CREATE VIEW set_aside_reasons AS
SELECT task, corpus, reason, count(*) AS n_set_aside, any_value(meaning) AS meaning
FROM set_aside LEFT JOIN reasons USING (reason)
GROUP BY ALL ORDER BY ALL;

CREATE VIEW signatures AS
SELECT task, corpus, model, protocol, subset, metric,
    CASE WHEN items IS NOT NULL AND code IS NOT NULL THEN concat_ws('|',
        task,
        corpus || '@' || left(items, 8),
        protocol,
        metric,
        CASE WHEN subset != 'all' THEN 'subset:' || replace(replace(replace(replace(replace(replace(replace(replace(subset, chr(37), '%25'), chr(124), '%7C'), chr(64), '%40'), chr(32), '%20'), chr(9), '%09'), chr(13), '%0D'), chr(10), '%0A'), chr(12288), '%E3%80%80') END,
        model || coalesce('@' || model_version, '') || '+' || left(code, 8),
        'n:' || n_items,
        coalesce('bs:' || resamples || '/' || seed, 'bs:none'),
        CASE WHEN level != 0.95 THEN 'level:' || level END,
        'sinobench:' || version)
    END AS signature
FROM metrics LEFT JOIN fingerprints USING (task, corpus, model);

CREATE VIEW g2p_wide AS
SELECT corpus, model, protocol, subset,
    max(value) FILTER (metric = 'accuracy') AS accuracy,
    max(value) FILTER (metric = 'per') AS per,
    max(value) FILTER (metric = 'onset_error_rate') AS onset_error_rate,
    max(value) FILTER (metric = 'nucleus_error_rate') AS nucleus_error_rate,
    max(value) FILTER (metric = 'coda_error_rate') AS coda_error_rate,
    max(value) FILTER (metric = 'tone_error_rate') AS tone_error_rate,
    max(value) FILTER (metric = 'accuracy_macro') AS accuracy_macro,
    max(value) FILTER (metric = 'per_macro') AS per_macro,
    max(ci_low) FILTER (metric = 'per') AS ci_low,
    max(ci_high) FILTER (metric = 'per') AS ci_high,
    max(n_items) AS n_items,
    max(coverage) AS coverage
FROM metrics WHERE task = 'g2p'
GROUP BY ALL;

CREATE VIEW leaderboard_g2p AS
SELECT strict.corpus,
    ranks.rank,
    strict.model,
    ranks.tied_with,
    strict.accuracy,
    strict.per,
    strict.onset_error_rate,
    strict.nucleus_error_rate,
    strict.coda_error_rate,
    strict.tone_error_rate,
    strict.accuracy_macro,
    strict.per_macro,
    strict.ci_low,
    strict.ci_high,
    official.accuracy AS official_accuracy,
    official.per AS official_per,
    strict.n_items,
    strict.n_items - official.n_items AS official_dropped,
    strict.coverage,
    false AS published,
    models.trust,
    EXISTS (FROM contaminated AS c WHERE c.task = 'g2p' AND c.corpus = strict.corpus AND c.model = strict.model) AS contaminated,
    signatures.signature
FROM g2p_wide AS strict
LEFT JOIN g2p_wide AS official
    ON official.corpus = strict.corpus AND official.model = strict.model AND official.subset = strict.subset
    AND official.protocol = 'official'
LEFT JOIN ranks
    ON ranks.corpus = strict.corpus AND ranks.model = strict.model AND ranks.subset = strict.subset
    AND ranks.protocol = 'strict' AND ranks.metric = 'per' AND ranks.task = 'g2p'
LEFT JOIN models ON models.task = 'g2p' AND models.model = strict.model
LEFT JOIN signatures
    ON signatures.task = 'g2p' AND signatures.corpus = strict.corpus AND signatures.model = strict.model
    AND signatures.subset = strict.subset AND signatures.protocol = 'strict'
    AND signatures.metric = 'per'
WHERE strict.protocol = 'strict' AND strict.subset = 'all'
UNION ALL BY NAME
SELECT corpus, model,
    max(value) FILTER (metric = 'accuracy') AS official_accuracy,
    max(value) FILTER (metric = 'per') AS official_per,
    max(n_items) AS n_items,
    true AS published,
    max(trust) AS trust,
    EXISTS (FROM contaminated AS c WHERE c.task = 'g2p' AND c.corpus = published_here.corpus AND c.model = published_here.model) AS contaminated
FROM published_here WHERE task = 'g2p'
GROUP BY corpus, model
UNION ALL BY NAME
SELECT corpus, model, false AS published, models.trust, failure
FROM failed_runs LEFT JOIN models USING (task, model) WHERE task = 'g2p'
ORDER BY corpus, failure NULLS FIRST, published, rank NULLS LAST, per,
    official_per, model;

CREATE VIEW g2p_errors AS
SELECT o.corpus, o.model, i.item_id, i.line, i.text, i.position, i.character, i.pos, i.labels, o.prediction,
    o.nearest_label, o.strict_errors AS component_errors, o.problem
FROM g2p_outcomes AS o JOIN g2p_items AS i USING (corpus, item_id)
WHERE NOT o.strict_correct;

CREATE VIEW g2p_protocol_differences AS
SELECT o.corpus, o.model, i.item_id, i.line, i.text, i.position, o.prediction, o.strict_correct, o.official_correct,
    o.official_dropped, o.problem
FROM g2p_outcomes AS o JOIN g2p_items AS i USING (corpus, item_id)
WHERE o.official_dropped OR o.strict_correct != o.official_correct OR o.strict_errors != o.official_errors;

CREATE VIEW g2p_disagreements AS
SELECT o.corpus, i.item_id, i.text, i.position, i.character, i.labels, count(*) AS n_models,
    count_if(o.strict_correct) AS n_right,
    coalesce(list(o.model ORDER BY o.model) FILTER (o.strict_correct), []) AS right_models,
    coalesce(list(o.model || ': ' || coalesce(o.prediction, '-') ORDER BY o.model) FILTER (NOT o.strict_correct), [])
        AS wrong_models
FROM g2p_outcomes AS o JOIN g2p_items AS i USING (corpus, item_id)
GROUP BY ALL HAVING count(DISTINCT coalesce(o.prediction, '-')) > 1
ORDER BY ALL;

CREATE VIEW csc_wide AS
SELECT corpus, model, protocol, subset,
    max(value) FILTER (metric = 'correction_precision') AS correction_precision,
    max(value) FILTER (metric = 'correction_recall') AS correction_recall,
    max(value) FILTER (metric = 'correction_f1') AS correction_f1,
    max(value) FILTER (metric = 'detection_precision') AS detection_precision,
    max(value) FILTER (metric = 'detection_recall') AS detection_recall,
    max(value) FILTER (metric = 'detection_f1') AS detection_f1,
    max(value) FILTER (metric = 'sentence_fpr') AS sentence_fpr,
    max(value) FILTER (metric = 'sighan_detection_f1') AS sighan_detection_f1,
    max(value) FILTER (metric = 'sighan_correction_f1') AS sighan_correction_f1,
    max(value) FILTER (metric = 'pycorrector_correction_f1') AS pycorrector_correction_f1,
    max(value) FILTER (metric = 'conditional_correction_accuracy') AS conditional_correction_accuracy,
    max(value) FILTER (metric = 'misaligned') AS misaligned,
    max(ci_low) FILTER (metric = 'correction_f1') AS ci_low,
    max(ci_high) FILTER (metric = 'correction_f1') AS ci_high,
    max(n_items) AS n_items,
    max(coverage) AS coverage
FROM metrics WHERE task = 'csc' AND (subset = 'all' OR subset LIKE 'ignoring=%')
GROUP BY ALL;

CREATE VIEW leaderboard_csc AS
SELECT strict.corpus,
    ranks.rank,
    strict.model, strict.subset,
    ranks.tied_with,
    strict.correction_precision,
    strict.correction_recall,
    strict.correction_f1,
    strict.detection_precision,
    strict.detection_recall,
    strict.detection_f1,
    strict.sentence_fpr,
    strict.sighan_detection_f1,
    strict.sighan_correction_f1,
    strict.pycorrector_correction_f1,
    strict.conditional_correction_accuracy,
    strict.ci_low,
    strict.ci_high,
    official.correction_precision AS official_correction_precision,
    official.correction_recall AS official_correction_recall,
    official.correction_f1 AS official_correction_f1,
    official.detection_f1 AS official_detection_f1,
    official.sentence_fpr AS official_sentence_fpr,
    strict.n_items,
    official.n_items AS official_n_items,
    strict.coverage,
    strict.misaligned,
    false AS published,
    models.trust,
    EXISTS (FROM contaminated AS c WHERE c.task = 'csc' AND c.corpus = strict.corpus AND c.model = strict.model) AS contaminated,
    signatures.signature
FROM csc_wide AS strict
LEFT JOIN csc_wide AS official
    ON official.corpus = strict.corpus AND official.model = strict.model AND official.subset = strict.subset
    AND official.protocol = 'official'
LEFT JOIN ranks
    ON ranks.corpus = strict.corpus AND ranks.model = strict.model AND ranks.subset = strict.subset
    AND ranks.protocol = 'strict' AND ranks.metric = 'correction_f1' AND ranks.task = 'csc'
LEFT JOIN models ON models.task = 'csc' AND models.model = strict.model
LEFT JOIN signatures
    ON signatures.task = 'csc' AND signatures.corpus = strict.corpus AND signatures.model = strict.model
    AND signatures.subset = strict.subset AND signatures.protocol = 'strict'
    AND signatures.metric = 'correction_f1'
WHERE strict.protocol = 'strict'
UNION ALL BY NAME
SELECT corpus, model, 'all' AS subset,
    max(value) FILTER (metric = 'correction_precision') AS official_correction_precision,
    max(value) FILTER (metric = 'correction_recall') AS official_correction_recall,
    max(value) FILTER (metric = 'correction_f1') AS official_correction_f1,
    max(value) FILTER (metric = 'detection_f1') AS official_detection_f1,
    max(value) FILTER (metric = 'sentence_fpr') AS official_sentence_fpr,
    max(n_items) AS n_items,
    true AS published,
    max(trust) AS trust,
    EXISTS (FROM contaminated AS c WHERE c.task = 'csc' AND c.corpus = published_here.corpus AND c.model = published_here.model) AS contaminated
FROM published_here WHERE task = 'csc'
GROUP BY corpus, model
UNION ALL BY NAME
SELECT corpus, model, 'all' AS subset, false AS published, models.trust, failure
FROM failed_runs LEFT JOIN models USING (task, model) WHERE task = 'csc'
ORDER BY corpus, subset, failure NULLS FIRST, published, rank NULLS LAST, correction_f1 DESC,
    official_correction_f1 DESC, model;

CREATE VIEW csc_errors AS
SELECT e.corpus, e.model, e.item_id, i.line, e.outcome, e.error_type, e.position, e.source, e.gold, e.prediction, i.input
FROM csc_edits AS e JOIN csc_items AS i USING (corpus, item_id)
WHERE e.outcome != 'corrected';

CREATE VIEW csc_edit_summary AS
SELECT corpus, model, outcome, error_type, seed_type, count(*) AS n
FROM csc_edits GROUP BY ALL ORDER BY corpus, model, n DESC, outcome, error_type;

CREATE VIEW csc_protocol_differences AS
SELECT corpus, model, item_id, input, gold, prediction, covered, in_official,
    coalesce(official_note, 'no prediction: taken as unchanged') AS reason
FROM csc_outcomes WHERE official_note IS NOT NULL OR NOT covered;

CREATE VIEW csc_disagreements AS
WITH told AS (
    SELECT *, covered AND prediction IS NOT DISTINCT FROM gold AS is_right FROM csc_outcomes
)
SELECT corpus, item_id, input, count(*) AS n_models, count_if(is_right) AS n_right,
    coalesce(list(model ORDER BY model) FILTER (is_right), []) AS right_models,
    coalesce(list(model || ': ' || coalesce(prediction, '-') ORDER BY model) FILTER (NOT is_right), []) AS wrong_models
FROM told
GROUP BY ALL HAVING count(DISTINCT coalesce(prediction, '-')) > 1
ORDER BY ALL;

CREATE VIEW csc_over_correction_rates AS
WITH texts AS (
    SELECT corpus, model, sum(length(input) - n_gold_edits)::BIGINT AS n_right_characters
    FROM csc_outcomes GROUP BY ALL
), altered AS (
    SELECT corpus, model, count(*) AS n FROM csc_edits WHERE outcome = 'over-correction' GROUP BY ALL
)
SELECT corpus, model, n_right_characters, coalesce(n, 0) AS n_over_corrections,
    coalesce(n, 0) / nullif(n_right_characters, 0) AS rate
FROM texts LEFT JOIN altered USING (corpus, model)
ORDER BY corpus, rate, model;

CREATE VIEW csc_over_corrections AS
WITH characters AS (
    SELECT corpus, unnest(string_split(input, '')) AS source FROM csc_items
), occurrences AS (
    SELECT corpus, source, count(*) AS n_occurrences FROM characters GROUP BY ALL
)
SELECT corpus, model, source, prediction, count(*) AS n, count(DISTINCT item_id) AS n_texts,
    any_value(n_occurrences) AS n_occurrences
FROM csc_edits LEFT JOIN occurrences USING (corpus, source)
WHERE outcome = 'over-correction'
GROUP BY corpus, model, source, prediction
ORDER BY corpus, model, n DESC, source, prediction;

CREATE VIEW lid_wide AS
SELECT corpus, model, protocol, subset,
    max(value) FILTER (metric = 'eer') AS eer,
    max(value) FILTER (metric = 'balanced_accuracy') AS balanced_accuracy,
    max(value) FILTER (metric = 'balanced_accuracy_recording_mean') AS balanced_accuracy_recording_mean,
    max(value) FILTER (metric = 'accuracy') AS accuracy,
    max(value) FILTER (metric = 'english_recall') AS english_recall,
    max(value) FILTER (metric = 'mandarin_recall') AS mandarin_recall,
    max(value) FILTER (metric = 'cllr') AS cllr,
    max(value) FILTER (metric = 'min_cllr') AS min_cllr,
    max(value) FILTER (metric = 'floor_eer') AS floor_eer,
    max(ci_low) FILTER (metric = 'eer') AS ci_low,
    max(ci_high) FILTER (metric = 'eer') AS ci_high,
    max(n_items) AS n_items,
    max(coverage) AS coverage,
    max(warning) AS warning
FROM metrics WHERE task = 'lid'
GROUP BY ALL;

CREATE VIEW leaderboard_lid AS
SELECT strict.corpus,
    ranks.rank,
    strict.model,
    ranks.tied_with,
    strict.eer,
    strict.balanced_accuracy,
    strict.balanced_accuracy_recording_mean,
    strict.accuracy,
    strict.english_recall,
    strict.mandarin_recall,
    strict.cllr,
    strict.min_cllr,
    strict.ci_low,
    strict.ci_high,
    official.eer AS official_eer,
    official.balanced_accuracy AS official_balanced_accuracy,
    official.floor_eer AS official_floor_eer,
    strict.n_items,
    strict.coverage,
    strict.warning,
    false AS published,
    models.trust,
    EXISTS (FROM contaminated AS c WHERE c.task = 'lid' AND c.corpus = strict.corpus AND c.model = strict.model) AS contaminated,
    signatures.signature
FROM lid_wide AS strict
LEFT JOIN lid_wide AS official
    ON official.corpus = strict.corpus AND official.model = strict.model AND official.subset = strict.subset
    AND official.protocol = 'official'
LEFT JOIN ranks
    ON ranks.corpus = strict.corpus AND ranks.model = strict.model AND ranks.subset = strict.subset
    AND ranks.protocol = 'strict' AND ranks.metric = 'eer' AND ranks.task = 'lid'
LEFT JOIN models ON models.task = 'lid' AND models.model = strict.model
LEFT JOIN signatures
    ON signatures.task = 'lid' AND signatures.corpus = strict.corpus AND signatures.model = strict.model
    AND signatures.subset = strict.subset AND signatures.protocol = 'strict'
    AND signatures.metric = 'eer'
WHERE strict.protocol = 'strict' AND strict.subset = 'all'
UNION ALL BY NAME
SELECT corpus, model,
    max(value) FILTER (metric = 'eer') AS official_eer,
    max(value) FILTER (metric = 'balanced_accuracy') AS official_balanced_accuracy,
    max(value) FILTER (metric = 'floor_eer') AS official_floor_eer,
    max(n_items) AS n_items,
    true AS published,
    max(trust) AS trust,
    EXISTS (FROM contaminated AS c WHERE c.task = 'lid' AND c.corpus = published_here.corpus AND c.model = published_here.model) AS contaminated
FROM published_here WHERE task = 'lid'
GROUP BY corpus, model
UNION ALL BY NAME
SELECT corpus, model, false AS published, models.trust, failure
FROM failed_runs LEFT JOIN models USING (task, model) WHERE task = 'lid'
ORDER BY corpus, failure NULLS FIRST, published, rank NULLS LAST, eer,
    official_eer, model;

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

CREATE VIEW ld_wide AS
SELECT corpus, model, protocol, subset,
    max(value) FILTER (metric = 'lder') AS lder,
    max(value) FILTER (metric = 'miss_rate') AS miss_rate,
    max(value) FILTER (metric = 'false_alarm_rate') AS false_alarm_rate,
    max(value) FILTER (metric = 'confusion_rate') AS confusion_rate,
    max(value) FILTER (metric = 'english_error_rate') AS english_error_rate,
    max(value) FILTER (metric = 'mandarin_error_rate') AS mandarin_error_rate,
    max(ci_low) FILTER (metric = 'lder') AS ci_low,
    max(ci_high) FILTER (metric = 'lder') AS ci_high,
    max(n_items) AS n_items,
    max(coverage) AS coverage
FROM metrics WHERE task = 'ld'
GROUP BY ALL;

CREATE VIEW leaderboard_ld AS
SELECT strict.corpus,
    ranks.rank,
    strict.model,
    ranks.tied_with,
    strict.lder,
    strict.miss_rate,
    strict.false_alarm_rate,
    strict.confusion_rate,
    strict.english_error_rate,
    strict.mandarin_error_rate,
    strict.ci_low,
    strict.ci_high,
    official.lder AS official_lder,
    official.english_error_rate AS official_english_error_rate,
    official.mandarin_error_rate AS official_mandarin_error_rate,
    strict.n_items,
    strict.coverage,
    false AS published,
    models.trust,
    EXISTS (FROM contaminated AS c WHERE c.task = 'ld' AND c.corpus = strict.corpus AND c.model = strict.model) AS contaminated,
    signatures.signature
FROM ld_wide AS strict
LEFT JOIN ld_wide AS official
    ON official.corpus = strict.corpus AND official.model = strict.model AND official.subset = strict.subset
    AND official.protocol = 'official'
LEFT JOIN ranks
    ON ranks.corpus = strict.corpus AND ranks.model = strict.model AND ranks.subset = strict.subset
    AND ranks.protocol = 'strict' AND ranks.metric = 'lder' AND ranks.task = 'ld'
LEFT JOIN models ON models.task = 'ld' AND models.model = strict.model
LEFT JOIN signatures
    ON signatures.task = 'ld' AND signatures.corpus = strict.corpus AND signatures.model = strict.model
    AND signatures.subset = strict.subset AND signatures.protocol = 'strict'
    AND signatures.metric = 'lder'
WHERE strict.protocol = 'strict' AND strict.subset = 'all'
UNION ALL BY NAME
SELECT corpus, model,
    max(value) FILTER (metric = 'lder') AS official_lder,
    max(value) FILTER (metric = 'english_error_rate') AS official_english_error_rate,
    max(value) FILTER (metric = 'mandarin_error_rate') AS official_mandarin_error_rate,
    max(n_items) AS n_items,
    true AS published,
    max(trust) AS trust,
    EXISTS (FROM contaminated AS c WHERE c.task = 'ld' AND c.corpus = published_here.corpus AND c.model = published_here.model) AS contaminated
FROM published_here WHERE task = 'ld'
GROUP BY corpus, model
UNION ALL BY NAME
SELECT corpus, model, false AS published, models.trust, failure
FROM failed_runs LEFT JOIN models USING (task, model) WHERE task = 'ld'
ORDER BY corpus, failure NULLS FIRST, published, rank NULLS LAST, lder,
    official_lder, model;

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

CREATE VIEW leaderboard AS
SELECT * EXCLUDE (place) FROM (
SELECT 'g2p' AS task, corpus, rank, model, tied_with,
    'per' AS metric, per AS value, ci_low, ci_high, official_per AS official_value,
    n_items, coverage, published, trust, contaminated, failure, signature,
    per AS place
FROM leaderboard_g2p
UNION ALL
SELECT 'csc' AS task, corpus, rank, model, tied_with,
    'correction_f1' AS metric, correction_f1 AS value, ci_low, ci_high, official_correction_f1 AS official_value,
    n_items, coverage, published, trust, contaminated, failure, signature,
    -correction_f1 AS place
FROM leaderboard_csc WHERE subset = 'all'
UNION ALL
SELECT 'lid' AS task, corpus, rank, model, tied_with,
    'eer' AS metric, eer AS value, ci_low, ci_high, official_eer AS official_value,
    n_items, coverage, published, trust, contaminated, failure, signature,
    eer AS place
FROM leaderboard_lid
UNION ALL
SELECT 'ld' AS task, corpus, rank, model, tied_with,
    'lder' AS metric, lder AS value, ci_low, ci_high, official_lder AS official_value,
    n_items, coverage, published, trust, contaminated, failure, signature,
    lder AS place
FROM leaderboard_ld
)
ORDER BY task, corpus, failure NULLS FIRST, published, rank NULLS LAST, place NULLS LAST, model;

CREATE VIEW summary AS
SELECT corpus, place || CASE WHEN tied_with IS NULL THEN '' ELSE '=' END AS rank, model,
    CASE WHEN failure IS NOT NULL THEN 'failed' ELSE CASE task
        WHEN 'g2p' THEN format('PER {:.2f}', percentage)
        WHEN 'csc' THEN format('F1 {:.1f}', percentage)
        WHEN 'lid' THEN format('EER {:.1f}', percentage)
        WHEN 'ld' THEN format('LDER {:.1f}', percentage)
    END END AS score,
    format('{:.1f}–{:.1f}', 100 * ci_low, 100 * ci_high) AS interval
FROM (SELECT * EXCLUDE (rank), rank AS place, 100 * coalesce(value, official_value) AS percentage FROM leaderboard)
ORDER BY task, bool_and(published) OVER (PARTITION BY task, corpus), corpus, failure NULLS FIRST, published,
    place NULLS LAST, CASE WHEN task IN ('csc') THEN -value ELSE value END NULLS LAST, model;
