"""The entries of the catalogs, read and checked: each by its schema, then what a schema can't say.

Imported while Snakemake parses: nothing heavy here.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from sinobench.errors import InputError, nearest
from sinobench.plugins import Plugin, refused
from sinobench.schema import check, load_yaml
from sinobench.served import check_served

# The parts of a MERLIon corpus that hold segments, without which language identification has no trials.
SEGMENTED = {"labels", "timestamps", "flat", "eaf"}
# Diarization follows identification, whose models it uses.
TASKS = ("g2p", "csc", "merlion", "lid", "ld")
# Tasks on the corpora of merlion.
SPEECH = ("lid", "ld")


def read_entries(paths: Iterable[str], schema: Path, plugins: Iterable[Plugin] = ()) -> dict:
    """The entries of a catalog's files and of plug-ins by id, with ``catalog``, the file that each stands in."""
    entries: dict[str, dict] = {}
    for path in paths:
        for name, entry in check(load_yaml(path), schema, path).items():
            if name in entries:
                raise InputError(f"'{name}' stands in {entries[name]['catalog']} already; give it another id", path)
            entries[name] = entry | {"catalog": path}
    for plugin in plugins:
        where = f"plug-in {plugin.package}"
        try:
            own = check(load_yaml(plugin.file), schema, plugin.file.name)
        except InputError as error:
            raise refused(plugin.package, error) from None
        for name, entry in own.items():
            if name in entries:
                raise refused(plugin.package, f"its '{name}' stands in {entries[name]['catalog']} already")
            entries[name] = plugin.resolved(entry) | {"catalog": where}
    return entries


def check_corpora(corpora: dict, sources: dict, paths: Mapping) -> None:
    """InputError for a corpus whose keys or files do not go together, or whose source is not known.

    paths: the files of each catalog, for messages.
    """
    for name, corpus in corpora.items():
        where = f"{corpus['catalog']}: corpus '{name}'"
        if corpus["reader"] == "pairs" and ("gold" in corpus["columns"]) != (corpus["role"] != "submission"):
            raise InputError(
                f"{where} has columns {corpus['columns']}; a gold column goes with every role but submission"
            )
        if "gold" in corpus["files"] and (corpus["columns"], corpus["delimiter"]) != (["input", "gold"], "\t"):
            raise InputError(f"{where} has files.gold, whose lines are the golds of files.text; leave columns away")
        for part, file in corpus["files"].items():
            if isinstance(file, dict):
                check_known(file["source"], sources, f"{where}, files.{part}: source", paths["sources"])
                known_files = sources[file["source"]].get("files")
                if not known_files:
                    raise InputError(f"{paths['sources']}: source '{file['source']}' has no files")
                check_known(
                    file["file"], known_files, f"{where}, files.{part}: file", f"{paths['sources']}, {file['source']}"
                )


def check_models(models: dict, corpora: dict, paths: Mapping) -> None:
    """InputError for a model whose keys do not go together, or that names a model or corpus that is not known."""
    for name, model in models.items():
        where = f"{model['catalog']}: model '{name}'"
        if model.get("lid"):
            known = {i: m for i, m in models.items() if m["task"] == "lid" and m["kind"] in ("python", "hub")}
            check_known(model["lid"], known, f"{where}, lid: model", paths["models"])
        for corpus in model["files"] if model["kind"] == "predictions" else ():
            check_known(corpus, corpora, f"{where}, files: corpus", paths["corpora"])
        if model["kind"] == "chat":
            check_served(model, where)


def check_known(name: str, known: Mapping, named: str, path: str) -> None:
    """InputError with the nearest right name where the path does not hold what a user named."""
    if name not in known:
        raise InputError(f"{named} '{name}', which is not in {path}; {nearest(name, known)}")
