"""What rules of language diarization look up."""


def lid_params(wildcards):
    """What the results depend on of the entry of the identification model that is used, or None."""
    lid = catalog.models[wildcards.model].get("lid")
    return entry_params(lid) if lid else None


def lid_folder(wildcards):
    """Where it was fitted to, if it is fitted."""
    lid = catalog.models[wildcards.model].get("lid")
    return selected.of_fit(rules.fit_lid.output.fitted, lid) if lid else []


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
