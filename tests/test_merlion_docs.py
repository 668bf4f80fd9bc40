"""docs/merlion.md: its entries and configs are read, and what it names of people's data never reaches a commit."""

import re
import subprocess

import pytest
import yaml

from sinobench.catalog import resolve
from tests.conftest import ROOT

DOCUMENT = (ROOT / "docs/merlion.md").read_text(encoding="utf-8")
NAMED = re.findall(r"(?:audio|labels|regions): ([^\s{}]+/[^{}\n]*?)(?:}.*)?$", DOCUMENT, re.MULTILINE)


@pytest.mark.parametrize("path", NAMED)
def test_git_ignores_the_paths_that_the_documentation_names(path):
    result = subprocess.run(["git", "-C", ROOT, "check-ignore", "-q", "--", f"{path}/file.wav"], check=False)
    assert result.returncode == 0, f"{path} is not ignored"


def test_the_bundled_sample_of_the_same_form_is_no_confidential_data():
    sample = "resources/samples/merlion/MERLIon-CCS-Challenge_Development-Set_v001/_CONFIDENTIAL/_audio/new.ogg"
    assert len(NAMED) >= 7
    assert subprocess.run(["git", "-C", ROOT, "check-ignore", "-q", sample], check=False).returncode == 1


def test_the_entries_and_the_config_it_shows_make_a_closed_track_run(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    entries, config = "", {}
    for block in re.findall(r"```yaml\n(# config/corpora.yaml\n.*?)```", DOCUMENT, re.DOTALL):
        part, _, mine = block.partition("# mine.yaml")
        entries, config = entries + part, config | yaml.safe_load(f"#{mine}")
    (tmp_path / "corpora.yaml").write_text(entries, encoding="utf-8")
    config["catalogs"] = {"corpora": str(tmp_path / "corpora.yaml"), "models": str(tmp_path / "models.yaml")}
    models = yaml.safe_load((ROOT / "config/models.yaml").read_text(encoding="utf-8"))
    speech = {name: entry for name, entry in models.items() if entry["task"] in ("lid", "ld")}
    (tmp_path / "models.yaml").write_text(yaml.safe_dump(speech), encoding="utf-8")
    catalog = resolve(config, ROOT / "config/schema")
    assert {entry["origin"] for entry in catalog.corpora.values()} == {
        "other",
        "librispeech",
        "aishell",
        "nsc",
        "seame",
    }
    assert catalog.corpus_ids("merlion", "scored") == ["merlion-dev"] and catalog.track_of("gmm") == "closed"
    assert not catalog.on_synthetic()
