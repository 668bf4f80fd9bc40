-- What was found of the files of hub models before anything was loaded.
SELECT task, model, trust, file, inspections.kind AS kind, size_bytes, verdict, reason, note, inspections.sha256 AS sha256
FROM inspections LEFT JOIN models USING (task, model) ORDER BY verdict DESC, task, model, file
