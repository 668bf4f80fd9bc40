"""The config and its catalogs: read, checked against their schemas, and resolved before any rule runs.

Imported while Snakemake parses: nothing heavy here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sinobench.errors import InputError, nearest
from sinobench.merlion.training.tracks import SYNTHETIC
from sinobench.schema import check, load_yaml, typed

READER_FILES = {
    "anchored": ("g2p", {"sent", "lb"}, {"pos"}),
    "dufu": ("g2p", {"text"}, set()),
    "pairs": ("csc", {"text"}, {"gold"}),
    "sighan": ("csc", {"text"}, {"truth"}),
    "mucgec": ("csc", {"text"}, set()),
    "lang8": ("csc", {"text"}, set()),
    "cged": ("csc", {"text"}, set()),
    "yaclc": ("csc", {"text"}, set()),
    "ctc2021": ("csc", {"text"}, {"truth"}),
    "merlion": ("merlion", {"audio"}, {"labels", "timestamps", "flat", "eaf", "regions", "redactions"}),
    "librispeech": ("merlion", {"audio"}, set()),
    "aishell": ("merlion", {"audio"}, {"ids"}),
    "nsc": ("merlion", {"audio"}, set()),
    "seame": ("merlion", {"audio"}, set()),
    "manifest": ("merlion", {"audio"}, set()),
}


# The parts of a MERLIon corpus that hold segments, without which language identification has no trials.
SEGMENTED = {"labels", "timestamps", "flat", "eaf"}

# Speech tasks share the corpora of merlion; diarization follows identification, whose models it uses.
TASKS = ("g2p", "csc", "merlion", "lid", "ld")
SPEECH = ("lid", "ld")


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

    def partitions(self) -> dict[str, dict]:
        """Partitions of the MERLIon training data by their name."""
        return {partition["name"]: partition for partition in self.config["merlion"]["partitions"]}

    def partition_of(self, model: str) -> str | None:
        """The partition that a speech model is fitted on, itself or through its lid model; None where there is none."""
        return _partition_of(model, self.models, self.config)

    def pretrained_of(self, model: str) -> list[dict]:
        """The pretrained models that a speech model builds on, itself and through its partition and its lid model."""
        entry = self.models[model]
        partition = self.partition_of(model)
        inherited = self.pretrained_of(entry["lid"]) if entry["lid"] else []
        if not entry["lid"] and partition:
            inherited = self.partitions()[partition]["pretrained"]
        return [*inherited, *entry["pretrained"]]

    def track_of(self, model: str) -> str:
        """The track of the challenge that a speech model belongs to."""
        entry = self.models[model]
        if entry["track"]:
            return entry["track"]
        if entry["lid"]:
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
            lines.append("no corpus to evaluate on: name some in g2p.corpora, csc.corpora or merlion.corpora")
        return lines

    def pools(self) -> dict[str, list[str]]:
        """Corpora by the name of their pool; none where no corpus is selected."""
        return {pool["name"]: pool["corpora"] for pool in self.config["g2p"]["pools"] if self.config["g2p"]["corpora"]}

    def files_of(self, corpus: str, retrieved: str) -> dict[str, str]:
        """Paths of the files of a corpus by their part; external ones stand in ``<retrieved>/<source>/<file>``."""
        return {
            part: file if isinstance(file, str) else f"{retrieved}/{file['source']}/{file['file']}"
            for part, file in self.corpora[corpus]["files"].items()
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


def resolve(config: Mapping, schemas: str | Path, given: Mapping | None = None) -> Catalog:
    """Validate a config and the catalogs it names, and select what it evaluates.

    schemas: folder of the ``*.schema.yaml`` files; given: what of the config the command line's ``--config`` gave.
    Raises InputError for an unknown or malformed key (with its path and the nearest right name), and for an unknown,
    doubled or unfit corpus, model, source or file.

    A model is selected where there is a corpus to evaluate it on: one that the config names, else each that is enabled,
    less those that what the config names can't make.
    """
    schemas = Path(schemas)
    schema = schemas / "config.schema.yaml"
    config = check(_with_given(config, typed(given or {}, load_yaml(schema))), schema, "config")
    paths = {name: [files] if isinstance(files, str) else files for name, files in config["catalogs"].items()}
    sources = load_yaml(config["catalogs"]["sources"])
    corpora = _entries(paths["corpora"], schemas / "corpora.schema.yaml")
    models = _entries(paths["models"], schemas / "models.schema.yaml")
    paths = {name: ", ".join(files) for name, files in paths.items()}
    _check_corpora(corpora, sources, paths)
    _check_models(models, corpora, paths)
    selected_corpora: dict[str, dict] = {}
    selected_models: dict[str, dict] = {}
    left_out: dict[str, str] = {}
    for task in TASKS:
        for key, roles in (("corpora", ("scored", "submission")), ("training", ("training",))):
            for name in [] if task in SPEECH else config[task].get(key, []):
                selected_corpora[name] = _pick(corpora, name, task, f"{task}.{key}", paths["corpora"])
                if selected_corpora[name]["role"] not in roles:
                    role = selected_corpora[name]["role"]
                    raise InputError(
                        f"config: {task}.{key} names '{name}', whose role is '{role}'; expected {' or '.join(roles)}"
                    )
        evaluated = {"scored", "submission"} & {
            corpus["role"] for corpus in selected_corpora.values() if corpus["task"] == corpus_task(task)
        }
        of_task = {i: model for i, model in models.items() if model["task"] == task}
        named = config[task].get("models")
        for name in named or []:
            _pick(models, name, task, f"{task}.models", paths["models"])
        for name, model in of_task.items():
            if not evaluated:
                reason = f"the config names no corpus for {task}"
            elif named is not None:
                reason = None if name in named else f"{task}.models does not name it"
            elif not model["enabled"]:
                reason = "its entry says enabled: false"
            elif name in config["disabled"]:
                reason = "the config's key disabled names it"
            else:
                reason = _not_made(name, models, selected_models, config)
            if reason:
                left_out[name] = reason
            else:
                selected_models[name] = model
    for name in config["disabled"]:
        _known(name, models, "config: disabled names", paths["models"])
    for partition in config["merlion"]["partitions"]:
        for part in partition["parts"]:
            if part["corpus"] not in config["merlion"]["training"]:
                hint = nearest(part["corpus"], config["merlion"]["training"])
                raise InputError(
                    f"config: partition '{partition['name']}' names '{part['corpus']}', "
                    f"which merlion.training does not; {hint}"
                )
    unnamed = [name for name in corpora if name not in selected_corpora]
    catalog = Catalog(config, sources, selected_corpora, selected_models, left_out, unnamed)
    _check_fitted_models(catalog)
    pools = [pool["name"] for pool in config["g2p"]["pools"]]
    for pool in config["g2p"]["pools"]:
        if pools.count(pool["name"]) > 1:
            raise InputError(f"config: two of g2p.pools are named '{pool['name']}'; give each its own name")
        for name in pool["corpora"] if config["g2p"]["corpora"] else []:
            if name not in config["g2p"]["corpora"]:
                hint = nearest(name, config["g2p"]["corpora"])
                raise InputError(f"config: pool '{pool['name']}' names '{name}', which g2p.corpora does not; {hint}")
    return catalog


def _with_given(config: Mapping, given: Mapping) -> dict:
    """The config with the same keys as given, as Snakemake merges them: mappings into each other, lists as a whole."""
    merged = dict(config)
    for key, value in given.items():
        inner = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = _with_given(merged[key], value) if inner else value
    return merged


def _entries(paths: Iterable[str], schema: Path) -> dict:
    """The checked entries of a catalog's files by id, with ``catalog``, the file that each stands in."""
    entries: dict[str, dict] = {}
    for path in paths:
        for name, entry in check(load_yaml(path), schema, path).items():
            if name in entries:
                raise InputError(f"'{name}' stands in {entries[name]['catalog']} already; give it another id", path)
            entries[name] = entry | {"catalog": path}
    return entries


