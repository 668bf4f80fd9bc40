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

CREATE VIEW runtime AS
SELECT task, corpus, model, n_texts, load_s, predict_s, items_per_s, audio_s, times_real_time, peak_memory_mb,
    threads, host, versions, status, reason
FROM runs ORDER BY task, corpus, predict_s;

-- What was set aside, a row a corpus and reason.
CREATE VIEW set_aside_reasons AS
SELECT task, corpus, reason, count(*) AS n_set_aside, any_value(meaning) AS meaning
FROM set_aside LEFT JOIN reasons USING (reason)
GROUP BY ALL ORDER BY ALL;

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
    false AS published
FROM g2p_wide AS strict
LEFT JOIN g2p_wide AS official
    ON official.corpus = strict.corpus AND official.model = strict.model AND official.subset = strict.subset
    AND official.protocol = 'official'
LEFT JOIN ranks
    ON ranks.corpus = strict.corpus AND ranks.model = strict.model AND ranks.subset = strict.subset
    AND ranks.protocol = 'strict' AND ranks.metric = 'per' AND ranks.task = 'g2p'
WHERE strict.protocol = 'strict' AND strict.subset = 'all'
UNION ALL BY NAME
SELECT corpus, model,
    max(value) FILTER (metric = 'accuracy') AS official_accuracy,
    max(value) FILTER (metric = 'per') AS official_per,
    max(n_items) AS n_items,
    true AS published
FROM published_here WHERE task = 'g2p'
GROUP BY corpus, model
UNION ALL BY NAME
SELECT corpus, model, false AS published, failure
FROM failed_runs WHERE task = 'g2p'
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
    false AS published
FROM csc_wide AS strict
LEFT JOIN csc_wide AS official
    ON official.corpus = strict.corpus AND official.model = strict.model AND official.subset = strict.subset
    AND official.protocol = 'official'
LEFT JOIN ranks
    ON ranks.corpus = strict.corpus AND ranks.model = strict.model AND ranks.subset = strict.subset
    AND ranks.protocol = 'strict' AND ranks.metric = 'correction_f1' AND ranks.task = 'csc'
WHERE strict.protocol = 'strict'
UNION ALL BY NAME
SELECT corpus, model, 'all' AS subset,
    max(value) FILTER (metric = 'correction_precision') AS official_correction_precision,
    max(value) FILTER (metric = 'correction_recall') AS official_correction_recall,
    max(value) FILTER (metric = 'correction_f1') AS official_correction_f1,
    max(value) FILTER (metric = 'detection_f1') AS official_detection_f1,
    max(value) FILTER (metric = 'sentence_fpr') AS official_sentence_fpr,
    max(n_items) AS n_items,
    true AS published
FROM published_here WHERE task = 'csc'
GROUP BY corpus, model
UNION ALL BY NAME
SELECT corpus, model, 'all' AS subset, false AS published, failure
FROM failed_runs WHERE task = 'csc'
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
    false AS published
FROM lid_wide AS strict
LEFT JOIN lid_wide AS official
    ON official.corpus = strict.corpus AND official.model = strict.model AND official.subset = strict.subset
    AND official.protocol = 'official'
LEFT JOIN ranks
    ON ranks.corpus = strict.corpus AND ranks.model = strict.model AND ranks.subset = strict.subset
    AND ranks.protocol = 'strict' AND ranks.metric = 'eer' AND ranks.task = 'lid'
WHERE strict.protocol = 'strict' AND strict.subset = 'all'
UNION ALL BY NAME
SELECT corpus, model,
    max(value) FILTER (metric = 'eer') AS official_eer,
    max(value) FILTER (metric = 'balanced_accuracy') AS official_balanced_accuracy,
    max(value) FILTER (metric = 'floor_eer') AS official_floor_eer,
    max(n_items) AS n_items,
    true AS published
FROM published_here WHERE task = 'lid'
GROUP BY corpus, model
UNION ALL BY NAME
SELECT corpus, model, false AS published, failure
FROM failed_runs WHERE task = 'lid'
ORDER BY corpus, failure NULLS FIRST, published, rank NULLS LAST, eer,
    official_eer, model;

