-- The metrics of the task, and how both protocols compute them.
SELECT metric, any_value(definition) AS definition, max(formula) FILTER (protocol = 'strict') AS strict,
    max(formula) FILTER (protocol = 'official') AS official, any_value(unit) AS unit, any_value(direction) AS direction,
    any_value("range") AS "range", any_value(source) AS source
FROM (SELECT *, rowid AS place FROM metric_info) WHERE task = $task
GROUP BY metric ORDER BY min(place)
