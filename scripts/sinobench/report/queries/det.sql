-- Misses of English against false alarms; points that lie on a straight line between others are left out.
SELECT corpus, model, false_alarm, miss, eer
FROM lid_det LEFT JOIN (SELECT corpus, model, eer FROM leaderboard_lid) USING (corpus, model)
WHERE protocol = 'strict'
WINDOW steps AS (PARTITION BY corpus, model ORDER BY false_alarm, miss DESC)
QUALIFY NOT coalesce(false_alarm = lag(false_alarm) OVER steps AND false_alarm = lead(false_alarm) OVER steps, false)
    AND NOT coalesce(miss = lag(miss) OVER steps AND miss = lead(miss) OVER steps, false)
ORDER BY corpus, model, false_alarm, miss DESC