CREATE VIEW lid_errors AS
SELECT corpus, model, segment_id, recording, duration_ms, language, predicted, score
FROM lid_outcomes WHERE NOT correct;

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
    false AS published
FROM ld_wide AS strict
LEFT JOIN ld_wide AS official
    ON official.corpus = strict.corpus AND official.model = strict.model AND official.subset = strict.subset
    AND official.protocol = 'official'
LEFT JOIN ranks
    ON ranks.corpus = strict.corpus AND ranks.model = strict.model AND ranks.subset = strict.subset
    AND ranks.protocol = 'strict' AND ranks.metric = 'lder' AND ranks.task = 'ld'
WHERE strict.protocol = 'strict' AND strict.subset = 'all'
UNION ALL BY NAME
SELECT corpus, model,
    max(value) FILTER (metric = 'lder') AS official_lder,
    max(value) FILTER (metric = 'english_error_rate') AS official_english_error_rate,
    max(value) FILTER (metric = 'mandarin_error_rate') AS official_mandarin_error_rate,
    max(n_items) AS n_items,
    true AS published
FROM published_here WHERE task = 'ld'
GROUP BY corpus, model
UNION ALL BY NAME
SELECT corpus, model, false AS published, failure
FROM failed_runs WHERE task = 'ld'
ORDER BY corpus, failure NULLS FIRST, published, rank NULLS LAST, lder,
    official_lder, model;

CREATE VIEW ld_errors AS
SELECT corpus, model, recording, prediction, lder, miss_ms, false_alarm_ms, confusion_ms, reference_ms
FROM ld_recordings ORDER BY corpus, model, lder DESC NULLS LAST;

CREATE VIEW leaderboard AS
SELECT * EXCLUDE (place) FROM (
SELECT 'g2p' AS task, corpus, rank, model, tied_with,
    'per' AS metric, per AS value, ci_low, ci_high, official_per AS official_value,
    n_items, coverage, published, failure, per AS place
FROM leaderboard_g2p
UNION ALL
SELECT 'csc' AS task, corpus, rank, model, tied_with,
    'correction_f1' AS metric, correction_f1 AS value, ci_low, ci_high, official_correction_f1 AS official_value,
    n_items, coverage, published, failure, -correction_f1 AS place
FROM leaderboard_csc WHERE subset = 'all'
UNION ALL
SELECT 'lid' AS task, corpus, rank, model, tied_with,
    'eer' AS metric, eer AS value, ci_low, ci_high, official_eer AS official_value,
    n_items, coverage, published, failure, eer AS place
FROM leaderboard_lid
UNION ALL
SELECT 'ld' AS task, corpus, rank, model, tied_with,
    'lder' AS metric, lder AS value, ci_low, ci_high, official_lder AS official_value,
    n_items, coverage, published, failure, lder AS place
FROM leaderboard_ld
)
ORDER BY task, corpus, failure NULLS FIRST, published, rank NULLS LAST, place NULLS LAST, model;

CREATE VIEW summary AS
SELECT corpus, rank, model,
    CASE WHEN failure IS NOT NULL THEN 'failed' ELSE CASE task
        WHEN 'g2p' THEN format('PER {:.2f}', percentage)
        WHEN 'csc' THEN format('F1 {:.1f}', percentage)
        WHEN 'lid' THEN format('EER {:.1f}', percentage)
        WHEN 'ld' THEN format('LDER {:.1f}', percentage)
    END END AS score,
    format('{:.1f}–{:.1f}', 100 * ci_low, 100 * ci_high) AS interval
FROM (SELECT *, 100 * coalesce(value, official_value) AS percentage FROM leaderboard)
ORDER BY task, bool_and(published) OVER (PARTITION BY task, corpus), corpus, failure NULLS FIRST, published,
    rank NULLS LAST, CASE WHEN task IN ('csc') THEN -value ELSE value END NULLS LAST, model;
