-- What served models were asked, and what their answers cost, those kept from earlier runs among them.
SELECT corpus, model, n_asked, n_cached, n_aligned, n_unchanged, n_refused, prompt_tokens, completion_tokens, cost,
    currency
FROM runs WHERE n_asked IS NOT NULL ORDER BY corpus, model
