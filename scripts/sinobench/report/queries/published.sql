-- Figures that others published, and where.
SELECT task, corpus, model, metric, value, n_items, source, note, trust FROM published_here ORDER BY task, corpus, model, metric
