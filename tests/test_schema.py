"""YAML of settings: read fast, and safely whatever stands in it."""

from pathlib import Path

import pytest
import yaml

from sinobench import schema
from sinobench.errors import InputError

ROOT = Path(__file__).parents[1]


def test_the_fast_way_reads_what_the_other_one_does():
    for path in sorted((ROOT / "config").rglob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        assert schema.load_yaml(path) == yaml.load(text, Loader=schema._StrictLoader)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: " + "[" * 200_000, "is nested too deep"),
        ("- " * 200_000, "is nested too deep"),
        ("a: 1\nb:\n  c: 2\n  c: 3\n", "line 4: key 'c' stands twice"),
        ("a: [1\nb: 2\n", "line 2: "),
        ("- 1\n", "expected a mapping"),
    ],
)
def test_what_is_wrong_is_said_by_either(tmp_path, text, said):
    (tmp_path / "own.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        schema.load_yaml(tmp_path / "own.yaml")
    assert said in str(error.value)
