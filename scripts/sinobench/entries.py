"""The entries of the catalogs, read and checked: each by its schema, then what a schema can't say.

Imported while Snakemake parses: nothing heavy here.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from sinobench.errors import InputError, nearest
from sinobench.schema import check, load_yaml

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
# Diarization follows identification, whose models it uses.
TASKS = ("g2p", "csc", "merlion", "lid", "ld")
# Tasks on the corpora of merlion.
SPEECH = ("lid", "ld")


def read_entries(paths: Iterable[str], schema: Path) -> dict:
    """The entries of a catalog's files by id, with ``catalog``, the file that each stands in."""
    entries: dict[str, dict] = {}
    for path in paths:
        for name, entry in check(load_yaml(path), schema, path).items():
            if name in entries:
                raise InputError(f"'{name}' stands in {entries[name]['catalog']} already; give it another id", path)
            entries[name] = entry | {"catalog": path}
    return entries


def check_corpora(corpora: dict, sources: dict, paths: Mapping) -> None:
    """InputError for a corpus whose keys or files do not go together, or whose source is not known.

    paths: the files of each catalog, for messages.
    """
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
                check_known(file["source"], sources, f"{where}, files.{part}: source", paths["sources"])
                known_files = (sources[file["source"]] or {}).get("files")
                if not known_files:
                    raise InputError(f"{paths['sources']}: source '{file['source']}' has no files")
                check_known(
                    file["file"], known_files, f"{where}, files.{part}: file", f"{paths['sources']}, {file['source']}"
                )


def check_models(models: dict, corpora: dict, paths: Mapping) -> None:
    """InputError for a model whose keys do not go together, or that names a model or corpus that is not known."""
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
            check_known(model["lid"], known, f"{where}, lid: model", paths["models"])
        if (model["track"] or model["pretrained"]) and model["task"] not in SPEECH:
            raise InputError(f"{where} has track or pretrained, which only lid and ld models have")
        for corpus in model["files"]:
            check_known(corpus, corpora, f"{where}, files: corpus", paths["corpora"])


def check_known(name: str, known: Mapping, what: str, path: str) -> None:
    """InputError with the nearest right name where the path does not hold what a user named."""
    if name not in known:
        raise InputError(f"{what} '{name}', which is not in {path}; {nearest(name, known)}")
