"""The folder ``code`` of a submission: the model's own code, what makes the results with it, and what these need.

Source: "Testing Instructions and Submission" of NLPCC 2023 Task 8: "all the codes of data augmentation, data
processing, model training and model inference".
"""

import ast
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import yaml

from sinobench import __version__, digest
from sinobench.dependencies import data_files
from sinobench.hub.entries import pins_of

# What a spelling-check model, or corpus, is of its catalog's entry; the rest is for other tasks.
_ENTRY = ["task", "title", "kind", "class", "options", "inputs", "fit", "files", "prior_data", "packages", "licence"]
_OF_HUB = ["hub", "revision", "loader"]
_SERVED = ["task", "title", "kind", "endpoint", "chat_model", "prompt", "max_tokens", "prior_data", "licence"]
_CORPUS = ["task", "title", "role", "reader", "files", "columns", "delimiter", "lenient", "remove_blanks", "licence"]


@dataclass(frozen=True)
class System:
    """What made a submission: the model's catalog entry, and what of config and catalogs its results depend on."""

    model: str
    entry: Mapping
    config: Mapping
    corpora: Mapping[str, Mapping]
    sources: Mapping[str, Mapping]
    revision: str

    def local_files(self) -> list[str]:
        """The files that entry and corpora name by their path: data, which a submission does not hold."""
        named = [file for corpus in self.corpora.values() for file in corpus["files"].values() if isinstance(file, str)]
        return [path for path in dict.fromkeys([*data_files(self.entry), *named]) if Path(path).is_file()]

    def external_files(self) -> list[str]:
        """The files that are retrieved, ``<source>/<file>``; those of a hub model, ``hub/<owner>--<name>/…``."""
        files = (file for corpus in self.corpora.values() for file in corpus["files"].values())
        found = [f"{file['source']}/{file['file']}" for file in files if isinstance(file, Mapping)]
        return list(dict.fromkeys([*found, *(f"{pin.source}/{pin.file}" for pin in pins_of(self.entry))]))


def code_members(system: System) -> dict[str, str]:
    """The files of the folder by their name: entry, revision and, for a class, code, packages, config and corpora."""
    kept = _SERVED if system.entry["kind"] == "chat" else [*_ENTRY, *_OF_HUB]
    entry = {key: system.entry[key] for key in kept if key in system.entry}
    catalogs: dict[str, Mapping] = {"model": {system.model: entry}}
    members = {"revision.txt": f"sinobench {__version__}\ncommit {system.revision}\n"}
    if entry["kind"] in ("python", "hub"):
        files, entry["class"] = _own_files(entry["class"])
        members |= {name: path.read_text(encoding="utf-8") for name, path in sorted(files.items())}
        code = [path for name, path in files.items() if name.endswith(".py")]
        needed = requirements(code, entry["class"].partition(":")[0], entry["packages"])
        members["requirements.txt"] = "".join(f"{line}\n" for line in needed)
        corpora = {
            name: {key: corpus[key] for key in _CORPUS if key in corpus} for name, corpus in system.corpora.items()
        }
        catalogs |= {"config": system.config, "corpora": corpora, "sources": system.sources}
    for name, content in catalogs.items():
        members[f"{name}.yaml"] = yaml.safe_dump(content, allow_unicode=True, sort_keys=False)
    return members


def requirements(files: Iterable[Path], module: str, packages: Iterable[str]) -> list[str]:
    """``package==version`` of the named packages, and of those that hold the module or what the files import."""
    imported = {name.partition(".")[0] for name in (module, *(name for file in files for name in _imports(file)))}
    distributions = metadata.packages_distributions()
    names = set(packages).union(*(distributions.get(module, ()) for module in imported - sys.stdlib_module_names))
    found = {metadata.metadata(name)["Name"]: metadata.version(name) for name in names - {"sinobench"}}
    return [f"{name}=={version}" for name, version in sorted(found.items())]


def _own_files(target: str) -> tuple[dict[str, Path], str]:
    """The code that a model's results depend on, by its name in the folder, and the class as named there.

    Files of this project stand as below ``scripts``, others as below the working directory, and those from elsewhere in
    ``model``, as they stand beside the class.
    """
    module, _, name = target.rpartition(":")
    folders = {digest.SCRIPTS.resolve(): "", Path.cwd(): "", Path(module).resolve().parent: "model/"}
    files = {}
    for path in map(Path.resolve, digest.files("reproduce_csc", target)):
        folder = next(folder for folder in folders if path.is_relative_to(folder))
        files[folders[folder] + path.relative_to(folder).as_posix()] = path
    named = [inside for inside, path in files.items() if module.endswith(".py") and path == Path(module).resolve()]
    return files, f"{named[0]}:{name}" if named else target


def _imports(file: Path) -> Iterable[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
