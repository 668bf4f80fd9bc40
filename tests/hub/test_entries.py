"""Where the files of hub models come from."""

import pytest

from sinobench.errors import InputError
from sinobench.hub import entries
from sinobench.schema import load_yaml
from sinobench.selection import resolve
from tests.conftest import ROOT
from tests.documents import fences

FACTS = {"sha256": "0" * 64, "size_bytes": 1}
OTHER = {"hub": "else/where", "revision": "b" * 40}


def test_a_file_of_another_repository_stands_with_the_others(monkeypatch):
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    own, other = (entries.pin("a--b", "a" * 40, "vocab.txt", facts) for facts in (FACTS, FACTS | OTHER))
    assert own.url == f"{entries.HUB}/a/b/resolve/{'a' * 40}/vocab.txt"
    assert other.url == f"{entries.HUB}/else/where/resolve/{'b' * 40}/vocab.txt"
    assert (own.source, own.file) == (other.source, other.file) == (f"hub/a--b/{'a' * 40}", "vocab.txt")


@pytest.mark.parametrize("missing", OTHER)
def test_another_repository_has_its_revision(write, missing):
    facts = FACTS | {key: value for key, value in OTHER.items() if key != missing}
    entry = {
        **{"task": "g2p", "title": "T", "kind": "hub", "hub": "a/b", "revision": "a" * 40, "loader": "g2pw"},
        **{"files": {"vocab.txt": facts}, "licence": "MIT", "training_data": ["unknown"]},
    }
    catalog = write(f"mine: {entry}\n".replace("'", '"'), "mine.yaml")
    config = load_yaml(ROOT / "config/config.yaml")
    with pytest.raises(InputError, match=rf"'{missing}' is a dependency of .* at mine\.files\.vocab\.txt"):
        resolve(config, ROOT / "config" / "schema", {"catalogs": {"models": [str(catalog)]}})


def test_the_entry_of_g2pw_cantonese_is_one_and_runs_only_where_it_is_allowed(write):
    [shown] = [block.text for block in fences() if block.text.startswith("g2pw-cantonese:")]
    catalog = write(shown.replace('"…"', f'"{"0" * 64}"').replace("…", "1"), "mine.yaml")
    mine = {"catalogs": {"models": [str(catalog)]}, "csc": {}, "lid": {}, "ld": {}, "merlion": {}}

    def selected(**changes):
        g2p = {"g2p": {"corpora": ["sample-words"], "models": ["g2pw-cantonese"]}}
        return resolve(g2p | mine | changes, ROOT / "config" / "schema").models

    [entry] = selected(allow_flagged=["g2pw-cantonese"]).values()
    assert entry["trust"] == "flagged" and entry["files"].keys() > {"vocab.txt", "added_tokens.json"}
    assert not [file for file in entry["files"] if file.endswith(".py")]
    assert not selected()
