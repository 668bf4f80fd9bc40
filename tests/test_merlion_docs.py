"""docs/merlion.md: its entries and config make a closed-track run, and git ignores what they name of people's data."""

import subprocess

import pytest
import yaml

from sinobench.selection import resolve
from tests.documents import ROOT, fences

CORPORA, CONFIG = (
    next(block.text for block in fences() if block.file == file) for file in ("data/corpora.yaml", "data/mine.yaml")
)
ENTRIES, MINE = yaml.safe_load(CORPORA), yaml.safe_load(CONFIG)
NAMED = [path for entry in ENTRIES.values() for path in entry["files"].values()]


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
    (tmp_path / "corpora.yaml").write_text(CORPORA, encoding="utf-8")
    catalog = resolve(MINE | {"catalogs": {"corpora": str(tmp_path / "corpora.yaml")}}, ROOT / "config/schema")
    origins = {entry["origin"] for entry in catalog.corpora.values()}
    assert origins == {"other", "librispeech", "aishell", "nsc", "seame"}
    assert catalog.corpus_ids("merlion", "scored") == ["merlion-dev"] and catalog.track_of("gmm") == "closed"
    assert not catalog.on_synthetic()