def _check_corpora(corpora: dict, sources: dict, paths: Mapping) -> None:
    for name, corpus in corpora.items():
        task, required, optional = READER_FILES[corpus["reader"]]
        where = f"{corpus['catalog']}: corpus '{name}'"
        if corpus["task"] != task:
            raise InputError(f"{where} is for {corpus['task']}, but reader '{corpus['reader']}' is for {task}")
        given = corpus["files"].keys()
        if missing := required - given:
            raise InputError(f"{where} lacks files.{min(missing)}, which reader '{corpus['reader']}' needs")
        if extra := given - required - optional:
            raise InputError(f"{where} has files.{min(extra)}, which reader '{corpus['reader']}' does not read")
        if corpus["reader"] == "pairs" and ("gold" in corpus["columns"]) != (corpus["role"] != "submission"):
            raise InputError(
                f"{where} has columns {corpus['columns']}; a gold column goes with every role but submission"
            )
        if "gold" in given and (corpus["columns"], corpus["delimiter"]) != (["input", "gold"], "\t"):
            raise InputError(f"{where} has files.gold, whose lines are the golds of files.text; leave columns away")
        if corpus["remove_blanks"] and corpus["reader"] != "pairs":
            raise InputError(f"{where} has remove_blanks, which only reader 'pairs' knows")
        if task != "merlion" and corpus["origin"] != "other":
            raise InputError(f"{where} has origin, which only merlion corpora have")
        if task == "g2p" and corpus["role"] != "scored":
            raise InputError(f"{where} has role '{corpus['role']}', which no g2p corpus has")
        if task == "merlion" and (corpus["reader"] != "merlion") != (corpus["role"] == "training"):
            raise InputError(f"{where} has reader '{corpus['reader']}', which does not go with role '{corpus['role']}'")
        for part, file in corpus["files"].items():
            if isinstance(file, dict):
                _known(file["source"], sources, f"{where}, files.{part}: source", paths["sources"])
                known_files = (sources[file["source"]] or {}).get("files")
                if not known_files:
                    raise InputError(f"{paths['sources']}: source '{file['source']}' has no files")
                _known(
                    file["file"], known_files, f"{where}, files.{part}: file", f"{paths['sources']}, {file['source']}"
                )


