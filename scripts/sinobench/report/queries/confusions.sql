-- What was expected and what a model gave, by part of the syllable. A null is a character without a syllable.
SELECT corpus, model, component, expected, predicted, n
FROM g2p_confusions LEFT JOIN (SELECT corpus, rowid AS place FROM corpora) USING (corpus)
ORDER BY place NULLS FIRST, corpus, model DESC, list_position(['tone', 'onset', 'nucleus', 'coda'], component), expected, n DESC
