"""The paths that a run needs: patterns of the rules, their wildcards in braces, filled for what a catalog selects.

Imported while Snakemake parses: nothing heavy here.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sinobench import runs
from sinobench.catalog import Catalog, corpus_task
from sinobench.merlion.training.tracks import counted_as


@dataclass(frozen=True)
class Paths:
    """A catalog whose selected corpora, models, partitions and shards fill patterns."""

    catalog: Catalog

    def corpora(self, task: str, pattern: str, *roles: str) -> list[str]:
        """One a selected corpus of the task with any of the roles; speech tasks have those of ``merlion``."""
        return [filled(pattern, corpus=corpus) for corpus in self.catalog.corpus_ids(corpus_task(task), *roles)]

    def evaluated(self, task: str, pattern: str, *roles: str) -> list[str]:
        """One a selected corpus of the task with any of the roles, and a model that can be given to it."""
        return [
            filled(pattern, corpus=corpus, model=model)
            for corpus in self.catalog.corpus_ids(corpus_task(task), *roles)
            for model in self.catalog.model_ids(task, corpus)
        ]

    def scored(self, task: str, pattern: str) -> list[str]:
        """One a scored corpus of the task and a model that can be given to it."""
        return self.evaluated(task, pattern, "scored")

    def overlapped(self, pattern: str, *corpora: str) -> list[str]:
        """One a scored spelling-check corpus, of some of them where they are named; none where no model learnt from
        a corpus to train on."""
        training = set(self.catalog.corpus_ids("csc", "training"))
        if not any(training & set(self.catalog.learnt_from(model)) for model in self.catalog.model_ids("csc")):
            return []
        return [filled(pattern, corpus=corpus) for corpus in corpora or self.catalog.corpus_ids("csc", "scored")]

    def measured(self, task: str, pattern: str) -> list[str]:
        """One a scored corpus and a model that runs here: a file has no speed, and a served model its server's."""
        return [
            filled(pattern, corpus=corpus, model=model)
            for corpus in self.catalog.corpus_ids(corpus_task(task), "scored")
            for model in self.catalog.model_ids(task, corpus)
            if self.catalog.models[model]["kind"] not in ("predictions", "chat")
        ]

    def pooled(self, pattern: str) -> list[str]:
        """One a pool of G2P corpora and a model that can be given to all of them."""
        return [
            filled(pattern, pool=pool, model=model)
            for pool, corpora in self.catalog.pools().items()
            for model in self._given_to_all("g2p", corpora)
        ]

    def compared(self, task: str, pattern: str) -> list[str]:
        """One a scored corpus of the task that a model can be given to."""
        return list(dict.fromkeys(self.scored(task, pattern)))

    def compared_pools(self, pattern: str) -> list[str]:
        """One a pool of G2P corpora all of which a model can be given to."""
        return list(dict.fromkeys(self.pooled(pattern)))

    def submitted(self, pattern: str) -> list[str]:
        """One a spelling-check model that can be given to every corpus without gold; none without such a corpus."""
        corpora = self.catalog.corpus_ids("csc", "submission")
        return [filled(pattern, model=model) for model in self._given_to_all("csc", corpora) if corpora]

    def uploaded(self, task: str, pattern: str) -> list[str]:
        """One a speech model, by its track, that can be given to the evaluation set."""
        return [
            filled(pattern, track=self.catalog.track_of(model), model=model)
            for corpus in self.catalog.corpus_ids("merlion", "submission")
            for model in self.catalog.model_ids(task, corpus)
        ]

    def given_to_pool(self, pool: str) -> list[str]:
        """The models that can be given to all corpora of a pool."""
        return self._given_to_all("g2p", self.catalog.pools()[pool])

    def in_shards(self, *patterns: str) -> list[str]:
        """One a shard of a MERLIon corpus, of each pattern."""
        shards = range(self.catalog.shards())
        return [filled(pattern, shard=shard) for pattern in patterns for shard in shards]

    def diarized(self, pattern: str, corpus: str, model: str) -> list[str]:
        """One a shard of a corpus that a diarization model is for."""
        return [
            filled(pattern, corpus=corpus, model=model, shard=shard) for shard in range(self.catalog.shards_for(model))
        ]

    # What runs share is named by a key that stands for all that it depends on.

    def of_corpus(self, pattern: str, corpus: str) -> str:
        """That of a corpus."""
        return filled(pattern, key=runs.corpus_key(self.catalog, corpus), corpus=corpus)

    def trained_on(self, task: str, pattern: str) -> list[str]:
        """One a corpus of the task to train on."""
        return [self.of_corpus(pattern, corpus) for corpus in self.catalog.corpus_ids(task, "training")]

    def of_fit(self, pattern: str, model: str) -> str | list[str]:
        """That of a model; none where it is not fitted."""
        if not self.catalog.models[model].get("fit"):
            return []
        return filled(pattern, key=runs.fit_key(self.catalog, model), model=model)

    def fitted(self, task: str, pattern: str) -> list[str]:
        """One a selected model of the task that is fitted."""
        return [self.of_fit(pattern, model) for model in self._fitted(task)]

    def of_partition(self, pattern: str, partition: str) -> str:
        """That of a partition of the training data."""
        return filled(pattern, key=runs.partition_key(self.catalog, partition), partition=partition)

    def partitions(self, pattern: str) -> list[str]:
        """One a partition."""
        return [self.of_partition(pattern, partition) for partition in self.catalog.partitions()]

    def partition_shards(self, pattern: str, partition: str) -> list[str]:
        """One a shard of a partition's features."""
        of_partition = self.of_partition(pattern, partition)
        return [filled(of_partition, shard=shard) for shard in range(runs.TRAINING_SHARDS)]

    def fitted_on(self, task: str, pattern: str) -> list[str]:
        """One a shard of each partition that models of the task are fitted on."""
        names = {self.catalog.partition_of(model) for model in self._fitted(task)}
        return [path for name in sorted(names) for path in self.partition_shards(pattern, name)]

    def corpora_in(self, partition: str) -> list[str]:
        """The corpora of a partition, in the order of its parts."""
        return list(dict.fromkeys(part["corpus"] for part in self.catalog.partitions()[partition]["parts"]))

    def origins_in(self, partition: str) -> dict[str, str]:
        """What the corpora of a partition count as for its track."""
        corpora = self.catalog.corpora
        return {corpus: counted_as(corpus, corpora[corpus]["origin"]) for corpus in self.corpora_in(partition)}

    def _fitted(self, task: str) -> list[str]:
        return [model for model in self.catalog.model_ids(task) if self.catalog.models[model].get("fit")]

    def _given_to_all(self, task: str, corpora: Collection[str]) -> list[str]:
        given = [self.catalog.model_ids(task, corpus) for corpus in corpora]
        return [model for model in self.catalog.model_ids(task) if all(model in models for models in given)]


def filled(pattern: str, **wildcards: object) -> str:
    """The pattern with values for some of its wildcards; the others are left to the rule that has it as input."""
    for name, value in wildcards.items():
        pattern = pattern.replace(f"{{{name}}}", str(value))
    return pattern
