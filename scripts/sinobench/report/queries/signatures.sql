-- The signatures of the headlines, which say what a figure is of and how it was computed.
SELECT task, corpus, model, value, signature FROM leaderboard WHERE signature IS NOT NULL
ORDER BY list_position(['g2p', 'csc', 'lid', 'ld'], task), corpus, model
