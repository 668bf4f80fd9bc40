"""YAML files read strictly, and checked against their JSON Schema.

Imported while Snakemake parses: nothing heavy here.
"""

import contextlib
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from sinobench import variants
from sinobench.errors import InputError, nearest, short
from sinobench.guard import regular

_MAX_BYTES = 4 * 2**20
_MAX_VALUES = 1_000_000
_FAST_DEPTH = 2_000


def load_yaml(path: str | Path) -> dict:
    """A YAML mapping; InputError with the line for broken YAML, a doubled key or anything but a mapping."""
    try:
        if regular(path).stat().st_size > _MAX_BYTES:
            raise InputError(f"is larger than {_MAX_BYTES >> 20} MiB, too large for settings", path)
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"can't be read ({error}); expected a YAML file in UTF-8", path) from None
    try:
        data = _loaded(text)
    except RecursionError:
        raise InputError("is nested too deep; settings have a few levels", path) from None
    except ValueError as error:  # a date that is none, a number of thousands of digits
        raise InputError(f"holds a value that can't be read ({error})", path) from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError(f"{error.problem}", path, line) from None
    if not isinstance(data, dict):
        raise InputError("expected a mapping of keys to values", path)
    return data


@cache
def load_schema(path: Path) -> dict:
    """A schema, read once."""
    return load_yaml(path)


def check(instance: dict, schema_path: Path, where: str) -> dict:
    """The instance with the schema's defaults filled in; InputError for what the schema does not allow."""
    _refuse_odd(instance, where)
    schema = variants.plain(load_schema(schema_path), instance)
    errors = list(jsonschema.Draft202012Validator(schema).iter_errors(instance))
    if errors:
        raise InputError(f"{where}: {_explain(min(errors, key=lambda error: _rank(error, schema)), schema)}")
    return _with_defaults(instance, schema)


def typed(given: Any, schema: Mapping) -> Any:
    """The value with each text where the schema wants none read as YAML reads it: ``"2"`` as 2, ``"null"`` as None.

    For values from Snakemake's ``--config``, which hands all that is nested on as text.
    """
    if isinstance(given, Mapping):
        known = schema.get("properties", {})
        return {key: typed(value, known.get(key, {})) for key, value in given.items()}
    if isinstance(given, list):
        return [typed(item, schema.get("items", {})) for item in given]
    types = [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", ["string"])
    if not isinstance(given, str) or types == ["string"]:
        return given
    try:
        read = yaml.safe_load(given)
    except yaml.YAMLError:
        return given
    return given if isinstance(read, str) or ("string" in types and read is not None) else read


def _refuse_odd(given: Any, where: str) -> None:
    """InputError for what a JSON Schema can't judge: keys that are no text or break a line, numbers without a value."""
    if isinstance(given, Mapping):
        for key, value in given.items():
            if not isinstance(key, str) or not key.isprintable():
                raise InputError(f"{where}: key {short(repr(key))} is not a line of text; put it in quotes, or mend it")
            _refuse_odd(value, f"{where}, {key}")
    elif isinstance(given, list):
        for value in given:
            _refuse_odd(value, where)
    elif isinstance(given, float) and not math.isfinite(given):
        raise InputError(f"{where} is {given}; expected a finite number")


def _rank(error: jsonschema.ValidationError, schema: Mapping) -> tuple[bool, list[str]]:
    # A key that goes with another reader or kind is misplaced only where these are right.
    path = list(error.absolute_path)
    misplaced = error.validator == "additionalProperties" and variants.place_of(schema, path, _unknown(error))
    return bool(misplaced), list(map(str, path))


def _unknown(error: jsonschema.ValidationError) -> str:
    """The first key that its schema does not have."""
    known = error.schema.get("properties", {})
    return next(key for key in error.instance if key not in known)


def _explain(error: jsonschema.ValidationError, schema: Mapping) -> str:
    # Of alternatives, the one whose type the value has says what is wrong with it.
    if error.validator == "oneOf" and (closer := [e for e in error.context if e.validator != "type"]):
        return _explain(closer[0], schema)
    path = list(error.absolute_path)
    where = ".".join(map(str, path)) or "top level"
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        unknown = _unknown(error)
        if elsewhere := variants.place_of(schema, path, unknown):
            return f"key '{unknown}' at {where} {elsewhere}"
        return f"unknown key '{unknown}' at {where}; {nearest(unknown, error.schema.get('properties', {}))}"
    if error.validator == "required":
        absent = next(key for key in error.validator_value if key not in error.instance)
        return f"key '{absent}' is missing at {where}"
    if error.validator == "enum" and (elsewhere := variants.place_of(schema, path, error.instance)):
        return f"'{error.instance}' at {where} {elsewhere}; expected {' or '.join(map(str, error.validator_value))}"
    if error.validator == "enum" and isinstance(error.instance, str):
        return f"'{error.instance}' at {where} is not known; {nearest(error.instance, map(str, error.validator_value))}"
    if error.validator in ("pattern", "minLength", "maxLength") and "description" in error.schema:
        return f"{short(repr(error.instance))} at {where} does not fit: {error.schema['description']}"
    return f"{error.message} at {where}"


def _with_defaults(instance: Any, schema: Mapping) -> Any:
    """The instance with the schema's defaults, its keys in the schema's order: the file's order changes no result."""
    if not isinstance(instance, dict):
        if isinstance(instance, list):
            return [_with_defaults(item, schema.get("items", {})) for item in instance]
        return instance
    known, other = schema.get("properties", {}), schema.get("additionalProperties", {})
    filled = {
        key: _with_defaults(instance[key] if key in instance else sub["default"], sub)
        for key, sub in known.items()
        if key in instance or "default" in sub
    }
    rest = other if isinstance(other, dict) else {}
    return filled | {key: _with_defaults(value, rest) for key, value in instance.items() if key not in known}


def _size(node: yaml.Node, known: dict[yaml.Node, int]) -> int:
    """The number of values below a node with each alias written out; more than are allowed where one holds itself."""
    if node not in known:
        known[node] = _MAX_VALUES + 1
        inner = [] if isinstance(node, yaml.ScalarNode) else node.value
        known[node] = 1 + sum(
            _size(each, known) for part in inner for each in (part if isinstance(part, tuple) else (part,))
        )
    return known[node]


class _Strict:
    """YAML where a key that stands twice is an error, not the last one's silent victory.

    Aliases may not multiply a file: a few lines of them stand for more values than there are atoms.
    """

    def get_single_node(self) -> yaml.Node | None:
        node = super().get_single_node()
        if node is not None and _size(node, {}) > _MAX_VALUES:
            raise yaml.constructor.ConstructorError(None, None, "aliases stand for too many values", node.start_mark)
        return node

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


class _StrictLoader(_Strict, yaml.SafeLoader):
    """By Python: its messages are the ones that are shown, and it knows how deep it can go."""


class _FastLoader(_Strict, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """By libyaml, ten times as fast, which ends the process for a file that is nested too deep."""


def _loaded(text: str) -> Any:
    # Each level takes a bracket or stands further right; tens of thousands are too deep.
    if text.count("[") + text.count("{") < _FAST_DEPTH and max(map(len, text.splitlines()), default=0) < _FAST_DEPTH:
        with contextlib.suppress(yaml.MarkedYAMLError):
            return yaml.load(text, Loader=_FastLoader)
    return yaml.load(text, Loader=_StrictLoader)
