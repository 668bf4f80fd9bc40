"""What rules on speech look up: files of corpora, parts of partitions."""


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


def given_audio(wildcards):
    """The audio folder of a corpus as its entry names it."""
    return catalog.files_of(wildcards.corpus, "<shared>/retrieved")["audio"]


def shown(pattern):
    """The pattern for each shard of each scored corpus of which nothing is confidential."""
    patterns = expand(pattern, corpus=shown_corpora(), allow_missing=True)
    return selected.in_shards(*patterns)


def shown_corpora():
    """Those corpora."""
    scored = catalog.corpus_ids("merlion", "scored")
    return [corpus for corpus in scored if catalog.confidential()[corpus] == "nothing"]


def shown_audio(wildcards):
    """Their audio folders, one a shard."""
    shards = catalog.shards()
    return [audio_of(corpus) for corpus in shown_corpora() for _ in range(shards)]


def partition_at_hand(wildcards):
    """The partition at hand, or that of the model at hand."""
    return wildcards.get("partition") or catalog.partition_of(wildcards.model)


def partition_entry(wildcards):
    """It, as the config names it."""
    return catalog.partitions()[partition_at_hand(wildcards)]


def partition_utterances(wildcards):
    """Its utterances."""
    pattern = rules.partition_training.output.utterances
    return selected.of_partition(pattern, partition_at_hand(wildcards))


def partition_corpora(wildcards):
    """Its corpora."""
    return selected.corpora_in(partition_at_hand(wildcards))


def partition_origins(wildcards):
    """What they count as for its track."""
    return selected.origins_in(partition_at_hand(wildcards))


def partition_audio(wildcards):
    """Their audio folders."""
    return [audio_of(corpus) for corpus in partition_corpora(wildcards)]


def partition_ids(wildcards):
    """The lists of training data that it names."""
    return [part["ids"] for part in partition_entry(wildcards)["parts"] if part["ids"]]
