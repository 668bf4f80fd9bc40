-- The models of the run.
SELECT task, model, title, kind, target, licence FROM models ORDER BY rowid
