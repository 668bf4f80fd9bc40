"""The models of the catalog have what the protocol of their task asks for, under the same names."""

import inspect
from importlib import import_module

import pytest

from sinobench.models import load_class
from sinobench.schema import load_yaml
from tests.conftest import ROOT

PROTOCOLS = {"g2p": "G2pModel", "csc": "CscModel", "lid": "LidModel", "ld": "LdModel"}
MODELS = {name: entry for name, entry in load_yaml(ROOT / "config/models.yaml").items() if entry["kind"] == "python"}


@pytest.mark.parametrize("model", MODELS)
def test_model_follows_its_protocol(model):
    entry = MODELS[model]
    name = PROTOCOLS[entry["task"]]
    protocol = getattr(import_module(f"sinobench.{entry['task']}.model"), f"Fitted{name}" if entry.get("fit") else name)
    cls = load_class(entry["class"])
    wanted = {name: member for name, member in inspect.getmembers(protocol, callable) if not name.startswith("_")}
    assert wanted
    for method, member in wanted.items():
        assert list(inspect.signature(getattr(cls, method)).parameters) == list(inspect.signature(member).parameters)
