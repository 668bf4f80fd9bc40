include: "lookups/merlion.smk"


# Named by the pathvar wherever it is an input: `content_of` leaves out what the workflow makes.
expanded_audio = "<shared>/merlion/audio/{key}/{corpus}"


include: "merlion/annotation.smk"
include: "merlion/audio.smk"
include: "merlion/regions.smk"
include: "merlion/features.smk"
include: "merlion/training.smk"
include: "merlion/statistics.smk"


rule merlion:
    input:
        collected["merlion_partitions"],
        collected["merlion_folds"],
        collected["merlion_regions"],
        collected["merlion_statistics"],
        selected.in_shards(*prepared(rules.verify_features.output[0])),
        collected["merlion_training"],
