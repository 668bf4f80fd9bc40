-- The models of the run.
SELECT task, model, title, kind, target, licence, trust, trust_reason, trust_source FROM models ORDER BY rowid
