-- All measures of all models under both protocols; official ones are named so.
SELECT board.* EXCLUDE (line) FROM (SELECT *, row_number() OVER () AS line FROM leaderboard_ld) AS board
LEFT JOIN (SELECT corpus, rowid AS place FROM corpora) USING (corpus)
ORDER BY place NULLS FIRST, corpus, line
