"""The resolved run: what is evaluated, and lookups in it.

Imported while Snakemake parses: nothing heavy here.
"""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from sinobench import objects
from sinobench.entries import SEGMENTED, SPEECH, TASKS
from sinobench.merlion.training.tracks import SYNTHETIC

# Of audio; the public sets of 6.6 GB are two shards of 14 hours, on each of which a step takes minutes.
SHARD_BYTES = 4_000_000_000


@dataclass(frozen=True)
class Catalog:
    """The resolved run: ``corpora`` and ``models`` hold the selected entries by id, with their defaults filled in.

    ``left_out``: why the other models of the catalog are not run, by their id; ``unnamed``: the other corpora.
    """

    config: dict
    sources: dict
    corpora: dict[str, dict]
    models: dict[str, dict]
    left_out: dict[str, str]
    unnamed: list[str]

    def corpus_ids(self, task: str, *roles: str) -> list[str]:
        """Ids of the selected corpora of a task and of any of the roles."""
        return [i for i, c in self.corpora.items() if c["task"] == task and c["role"] in roles]

    def model_ids(self, task: str, corpus: str | None = None) -> list[str]:
        """Ids of the selected models of a task; with a corpus those that it can be given to.

        Those that only have predictions for other corpora can't, and for a corpus without segments no lid model can.
        """
        if task == "lid" and corpus in self.without_segments():
            return []
        return [
            i
            for i, m in self.models.items()
            if m["task"] == task and (corpus is None or m["kind"] != "predictions" or corpus in m["files"])
        ]

    def without_segments(self) -> list[str]:
        """Ids of the selected MERLIon corpora of audio alone, as the evaluation set for Task 2 is released."""
        return [i for i in self.corpus_ids("merlion", "submission") if not SEGMENTED & self.corpora[i]["files"].keys()]

    def with_segments(self) -> list[str]:
        """Ids of the other MERLIon corpora to evaluate on."""
        corpora, without = self.corpus_ids("merlion", "scored", "submission"), self.without_segments()
        return [corpus for corpus in corpora if corpus not in without]

    def confidential(self) -> dict[str, str]:
        """What is confidential of each of the MERLIon corpora to evaluate on: everything, speech or nothing."""
        return {i: self.corpora[i]["confidential"] for i in self.corpus_ids("merlion", "scored", "submission")}

    def shards(self) -> int:
        """How many jobs share the audio of a corpus: as the config says, else by the size of the largest one's.

        With the square root of that size, so that the jobs to plan grow no faster than the longest of them. Audio that
        the workflow itself makes has no size before the run, and counts as little.
        """
        corpora = self.corpus_ids("merlion", "scored", "submission")
        folders = [file for i in corpora if isinstance(file := self.corpora[i]["files"]["audio"], str)]
        largest = max((bytes_below(folder) for folder in folders if not folder.startswith("<")), default=0)
        return self.config["merlion"].get("shards") or max(1, math.ceil(math.sqrt(largest / SHARD_BYTES)))

    def shards_for(self, model: str) -> int:
        """Into how many those for a diarization model are divided: a file of turns is read at once."""
        return 1 if self.models[model]["kind"] == "predictions" else self.shards()

    def partitions(self) -> dict[str, dict]:
        """Partitions of the MERLIon training data by their name."""
        return {partition["name"]: partition for partition in self.config["merlion"]["partitions"]}

    def partition_of(self, model: str) -> str | None:
        """The partition that a speech model is fitted on, itself or through its lid model; None where there is none."""
        return partition_of(model, self.models, self.config)

    def learnt_from(self, model: str) -> list[str]:
        """What a model learnt from: what its entry declares, what it is fitted on here, and that of its lid model."""
        entry = self.models[model]
        found = list(entry["training_data"])
        if entry.get("lid"):
            found += self.learnt_from(entry["lid"])
        elif entry.get("fit") and entry["task"] in SPEECH:
            found += [part["corpus"] for part in self.partitions()[self.partition_of(model)]["parts"]]
        elif entry.get("fit"):
            found += self.corpus_ids(entry["task"], "training")
        told = [source for source in dict.fromkeys(found) if source != "none"]
        return told or found[:1]

    def overlaps(self, model: str, corpus: str) -> list[str]:
        """What a model learnt from that a corpus was taken from, or that is the corpus."""
        sources = {corpus, *(self.corpora[corpus]["sources"] or self.sources_of(corpus))}
        return [source for source in self.learnt_from(model) if source in sources]

    def pretrained_of(self, model: str) -> list[dict]:
        """The pretrained models that a speech model builds on, itself and through its partition and its lid model."""
        entry = self.models[model]
        partition = self.partition_of(model)
        lid = entry.get("lid")
        inherited = self.pretrained_of(lid) if lid else []
        if not lid and partition:
            inherited = self.partitions()[partition]["pretrained"]
        return [*inherited, *entry["pretrained"]]

    def track_of(self, model: str) -> str:
        """The track of the challenge that a speech model belongs to."""
        entry = self.models[model]
        if entry["track"]:
            return entry["track"]
        if entry.get("lid"):
            return self.track_of(entry["lid"])
        partition = self.partition_of(model)
        return self.partitions()[partition]["track"] if partition else "closed"

    def on_synthetic(self) -> list[str]:
        """Ids of the selected models whose partition has synthetic speech."""
        synthetic = {
            name
            for name, partition in self.partitions().items()
            if any(self.corpora[part["corpus"]]["origin"] == SYNTHETIC for part in partition["parts"])
        }
        return [model for model in self.models if self.partition_of(model) in synthetic]

    def remarks(self) -> list[str]:
        """What a user may not expect of the run, a line each."""
        reasons: dict[str, list[str]] = {}
        for name, reason in self.left_out.items():
            reasons.setdefault(reason, []).append(name)
        lines = [f"not run: {', '.join(names)}: {reason}" for reason, names in reasons.items()]
        if self.unnamed:
            lines.append(f"corpora that the config does not name: {', '.join(self.unnamed)}")
        real = [i for i in self.corpus_ids("merlion", "scored", "submission") if self.corpora[i]["origin"] != SYNTHETIC]
        if real and (models := self.on_synthetic()):
            lines.append(
                f"fitted on synthetic speech: {', '.join(models)}: no closed-track systems for {', '.join(real)}"
            )
        for corpus in self.without_segments():
            lines.append(f"{corpus} has audio and no timestamps: it is diarized for Task 2, nothing is made for Task 1")
        if all(corpus["role"] == "training" for corpus in self.corpora.values()):
            *keys, last = (f"{task}.corpora" for task in TASKS if task not in SPEECH)
            lines.append(f"no corpus to evaluate on: name some in {', '.join(keys)} or {last}")
        return lines

    def pools(self) -> dict[str, list[str]]:
        """Corpora by the name of their pool; none where no corpus is selected."""
        return {pool["name"]: pool["corpora"] for pool in self.config["g2p"]["pools"] if self.config["g2p"]["corpora"]}

    def files_of(self, corpus: str, retrieved: str) -> dict[str, str]:
        """Paths of the files of a corpus by their part; external ones stand in ``<retrieved>/<source>/<file>``.

        Objects of a storage stand in ``<retrieved>/s3``.
        """
        files = self.corpora[corpus]["files"]
        return {
            part: f"{retrieved}/{file['source']}/{file['file']}"
            if isinstance(file, dict)
            else objects.place(file, retrieved)
            for part, file in files.items()
        }

    def sha256_of(self, source: str, file: str) -> str | None:
        """The sha256 that an external file is pinned to; None where its entry has none, which its retrieval refuses."""
        facts = self.sources[source]["files"].get(file)
        return facts.get("sha256") if isinstance(facts, Mapping) else None

    def sources_of(self, *corpora: str) -> dict[str, dict]:
        """The entries of the sources that files of the corpora come from."""
        files = [file for corpus in corpora for file in self.corpora[corpus]["files"].values()]
        return {file["source"]: self.sources[file["source"]] for file in files if isinstance(file, dict)}

    def corpora_of(self, source: str, file: str) -> list[str]:
        """Ids of the selected corpora that an external file belongs to."""
        wanted = {"source": source, "file": file}
        return [corpus for corpus, entry in self.corpora.items() if wanted in entry["files"].values()]


def partition_of(model: str, models: Mapping, config: Mapping) -> str | None:
    """The partition that a speech model is fitted on, itself or through its lid model; None where there is none."""
    entry = models[model]
    inherited = partition_of(entry["lid"], models, config) if entry.get("lid") else None
    own = (entry.get("training") or config["lid"]["training"]) if entry.get("fit") else None
    return inherited or own


def corpus_task(task: str) -> str:
    """The task whose corpora a task is evaluated on."""
    return "merlion" if task in SPEECH else task


@cache
def bytes_below(folder: str) -> int:
    """The size of all files below a folder; 0 where there is no such folder."""
    return sum(os.path.getsize(os.path.join(place, name)) for place, _, names in os.walk(folder) for name in names)
