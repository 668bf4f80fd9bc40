"""The config and its catalogs: read, checked against their schemas, and resolved before any rule runs.

Imported while Snakemake parses: nothing heavy here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from sinobench.errors import InputError, nearest

READER_FILES = {
    "anchored": ("g2p", {"sent", "lb"}, {"pos"}),
    "dufu": ("g2p", {"text"}, set()),
    "pairs": ("csc", {"text"}, set()),
    "sighan": ("csc", {"text"}, {"truth"}),
    "mucgec": ("csc", {"text"}, set()),
    "merlion": ("merlion", {"audio"}, {"labels", "timestamps", "flat", "eaf", "regions", "redactions"}),
    "librispeech": ("merlion", {"audio"}, set()),
    "aishell": ("merlion", {"audio"}, {"ids"}),
    "nsc": ("merlion", {"audio"}, set()),
    "seame": ("merlion", {"audio"}, set()),
    "manifest": ("merlion", {"audio"}, set()),
}


@dataclass(frozen=True)
class Catalog:
    """The resolved run: ``corpora`` and ``models`` hold the selected entries by id, with their defaults filled in."""

    config: dict
    sources: dict
    corpora: dict[str, dict]
    models: dict[str, dict]

    def corpus_ids(self, task: str, *roles: str) -> list[str]:
        """Ids of the selected corpora of a task and of any of the roles."""
        return [i for i, c in self.corpora.items() if c["task"] == task and c["role"] in roles]

    def model_ids(self, task: str, corpus: str | None = None) -> list[str]:
        """Ids of the selected models of a task, less those that only have predictions for other corpora."""
        return [
            i
            for i, m in self.models.items()
            if m["task"] == task and (corpus is None or m["kind"] != "predictions" or corpus in m["files"])
        ]

    def partitions(self) -> dict[str, dict]:
        """Partitions of the MERLIon training data by their name."""
        return {partition["name"]: partition for partition in self.config["merlion"]["partitions"]}

    def pools(self) -> dict[str, list[str]]:
        """Corpora by the name of their pool."""
        return {pool["name"]: pool["corpora"] for pool in self.config["g2p"]["pools"]}

    def files_of(self, corpus: str, retrieved: str) -> dict[str, str]:
        """Paths of the files of a corpus by their part; external ones stand in ``<retrieved>/<source>/<file>``."""
        return {
            part: file if isinstance(file, str) else f"{retrieved}/{file['source']}/{file['file']}"
            for part, file in self.corpora[corpus]["files"].items()
        }

    def corpora_of(self, source: str, file: str) -> list[str]:
        """Ids of the selected corpora that an external file belongs to."""
        wanted = {"source": source, "file": file}
        return [corpus for corpus, entry in self.corpora.items() if wanted in entry["files"].values()]


def resolve(config: Mapping, schemas: str | Path) -> Catalog:
    """Validate a config and the catalogs it names, and select what it evaluates.

    schemas: folder of the ``*.schema.yaml`` files. Raises InputError for an unknown or malformed key (with its path and
    the nearest right name), and for an unknown, doubled or unfit corpus, model, source or file.
    """
    schemas = Path(schemas)
    config = check(dict(config), schemas / "config.schema.yaml", "config")
    paths = config["catalogs"]
    sources = load_yaml(paths["sources"])
    corpora = check(load_yaml(paths["corpora"]), schemas / "corpora.schema.yaml", paths["corpora"])
    models = check(load_yaml(paths["models"]), schemas / "models.schema.yaml", paths["models"])
    _check_corpora(corpora, sources, paths)
    _check_models(models, corpora, paths)
    selected_corpora: dict[str, dict] = {}
    selected_models: dict[str, dict] = {}
    for task in ("g2p", "csc", "merlion"):
        for key, roles in (("corpora", ("scored", "submission")), ("training", ("training",))):
            for name in config[task].get(key, []):
                selected_corpora[name] = _pick(corpora, name, task, f"{task}.{key}", paths["corpora"])
                if selected_corpora[name]["role"] not in roles:
                    role = selected_corpora[name]["role"]
                    raise InputError(
                        f"config: {task}.{key} names '{name}', whose role is '{role}'; expected {' or '.join(roles)}"
                    )
        names = config[task].get("models")
        if names is None:
            names = [i for i, m in models.items() if m["task"] == task and m["enabled"]]
        for name in names:
            selected_models[name] = _pick(models, name, task, f"{task}.models", paths["models"])
    for partition in config["merlion"]["partitions"]:
        for part in partition["parts"]:
            if part["corpus"] not in config["merlion"]["training"]:
                hint = nearest(part["corpus"], config["merlion"]["training"])
                raise InputError(
                    f"config: partition '{partition['name']}' names '{part['corpus']}', "
                    f"which merlion.training does not; {hint}"
                )
    pools = [pool["name"] for pool in config["g2p"]["pools"]]
    for pool in config["g2p"]["pools"]:
        if pools.count(pool["name"]) > 1:
            raise InputError(f"config: two of g2p.pools are named '{pool['name']}'; give each its own name")
        for name in pool["corpora"]:
            if name not in config["g2p"]["corpora"]:
                hint = nearest(name, config["g2p"]["corpora"])
                raise InputError(f"config: pool '{pool['name']}' names '{name}', which g2p.corpora does not; {hint}")
    return Catalog(config, sources, selected_corpora, selected_models)


def load_yaml(path: str | Path) -> dict:
    """A YAML mapping; InputError with the line for broken YAML, a doubled key or anything but a mapping."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"can't be read ({error}); expected a YAML file in UTF-8", path) from None
    try:
        data = yaml.load(text, Loader=_StrictLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError(f"{error.problem}", path, line) from None
    if not isinstance(data, dict):
        raise InputError("expected a mapping of keys to values", path)
    return data


def check(instance: dict, schema_path: Path, where: str) -> dict:
    """The instance with the schema's defaults filled in; InputError for what the schema does not allow."""
    schema = load_yaml(schema_path)
    errors = sorted(jsonschema.Draft202012Validator(schema).iter_errors(instance), key=lambda e: list(map(str, e.path)))
    if errors:
        raise InputError(f"{where}: {_explain(errors[0])}")
    return _with_defaults(instance, schema)


def _explain(error: jsonschema.ValidationError) -> str:
    # Of alternatives, the one whose type the value has says what is wrong with it.
    if error.validator == "oneOf" and (closer := [e for e in error.context if e.validator != "type"]):
        return _explain(closer[0])
    place = ".".join(map(str, error.absolute_path)) or "top level"
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = error.schema.get("properties", {})
        unknown = next(key for key in error.instance if key not in known)
        return f"unknown key '{unknown}' at {place}; {nearest(str(unknown), known)}"
    if error.validator == "required":
        absent = next(key for key in error.validator_value if key not in error.instance)
        return f"key '{absent}' is missing at {place}"
    if error.validator == "enum" and isinstance(error.instance, str):
        return f"'{error.instance}' at {place} is not known; {nearest(error.instance, map(str, error.validator_value))}"
    return f"{error.message} at {place}"


def _with_defaults(instance: Any, schema: Mapping) -> Any:
    if not isinstance(instance, dict):
        if isinstance(instance, list):
            return [_with_defaults(item, schema.get("items", {})) for item in instance]
        return instance
    known, other = schema.get("properties", {}), schema.get("additionalProperties", {})
    filled = {
        key: _with_defaults(value, known.get(key, other if isinstance(other, dict) else {}))
        for key, value in instance.items()
    }
    for key, sub in known.items():
        if key not in filled and "default" in sub:
            filled[key] = _with_defaults(sub["default"], sub)
    return filled


def _check_corpora(corpora: dict, sources: dict, paths: Mapping) -> None:
    for name, corpus in corpora.items():
        task, required, optional = READER_FILES[corpus["reader"]]
        where = f"{paths['corpora']}: corpus '{name}'"
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
        where = f"{paths['models']}: model '{name}'"
        if model["fit"] and (model["task"] != "csc" or model["kind"] != "python"):
            raise InputError(f"{where} has fit: true, which only csc models of kind python have")
        for corpus in model["files"]:
            _known(corpus, corpora, f"{where}, files: corpus", paths["corpora"])


def _pick(entries: dict, name: str, task: str, key: str, path: str) -> dict:
    same_task = {i: entry for i, entry in entries.items() if entry["task"] == task}
    _known(name, same_task, f"config: {key} names", path)
    return same_task[name]


def _known(name: str, known: Mapping, what: str, path: str) -> None:
    if name not in known:
        raise InputError(f"{what} '{name}', which is not in {path}; {nearest(name, known)}")


class _StrictLoader(yaml.SafeLoader):
    """YAML where a key that stands twice is an error, not the last one's silent victory."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.constructor.ConstructorError(None, None, f"key '{key}' stands twice", key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)
