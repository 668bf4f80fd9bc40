"""Copies of objects stand below the folder of what is retrieved."""

import pytest

from sinobench.dependencies import check_paths
from sinobench.errors import InputError
from sinobench.objects import place
from sinobench.selection import resolve
from tests.conftest import ROOT


def test_where_a_copy_stands():
    assert place("s3://speech/audio/", "r") == "r/s3/speech/audio"
    assert place("s3://speech/a b/..c/1.txt", "r") == "r/s3/speech/a b/..c/1.txt"
    assert place("data/1.txt", "r") == "data/1.txt"


@pytest.mark.parametrize(
    "path",
    [
        "s3://speech/../../x",
        "s3://../x",
        "s3://speech/a/./b",
        "s3:///etc/x",
        "s3://speech//etc/x",
        "s3://speech",
        "s3://",
    ],
)
def test_none_leaves_it(path, monkeypatch):
    with pytest.raises(InputError, match=r"names no object; expected s3://bucket/key"):
        place(path, "r")
    monkeypatch.chdir(ROOT)
    config = {"csc": {"corpora": ["sample-csc"], "models": ["do-nothing"]}}
    catalog = resolve(config, ROOT / "config/schema", {})
    catalog.corpora["sample-csc"]["files"]["text"] = path
    with pytest.raises(InputError, match=r"corpora.yaml: corpus 'sample-csc', files.text: '.*' names no object"):
        check_paths(catalog)
