"""What rules of language diarization look up."""


def lid_params(wildcards):
    """What the results depend on of the entry of the identification model that is used, or None."""
    lid = catalog.models[wildcards.model].get("lid")
    return entry_params(lid) if lid else None


def lid_folder(wildcards):
    """Where it was fitted to, if it is fitted."""
    lid = catalog.models[wildcards.model].get("lid")
    return selected.of_fit(rules.fit_lid.output.fitted, lid) if lid else []


def masked_at_hand(wildcards):
    """The recordings of the shard; for a file of turns, which is read at once, all of the corpus."""
    of_corpus = filled(rules.redact_merlion.output.masked, corpus=wildcards.corpus)
    if catalog.models[wildcards.model]["kind"] == "predictions":
        return selected.in_shards(of_corpus)
    return [filled(of_corpus, shard=wildcards.shard)]


def diarized(pattern, *roles):
    """The pattern for each shard of the model at hand: of the corpus at hand, or of those with the roles."""
    return lambda wildcards: [
        path
        for corpus in (
            catalog.corpus_ids("merlion", *roles) if roles else [wildcards.corpus]
        )
        for path in selected.diarized(pattern, corpus, wildcards.model)
    ]


def predicted_for_corpus(wildcards):
    """What each diarization model predicts for the corpus at hand, in shards."""
    return [
        path
        for model in models_at_hand("ld")(wildcards)
        for path in selected.diarized(
            rules.predict_ld.output.predictions, wildcards.corpus, model
        )
    ]


def predicted(pattern):
    """The pattern for each shard of each corpus and each diarization model for it."""
    return [
        path
        for corpus in catalog.corpus_ids("merlion", "scored", "submission")
        for model in catalog.model_ids("ld", corpus)
        for path in selected.diarized(pattern, corpus, model)
    ]
