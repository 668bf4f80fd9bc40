"""A sized corpus with a config that evaluates two files of predictions on it."""

from pathlib import Path

import yaml

from sinobench.samples.sized import csc, g2p, merlion

_MAKERS = {"g2p": g2p, "csc": csc, "lid": merlion, "ld": merlion}
PUBLIC_SIZES = {"g2p": 113_000, "csc": 15_000, "lid": 151, "ld": 151}  # characters, pairs, recordings
_OUTPUT = {"g2p": "txt", "csc": "txt", "lid": "txt", "ld": "rttm"}
_TRAINING = "sized-training"
_POOLED = 2  # corpora of g2p, which are pooled


def make(task: str, folder: str | Path, size: int, seed: int = 0) -> None:
    """Write the corpus ``sized`` of a task, its catalogs, and ``config.yaml``, all below the folder.

    size: characters of g2p, half of them in ``sized-1`` and half in ``sized-2``; pairs of csc, and of what its models
    say that they learnt, ``sized-training``; recordings of lid and ld. The same arguments give the same bytes.
    """
    folder, maker = Path(folder), _MAKERS[task]
    names = [f"sized-{n}" for n in range(1, _POOLED + 1)] if task == "g2p" else ["sized"]
    about = {"task": task, "title": f"Sized corpus, {size:,}", "licence": "CC0-1.0"}
    corpora = {
        name: about | maker.make(folder / name, size // len(names), seed + number) for number, name in enumerate(names)
    }
    models = {
        model: {
            "task": task,
            "title": model,
            "kind": "predictions",
            "training_data": [_TRAINING if task == "csc" else "none"],
            "files": {name: str(folder / name / f"{model}.{_OUTPUT[task]}") for name in names},
        }
        for model in maker.MODELS
    }
    config: dict = {"run": "sized", corpora[names[0]]["task"]: {"corpora": names}}
    if task == "g2p":
        config["g2p"]["pools"] = [{"name": "sized", "corpora": names}]
    if task == "csc":
        corpora[_TRAINING] = about | {"role": "training"} | csc.make(folder / _TRAINING, size, seed + 1, models={})
        config["csc"]["training"] = [_TRAINING]
    config["catalogs"] = {kind: str(folder / f"{kind}.yaml") for kind in ("corpora", "models")}
    for name, content in (("corpora", corpora), ("models", models), ("config", config)):
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
