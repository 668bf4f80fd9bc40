-- Models without results on a corpus, and why.
SELECT task, corpus, model, failure FROM failed_runs ORDER BY ALL
