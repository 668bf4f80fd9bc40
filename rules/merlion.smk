# Named by the pathvar wherever it is an input: `content_of` leaves out what the workflow makes.
expanded_audio = "<shared>/merlion/audio/{key}/{corpus}"


def prepared(pattern):
    """The pattern for each MERLIon corpus that is prepared for scoring or submission."""
    return selected.corpora("merlion", pattern, "scored", "submission")


def audio_of(corpus):
    """The audio folder of a MERLIon or training corpus as jobs read it; of a compressed one, where it is expanded."""
    if catalog.corpora[corpus]["compressed"]:
        return selected.of_corpus(expanded_audio, corpus)
    return catalog.files_of(corpus, "<shared>/retrieved")["audio"]


def corpus_audio(wildcards):
    """The same of the corpus at hand."""
    return audio_of(wildcards.corpus)


def speech_files(wildcards):
    """The files of a MERLIon or training corpus by their part."""
    return corpus_files(wildcards) | {"audio": audio_of(wildcards.corpus)}


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
