"""config/README.md says what the schemas say."""

from pathlib import Path

import yaml

from sinobench.config_docs import render

CONFIG = Path(__file__).parents[1] / "config"


def keys(schema, path=""):
    """Every key of a schema with its own schema."""
    for name, sub in schema.get("properties", {}).items():
        yield f"{path}{name}", sub
        yield from keys(sub, f"{path}{name}.")
    for nested in (schema.get("items"), schema.get("additionalProperties"), *schema.get("oneOf", ())):
        if isinstance(nested, dict):
            yield from keys(nested, f"{path}*.")


def test_config_readme_is_written_from_the_schemas():
    assert (CONFIG / "README.md").read_text(encoding="utf-8") == render(CONFIG / "schema")


def test_every_key_is_described_and_no_mapping_is_open():
    for path in sorted((CONFIG / "schema").glob("*.schema.yaml")):
        schema = yaml.safe_load(path.read_text(encoding="utf-8"))
        for name, sub in keys(schema):
            assert sub.get("description"), f"{path.name}: {name}"
            if "properties" in sub:
                assert sub.get("additionalProperties") is False, f"{path.name}: {name}"
