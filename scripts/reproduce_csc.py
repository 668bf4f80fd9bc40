"""Make the texts of a submission again, in its folder ``code`` and without Snakemake; no rule runs this script."""

import sys
from pathlib import Path

import yaml

import fit_csc
import ingest_csc
import predict_csc
from sinobench.csc.submission import result_lines
from sinobench.errors import InputError
from sinobench.results import tables
from sinobench.retrieve import mirror_of, retrieve

WORK = Path("reproduced")


def main(submitted: str | Path = "..") -> None:
    """Write ``reproduced/<corpus>.txt``; InputError where one is not the text in the folder ``submitted``."""
    config, corpora, sources, models = (
        yaml.safe_load(Path(f"{name}.yaml").read_text("utf-8")) for name in ("config", "corpora", "sources", "model")
    )
    [(model, entry)] = models.items()
    items, inputs, aside = ({name: _table(kind, name) for name in corpora} for kind in ("items", "inputs", "set_aside"))
    for name, corpus in corpora.items():
        files = {part: _file(file, sources) for part, file in corpus["files"].items()}
        ingest_csc.main(name, corpus, files, items[name], inputs[name], aside[name])
    fitted = str(WORK / "model.fitted") if entry["fit"] else None
    if fitted:
        training, scored = ([i for i, c in corpora.items() if c["role"] == role] for role in ("training", "scored"))
        read = [items[i] for i in training], [aside[i] for i in training], [items[i] for i in scored]
        fit_csc.main(model, entry, config["seed"], *read, fitted, _table("training_sets", model))
    for name in (name for name, corpus in corpora.items() if corpus["role"] == "submission"):
        predictions = _table("predictions", name)
        predict_csc.main(name, model, entry, [], fitted, inputs[name], predictions, _table("runs", name), threads=1)
        found, wanted = tables.read(predictions).to_pydict(), tables.read(inputs[name])["input"].to_pylist()
        text = result_lines(name, found["input"], wanted, found["prediction"]).encode()
        (WORK / f"{name}.txt").write_bytes(text)
        if text != Path(submitted, f"{name}.txt").read_bytes():
            raise InputError(
                f"is not {submitted}/{name}.txt; install the packages of requirements.txt", WORK / f"{name}.txt"
            )
        print(f"{WORK / name}.txt: as submitted")


def _table(kind: str, name: str) -> str:
    path = WORK / kind / f"{name}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    return str(path)


def _file(file: str | dict, sources: dict) -> str:
    """The path of a corpus's file; one from the net is retrieved first, or copied from the folder SINOBENCH_MIRROR."""
    if isinstance(file, str):
        return file
    path = WORK / "retrieved" / file["source"] / file["file"]
    retrieve(file["source"], file["file"], path, sources, mirror_of({}))
    return str(path)


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        sys.exit(f"error: {error}")
