"""The texts of a submission made again, from what stands in its folder ``code``."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np
import yaml

from sinobench.csc.digests import digests
from sinobench.csc.fitting import TrainingCorpus, fit
from sinobench.csc.readers import read_corpus
from sinobench.csc.running import predict
from sinobench.csc.submission import result_lines
from sinobench.errors import InputError
from sinobench.hub.entries import pins_of, placed
from sinobench.retrieve import mirror_of, retrieve, supply


def reproduce(submitted: Path, work: Path) -> None:
    """Write ``<corpus>.txt`` into the folder ``work``; InputError where one is not the text in ``submitted``.

    Corpora, sources, the model and its config are read from the working directory. Files from the net are retrieved
    first, or copied from the folder SINOBENCH_MIRROR.
    """
    config, entries, sources, models = (
        yaml.safe_load(Path(f"{name}.yaml").read_text("utf-8")) for name in ("config", "corpora", "sources", "model")
    )
    [(model, entry)] = models.items()
    work.mkdir(parents=True, exist_ok=True)
    corpora = {}
    for name, corpus in entries.items():
        files = {part: _file(file, sources, work) for part, file in corpus["files"].items()}
        corpora[name] = read_corpus(name, corpus, files)
    fitted = None
    for pin in pins_of(entry):
        supply(pin, work / "retrieved" / pin.source / pin.file, mirror_of({}))
    entry = placed(entry, str(work / "retrieved"))
    if entry.get("fit"):
        training, scored = ([i for i, c in entries.items() if c["role"] == role] for role in ("training", "scored"))
        golds = np.sort(digests(gold for name in scored for item in corpora[name].items for gold in item["golds"]))
        sets = []
        for name in training:
            pairs = [(item["input"], item["golds"][0]) for item in corpora[name].items]
            sets.append(TrainingCorpus(name, pairs, len(corpora[name].set_aside)))
        fitted = str(work / "model.fitted")
        fit(model, entry, config["seed"], sets, golds, fitted)
    for name in (name for name, corpus in entries.items() if corpus["role"] == "submission"):
        inputs = {key: [item[key] for item in corpora[name].items] for key in ("item_id", "line", "input")}
        written = []
        predict(name, model, entry, [], fitted, partial(iter, [inputs]), threads=1, written=written.append)
        [predicted] = written
        lines = result_lines(name, predicted["input"], inputs["input"], predicted["prediction"])
        path = work / f"{name}.txt"
        path.write_bytes(lines.encode())
        if lines.encode() != Path(submitted, f"{name}.txt").read_bytes():
            raise InputError(f"is not {submitted}/{name}.txt; install the packages of requirements.txt", path)
        print(f"{path}: as submitted")


def _file(file: str | Mapping, sources: Mapping, work: Path) -> str:
    if isinstance(file, str):
        return file
    path = work / "retrieved" / file["source"] / file["file"]
    retrieve(file["source"], file["file"], path, sources, mirror_of({}))
    return str(path)
