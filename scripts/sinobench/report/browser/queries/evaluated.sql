SELECT 'g2p' AS task, corpus, model FROM g2p_outcomes GROUP BY ALL
UNION ALL SELECT 'csc', corpus, model FROM csc_outcomes GROUP BY ALL
UNION ALL SELECT 'lid', corpus, model FROM lid_outcomes GROUP BY ALL
UNION ALL SELECT 'ld', corpus, model FROM ld_recordings GROUP BY ALL
ORDER BY task, corpus, model;
