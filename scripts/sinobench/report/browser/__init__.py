"""The error browser of the report: every item of every model, and a timeline of each recording."""
