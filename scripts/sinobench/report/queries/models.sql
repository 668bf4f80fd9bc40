-- The models of the run.
SELECT task, model, title, kind, coalesce(source || ' at ' || revision, target) AS target, licence, trust, trust_reason, trust_source,
    coalesce(nullif(array_to_string(training_data, ', '), ''), 'not declared') AS training_data
FROM models ORDER BY rowid
