"""Write config/README.md from the schemas: ``python -m sinobench.config_docs SCHEMAS FILE``."""

import json
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from sinobench import variants
from sinobench.schema import load_yaml

_INTRODUCTION = """# Configuration

Written from the schemas in `schema/` by `make config-docs`: edit those.

`config.yaml`, the sample's, is read where the command line names no other file. Of several files, and of a key beside
them, the later is laid over the earlier key by key, lists whole:

```
snakemake --cores 8 all --configfile config/full.yaml config/speech.yaml
snakemake --cores 8 csc --config 'csc={models: [dictionary]}'
```

Every key has a default, an unknown one stops the run before any rule; any list may be empty. A model that needs what
the config does not name (a partition, `csc.training`) is left out, which the end of the run says; named in `models`, it
is an error. Paths are relative to the folder in which Snakemake runs.
"""


def render(schemas: Path) -> str:
    """The Markdown of all schemas in a folder: a table of keys a file, with type, default and description."""
    parts = [_INTRODUCTION]
    for name in ("config", "corpora", "models", "sources"):
        schema = load_yaml(schemas / f"{name}.schema.yaml")
        lines = [f"\n## `{Path(schema['title']).name}`\n", schema["description"]]
        if name == "config":
            lines += ["", *_head("key", "type", "default", "meaning"), *_rows(schema)]
        else:
            lines += [schema["propertyNames"]["description"], ""]
            lines += [*_head("key", "goes with", "type", "default", "meaning"), *_entry_rows(schema)]
        if name == "corpora":
            lines += ["", *_head("reader", "task", "files", "form"), *_reader_rows(schema)]
        parts.append("\n".join(lines) + "\n")
    return "".join(parts)


def _head(*columns: str) -> tuple[str, str]:
    return f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"


def _rows(schema: Mapping, *cells: str, but: Collection[str] = (), prefix: str = "") -> Iterator[str]:
    """The rows of a schema's keys, with further cells after their names."""
    for key, sub in schema["properties"].items():
        if key in but:
            continue
        name = f"{prefix}{key}"
        default = f"`{json.dumps(sub['default'], ensure_ascii=False)}`" if "default" in sub else ""
        if key in schema.get("required", ()):
            default = "required"
        yield f"| {' | '.join((_code(name), *cells, _type(sub), default, _line(sub['description'])))} |"
        for inner, below in (("items", "[]."), ("additionalProperties", ".<name>.")):
            if isinstance(sub.get(inner), Mapping) and "properties" in sub[inner]:
                yield from _rows(sub[inner], *cells, prefix=f"{name}{below}")
        if "properties" in sub:
            yield from _rows(sub, *cells, prefix=f"{name}.")


def _entry_rows(schema: Mapping) -> Iterator[str]:
    """The rows of a catalog: keys of all entries, and those that go with some."""
    entry = schema["additionalProperties"]
    yield from _rows(entry, "")
    for branch in entry["allOf"]:
        yield from _rows(branch["then"], _code(variants.words(branch["if"])), but=entry["properties"])


def _reader_rows(schema: Mapping) -> Iterator[str]:
    for names, task, then in variants.readers(schema):
        files = then["properties"]["files"]
        needed = files["required"]
        others = [part for part in files["propertyNames"]["enum"] if part not in needed]
        parts = ", ".join(map(_code, needed)) + (f"; optionally {', '.join(map(_code, others))}" if others else "")
        yield f"| {', '.join(map(_code, names))} | {_code(task)} | {parts} | {_line(then['description'])} |"


def _code(text: str) -> str:
    return f"`{text}`"


def _line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _type(schema: Mapping) -> str:
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    kind = schema.get("type", "any")
    kinds = [kind] if isinstance(kind, str) else kind
    if "array" in kinds:
        item = _type(schema["items"]) if "properties" not in schema["items"] else "mapping"
        kinds = [f"list of {item}" if each == "array" else each for each in kinds]
    return " or ".join("mapping" if each == "object" else each for each in kinds)


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(render(Path(sys.argv[1])), encoding="utf-8")
