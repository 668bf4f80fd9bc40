"""docs/threat-model.md: what it names as shown is a test that there is."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
TEXT = (TESTS.parent / "docs/threat-model.md").read_text(encoding="utf-8")
SHOWN = sorted(set(re.findall(r"`([\w/]+\.py)::(\w+)`", TEXT)))


def test_it_names_tests():
    assert len(SHOWN) > 20


@pytest.mark.parametrize(("file", "name"), SHOWN)
def test_what_shows_a_claim_exists(file, name):
    assert f"\ndef {name}(" in (TESTS / file).read_text(encoding="utf-8")
