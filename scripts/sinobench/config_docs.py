"""Write config/README.md from the schemas: ``python -m sinobench.config_docs SCHEMAS FILE``."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

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
is an error. Paths are relative to the folder in which Snakemake runs. `sources.yaml` lists the external files with
repository, commit, size and sha256.
"""


def render(schemas: Path) -> str:
    """The Markdown of all schemas in a folder: a table of keys a file, with type, default and description."""
    parts = [_INTRODUCTION]
    for name in ("config", "corpora", "models"):
        schema = load_yaml(schemas / f"{name}.schema.yaml")
        rows = "\n".join(_rows(schema if name == "config" else schema["additionalProperties"]))
        entry = "" if name == "config" else " An id is lower-case letters, digits and hyphens."
        parts.append(
            f"\n## `{Path(schema['title']).name}`\n\n{schema['description']}{entry}\n\n"
            f"| key | type | default | meaning |\n|---|---|---|---|\n{rows}\n"
        )
    return "".join(parts)


def _rows(schema: Mapping, prefix: str = "") -> Iterator[str]:
    for key, sub in schema["properties"].items():
        name = f"{prefix}{key}"
        nested = sub.get("items") if sub.get("type") == "array" else sub
        default = f"`{json.dumps(sub['default'], ensure_ascii=False)}`" if "default" in sub else ""
        if key in schema.get("required", ()):
            default = "required"
        meaning = " ".join(sub["description"].split()).replace("|", "\\|")
        yield f"| `{name}` | {_type(sub)} | {default} | {meaning} |"
        if isinstance(nested, Mapping) and "properties" in nested:
            yield from _rows(nested, f"{name}[]." if sub.get("type") == "array" else f"{name}.")


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
