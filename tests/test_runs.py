"""Where a run keeps what it makes: its folder, keys of what runs share, and what is left behind."""

from pathlib import Path

import pytest

from sinobench import runs
from sinobench.errors import InputError
from sinobench.schema import load_yaml
from sinobench.selection import resolve

ROOT = Path(__file__).parents[1]
SCHEMAS = ROOT / "config" / "schema"


@pytest.fixture
def sample(monkeypatch):
    """sample(**changes): the catalog of config/config.yaml, with the changes of `--config`."""
    monkeypatch.chdir(ROOT)
    config = load_yaml("config/config.yaml")
    return lambda **changes: resolve(config, SCHEMAS, changes)


@pytest.mark.parametrize(
    ("files", "named", "folder"),
    [
        ([], None, "results"),
        (["config/config.yaml"], None, "results"),
        (["config/full.yaml"], None, "results/full"),
        (["/elsewhere/my-own.v2.yaml"], None, "results/my-own.v2"),
        (["config/full.yaml", "config/speech.yaml"], None, "results/full+speech"),
        (["config/config.yaml", "four.yaml"], None, "results/config+four"),
        (["config/full.yaml"], "mine", "results/mine"),
        ([], "mine", "results/mine"),
    ],
)
def test_each_config_has_its_run_folder(monkeypatch, files, named, folder):
    monkeypatch.chdir(ROOT)
    assert runs.folders({"run": named, "pathvars": {}}, files) == (folder, "results/shared")
    assert runs.folders({"run": named, "pathvars": {"results": "/scratch"}}, files) == ("/scratch", "/scratch/shared")


@pytest.mark.parametrize("name", ["csc.yaml", "shared.yaml", "my config.yaml", "<logs>.yaml", f"{'x' * 200}.yaml"])
def test_a_run_can_not_stand_in_the_place_of_something_else(name):
    with pytest.raises(InputError, match=r"set another by `run:`"):
        runs.folders({"run": None, "pathvars": {}}, [name])


def test_the_reserved_names_are_those_of_the_samples_run(finished_run):
    made = {path.name for path in (finished_run / "results").iterdir() if path.is_dir()}
    assert made | {"speed"} == runs.RESERVED  # which only the target of that name makes


def test_a_fitted_model_is_named_by_what_it_was_fitted_on(sample):
    def keys(catalog):
        return {name: runs.fit_key(catalog, name) for name, entry in catalog.models.items() if entry.get("fit")}

    before = keys(sample())
    speech = {name: key for name, key in before.items() if name != "dictionary"}
    assert speech.keys() == {"gmm", "conformer-small", "window+gmm"}
    assert len(set(before.values())) == len(before)
    text = keys(sample(csc={"corpora": ["sample-csc-test"]}, g2p={"corpora": [], "pools": []}))
    assert text["dictionary"] != before["dictionary"] and text.items() >= speech.items()
    assert keys(sample(merlion={"shards": 4, "folds": 2}, disabled=["pycantonese"], lid={"models": None})).items() >= (
        speech.items()
    )
    other = keys(sample(seed=1))
    assert not set(other.values()) & set(before.values())
    nsc = {"name": "sample", "track": "closed", "parts": [{"corpus": "sample-nsc"}]}
    assert not set(speech.values()) & set(keys(sample(merlion={"partitions": [nsc]})).values())


def test_a_task_takes_what_is_there_of_other_tasks_as_it_is(tmp_path):
    results, shared = str(tmp_path), str(tmp_path / "shared")
    names = ["csc/a", "lid/a", "merlion/a", "g2p/a", "shared/merlion/b", "shared/csc/b"]
    paths = [f"{results}/{name}" for name in names] + ["resources/published.csv"]
    for name in ("g2p/a", "shared/csc/b"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    def asked(*targets):
        taken = runs.as_asked(paths, targets, shared, results)
        return {path.removeprefix(f"{results}/"): made for path, made in taken}

    everything = dict.fromkeys([*names, "resources/published.csv"], True)
    assert asked() == asked("database") == asked("csc", "all") == everything
    speech = {"lid/a": True, "merlion/a": True, "shared/merlion/b": True, "resources/published.csv": True}
    assert asked("lid") == speech | {"g2p/a": False, "shared/csc/b": False}
    measured = tmp_path / "speed/csc/a/m"
    paths += [str(measured), str(measured.with_name("other"))]
    assert asked("all") == everything and asked("lid") == speech | {"g2p/a": False, "shared/csc/b": False}
    measured.parent.mkdir(parents=True)
    measured.touch()
    assert asked("all") == everything | {"speed/csc/a/m": False}
    measured.unlink()
    assert asked("csc", "g2p") == {"csc/a": True, "g2p/a": True, "shared/csc/b": True, "resources/published.csv": True}


def test_what_the_config_no_longer_has_is_left_behind_and_removed(sample, tmp_path):
    folder = str(tmp_path)
    patterns = [
        *("{}/csc/items/{{corpus}}.parquet", "{}/csc/metrics/{{corpus}}/{{model}}.parquet"),
        *("{}/g2p/metrics/{{corpus}}/{{model}}.parquet", "{}/g2p/metrics/pooled-{{pool}}/{{model}}.parquet"),
        *("{}/submissions/csc/{{model}}/results.zip", "{}/merlion/masked_audio/{{corpus}}/{{shard}}"),
    ]
    kept = [
        *("csc/items/sample-csc.parquet", "csc/metrics/sample-csc/do-nothing.parquet", "csc/notes.txt"),
        *("g2p/metrics/pooled-sample/tojyutping.parquet", "submissions/csc/dictionary/results.zip"),
        *("merlion/masked_audio/sample-merlion/0/a.wav", "full/csc/items/wordshk.parquet"),
        "shared/csc/items/gone.parquet",
    ]
    gone = [
        *(
            "csc/items/gone.parquet",
            "csc/metrics/sample-csc/gone.parquet",
            "g2p/metrics/pooled-gone/tojyutping.parquet",
        ),
        *("submissions/csc/gone/results.zip", "submissions/csc/do-nothing/results.zip"),
        *("merlion/masked_audio/gone/0/a.wav", "merlion/masked_audio/sample-merlion/1/a.wav"),
        "csc/metrics/sample-csc/tojyutping.parquet",
    ]
    for path in (tmp_path / name for name in [*kept, *gone]):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    uploads = [f"{folder}/submissions/csc/dictionary/results.zip"]
    left = runs.left_behind(sample(), folder, [pattern.format(folder) for pattern in patterns], uploads)
    assert sorted(left) == sorted(f"{folder}/{name}".removesuffix("/a.wav") for name in gone)
    runs.remove(left, folder)
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()) == sorted(kept)
    assert not (tmp_path / "submissions/csc/gone").exists()
