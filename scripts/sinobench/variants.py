"""Schemas of entries whose keys depend on what the entry is: on a corpus's reader, a model's task and kind.

Such a schema is closed by ``unevaluatedProperties: false`` and has branches in ``allOf``, ``if`` and ``then``; an
``if`` asks for keys (``required``) and for their values (``const`` or ``enum``).

Imported while Snakemake parses: nothing heavy here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any


def plain(schema: Mapping, instance: Any) -> Mapping:
    """The schema as it holds for the instance, without branches: those that it fits are laid over the rest.

    For `place_of` it keeps them, as ``fitting`` and ``others``, and as ``rest`` what they are laid over.
    """
    if not isinstance(instance, Mapping):
        return schema
    other = schema.get("additionalProperties")
    if isinstance(other, Mapping) and "allOf" in other:
        entries = {key: plain(other, entry) for key, entry in instance.items()}
        return {**schema, "properties": entries, "additionalProperties": False}
    if "allOf" not in schema:
        return schema
    rest = {key: value for key, value in schema.items() if key not in ("allOf", "unevaluatedProperties")}
    laid, parted = rest, {True: [], False: []}
    for branch in schema["allOf"]:
        fits = _fits(branch["if"], instance)
        parted[fits].append(branch)
        if fits:
            laid = _laid_over(laid, branch["then"])
    return {**laid, "additionalProperties": False, "rest": rest, "fitting": parted[True], "others": parted[False]}


def place_of(schema: Mapping, path: Sequence[Any], name: Any) -> str:
    """What a key or value that an entry may not have goes with, or does not go with; "" where nothing knows it.

    schema: that of all entries, as `plain` gives it; path: of the mapping with the key, or of the value.
    """
    for depth, step in enumerate(path, 1):
        schema = schema.get("properties", {}).get(step, {})
        if "rest" in schema:
            inner = path[depth:]
            if name in _known(schema["rest"], inner):
                limits = [b for b in schema["fitting"] if (known := _known(b["then"], inner)) and name not in known]
                return f"does not go with {_conditions(limits)}" if limits else ""
            found = [branch for branch in schema["others"] if name in _known(branch["then"], inner)]
            return f"goes with {_conditions(found)}" if found else ""
    return ""


def words(condition: Mapping) -> str:
    """The condition as an entry would have it: ``reader: pairs``, ``task: lid or ld, kind: python``."""
    wanted = condition.get("properties", {})
    return ", ".join(
        f"{key}: {' or '.join(_text(value) for value in _values(wanted[key]))}" if key in wanted else key
        for key in condition["required"]
    )


def readers(schema: Mapping) -> Iterator[tuple[list[str], str, Mapping]]:
    """The readers of each branch of the schema of corpora that declares some, their task, and what goes with them."""
    branches = [(branch["if"]["properties"], branch["then"]) for branch in schema["additionalProperties"]["allOf"]]
    tasks = {
        reader: of["task"]["const"]
        for of, then in branches
        if "task" in of
        for reader in then["properties"]["reader"]["enum"]
    }
    for of, then in branches:
        if "reader" in of:
            names = _values(of["reader"])
            yield names, tasks[names[0]], then


def _fits(condition: Mapping, instance: Mapping) -> bool:
    wanted = condition.get("properties", {})
    return all(
        key in instance and (key not in wanted or instance[key] in _values(wanted[key]))
        for key in condition["required"]
    )


def _values(wanted: Mapping) -> list:
    return wanted["enum"] if "enum" in wanted else [wanted["const"]]


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _laid_over(below: Mapping, above: Mapping) -> dict:
    laid = {**below, **above}
    for key in below.keys() & above.keys():
        if isinstance(below[key], Mapping):
            laid[key] = _laid_over(below[key], above[key])
        elif key == "required":
            laid[key] = [*below[key], *above[key]]
    return laid


def _conditions(branches: Iterable[Mapping]) -> str:
    return ", or ".join(words(branch["if"]) for branch in branches)


def _known(schema: Mapping, path: Sequence[Any]) -> list:
    """The keys and values that the schema names at the path."""
    for step in path:
        schema = schema.get("properties", {}).get(step, {})
    return [*schema.get("enum", ()), *schema.get("propertyNames", {}).get("enum", ()), *schema.get("properties", ())]
