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
    """The recordings of the shard; of a file of turns, which is read once, all of the corpus are the first shard's."""
    of_corpus = filled(rules.redact_merlion.output.masked, corpus=wildcards.corpus)
    if catalog.models[wildcards.model]["kind"] != "predictions":
        return [filled(of_corpus, shard=wildcards.shard)]
    return selected.in_shards(of_corpus) if wildcards.shard == "0" else []


def predicted_for_corpus(wildcards):
    """What each diarization model predicts for the corpus at hand, in shards."""
    return selected.in_shards(
        *of_models("ld", rules.predict_ld.output.predictions)(wildcards)
    )


def predicted(pattern):
    """The pattern for each shard of each corpus and each diarization model for it."""
    return selected.in_shards(
        *selected.evaluated("ld", pattern, "scored", "submission")
    )
