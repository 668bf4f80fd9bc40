"""The paths that a run of the sample's config needs, by patterns."""

from pathlib import Path

import pytest

from sinobench import catalog, runs
from sinobench.paths import Paths, filled
from sinobench.schema import load_yaml
from sinobench.selection import resolve

ROOT = Path(__file__).parents[1]
TEXT = ["sample-csc", "sample-csc-test"]


@pytest.fixture
def sample(monkeypatch):
    """sample(**changes): the paths of config/config.yaml, with the changes of `--config`."""
    monkeypatch.chdir(ROOT)
    config = load_yaml("config/config.yaml")
    return lambda **changes: Paths(resolve(config, ROOT / "config" / "schema", changes))


def test_wildcards_that_get_no_value_are_left_to_the_rule():
    assert filled("<results>/{corpus}/{model}/{shard}", corpus="a", shard=0) == "<results>/a/{model}/0"


def test_corpora_by_role_and_the_models_for_each(sample):
    paths = sample()
    assert paths.corpora("csc", "{corpus}", "scored", "submission") == TEXT
    assert paths.corpora("lid", "{corpus}/{model}", "submission") == ["sample-merlion-evaluation/{model}"]
    assert paths.evaluated("csc", "{corpus}/{model}", "submission") == [
        "sample-csc-test/do-nothing",
        "sample-csc-test/dictionary",
    ]
    assert paths.scored("csc", "{model}") == ["do-nothing", "dictionary"]


def test_models_that_have_a_pool_or_a_submission_whole(sample):
    models = ["tojyutping", "pycantonese", "canto-hk-g2p", "xjyutping"]
    assert sample().pooled("{pool}/{model}") == [f"sample/{model}" for model in models]
    assert sample().submitted("{model}") == ["do-nothing", "dictionary"]
    assert sample(csc={"corpora": ["sample-csc"]}).submitted("{model}") == []


def test_a_model_with_predictions_for_one_corpus_of_two_is_in_no_pool_of_them(sample, tmp_path):
    theirs = tmp_path / "theirs.yaml"
    theirs.write_text(
        "theirs: {task: g2p, title: T, kind: predictions, files: {sample-words: theirs.txt}}\n", encoding="utf-8"
    )
    paths = sample(catalogs={"models": [str(theirs)]}, disabled=[])
    assert paths.scored("g2p", "{corpus}/{model}") == ["sample-words/theirs"]
    assert paths.pooled("{pool}/{model}") == []


def test_uploads_stand_under_their_track(sample):
    assert sample().uploaded("lid", "{track}/{model}") == ["closed/majority", "closed/gmm", "closed/conformer-small"]


def test_each_pattern_is_there_for_each_shard(sample):
    assert sample(merlion={"shards": 2}).in_shards("a/{corpus}/{shard}", "b/{shard}") == [
        *("a/{corpus}/0", "a/{corpus}/1", "b/0", "b/1")
    ]


def test_a_file_of_turns_is_one_shard_a_corpus(sample, tmp_path):
    theirs = tmp_path / "theirs.yaml"
    theirs.write_text(
        "theirs: {task: ld, title: T, kind: predictions, files: {sample-merlion: theirs.rttm}}\n", encoding="utf-8"
    )
    paths = sample(catalogs={"models": ["config/models.yaml", str(theirs)]}, merlion={"shards": 3})
    assert paths.diarized("{corpus}/{model}/{shard}", "sample-merlion", "theirs") == ["sample-merlion/theirs/0"]
    assert len(paths.diarized("{shard}", "sample-merlion", "vad+gmm")) == 3


def test_what_runs_share_is_named_by_a_key(sample):
    paths = sample()
    catalog = paths.catalog
    key = runs.corpus_key(catalog, "sample-csc-train")
    assert paths.trained_on("csc", "{key}/{corpus}") == [f"{key}/sample-csc-train"]
    assert paths.fitted("csc", "{key}/{model}") == [f"{runs.fit_key(catalog, 'dictionary')}/dictionary"]
    assert paths.of_fit("{key}/{model}", "do-nothing") == []
    shared = [f"{runs.partition_key(catalog, 'sample')}/sample/{shard}" for shard in range(runs.TRAINING_SHARDS)]
    assert paths.fitted_on("lid", "{key}/{partition}/{shard}") == shared
    assert sample(lid={"models": ["majority"]}).fitted_on("lid", "{key}") == []


def test_corpora_of_a_partition_with_what_they_count_as(sample):
    paths = sample()
    assert paths.corpora_in("sample") == ["sample-librispeech", "sample-aishell", "sample-nsc", "sample-seame"]
    assert set(paths.origins_in("sample").items()) == {(corpus, "synthetic") for corpus in paths.corpora_in("sample")}


def test_shards_follow_the_size_of_the_audio_unless_the_config_says_how_many(sample, tmp_path, monkeypatch):
    assert sample().catalog.shards() == 1
    assert len(sample(merlion={"shards": 5}).in_shards("{shard}")) == 5
    n_bytes = catalog.bytes_below(sample().catalog.corpora["sample-merlion"]["files"]["audio"])
    for n_shards, times in ((1, 1), (2, 1.01), (2, 4), (3, 9), (11, 109)):
        monkeypatch.setattr(catalog, "SHARD_BYTES", n_bytes / times)
        assert sample().catalog.shards() == len(sample().in_shards("{shard}")) == n_shards
    assert sample(merlion={"shards": 5}).catalog.shards() == 5