def _check_models(models: dict, corpora: dict, paths: Mapping) -> None:
    for name, model in models.items():
        where = f"{model['catalog']}: model '{name}'"
        if model["fit"] and (model["task"] == "g2p" or model["kind"] != "python"):
            raise InputError(f"{where} has fit: true, which only csc, lid and ld models of kind python have")
        if model["training"] and not (model["task"] == "lid" and model["fit"]):
            raise InputError(f"{where} has training, which only lid models with fit: true have")
        if model["lid"] is not None:
            if model["task"] != "ld" or model["kind"] != "python":
                raise InputError(f"{where} has lid, which only ld models of kind python have")
            known = {i: m for i, m in models.items() if m["task"] == "lid" and m["kind"] == "python"}
            _known(model["lid"], known, f"{where}, lid: model", paths["models"])
        if (model["track"] or model["pretrained"]) and model["task"] not in SPEECH:
            raise InputError(f"{where} has track or pretrained, which only lid and ld models have")
        for corpus in model["files"]:
            _known(corpus, corpora, f"{where}, files: corpus", paths["corpora"])


def _check_fitted_models(catalog: Catalog) -> None:
    evaluation = catalog.corpus_ids("merlion", "submission")
    if len(evaluation) > 1:
        raise InputError(
            f"config: merlion.corpora names the evaluation sets {', '.join(evaluation)}; a submission is of one: "
            "run them one after the other"
        )
    partition = catalog.config["lid"]["training"]
    if partition and catalog.corpus_ids("merlion", "scored", "submission"):
        _known(partition, catalog.partitions(), "config: lid.training names", "merlion.partitions")
    for name, model in catalog.models.items():
        if model["lid"] and model["lid"] not in catalog.models:
            raise InputError(
                f"config: ld.models names '{name}', whose lid model '{model['lid']}' is not in lid.models; add it"
            )
        if reason := _not_made(name, catalog.models, catalog.models, catalog.config):
            raise InputError(f"config: {model['task']}.models names '{name}', which can't be made: {reason}")


def _partition_of(model: str, models: Mapping, config: Mapping) -> str | None:
    entry = models[model]
    inherited = _partition_of(entry["lid"], models, config) if entry["lid"] else None
    own = (entry["training"] or config["lid"]["training"]) if entry["fit"] else None
    return inherited or own


def _not_made(model: str, models: Mapping, selected: Mapping, config: Mapping) -> str | None:
    """Why a model can't be made of what the config names; None where it can."""
    entry = models[model]
    if entry["lid"] not in (None, *selected):
        return f"its lid model '{entry['lid']}' is not evaluated"
    if entry["fit"] and entry["task"] == "csc" and not config["csc"]["training"]:
        return "it is to be fitted, but csc.training names no corpus"
    if entry["fit"] and entry["task"] in SPEECH:
        partition, known = _partition_of(model, models, config), [p["name"] for p in config["merlion"]["partitions"]]
        if not partition:
            return "it is to be fitted, but neither lid.training nor its entry names a partition"
        if partition not in known:
            return (
                f"it is to be fitted on partition '{partition}', not in merlion.partitions; {nearest(partition, known)}"
            )
    return None


def corpus_task(task: str) -> str:
    """The task whose corpora a task is evaluated on."""
    return "merlion" if task in SPEECH else task


def _pick(entries: dict, name: str, task: str, key: str, path: str) -> dict:
    same_task = {i: entry for i, entry in entries.items() if entry["task"] == task}
    _known(name, same_task, f"config: {key} names", path)
    return same_task[name]


def _known(name: str, known: Mapping, what: str, path: str) -> None:
    if name not in known:
        raise InputError(f"{what} '{name}', which is not in {path}; {nearest(name, known)}")
