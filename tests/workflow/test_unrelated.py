"""What a result does not depend on plans nothing: the mirror, other corpora, other models, other entries."""

import hashlib
import shutil

import yaml

from tests.project import snakemake
from tests.workflow.test_default_run import rules_run
from tests.workflow.test_wrong_input import edit_yaml

NOTHING = "Nothing to be done"
MINE = {"repository": "mine", "commit": "1", "licence": "CC0-1.0", "base_url": "http://127.0.0.1:9/"}
FITS = {"partition_training", "extract_training_features", "fit_lid", "fit_ld", "predict_lid", "predict_ld", "fit_csc"}


def test_unrelated_parts_of_config_and_environment_plan_nothing(finished):
    pin = {"path": "data.txt", "sha256": "0" * 64, "size_bytes": 1}
    edit_yaml(finished / "config/sources.yaml", lambda sources: sources.update(mine=MINE | {"files": {"a": pin}}))
    edit_yaml(finished / "config/models.yaml", lambda models: models["gmm"].update(enabled=True))
    (finished / "mine.yaml").write_text(
        "mine: {task: csc, title: M, kind: python, class: 'gone.py:Mine', enabled: false}\n", encoding="utf-8"
    )
    (finished / "corpora.yaml").write_text(
        "mine: {task: csc, title: M, reader: pairs, files: {text: gone.tsv}, licence: MIT}\n", encoding="utf-8"
    )
    config = yaml.safe_load((finished / "config/config.yaml").read_text(encoding="utf-8"))
    config["mirror"] = "/no/such/folder"
    config["catalogs"] = {
        "models": ["config/models.yaml", "mine.yaml"],
        "corpora": ["corpora.yaml", "config/corpora.yaml"],
    }
    (finished / "config/config.yaml").write_text(yaml.safe_dump(config, allow_unicode=True), encoding="utf-8")
    result = snakemake(finished, "-n", "all", SINOBENCH_MIRROR=str(finished / "elsewhere"))
    assert NOTHING in result.stdout + result.stderr
    off = "mine, conformer, vad+conformer, silero+conformer, window+conformer"
    assert f"{off}: its entry says enabled: false" in result.stderr


def test_audio_that_the_workflow_expanded_is_told_by_what_it_was_expanded_from(finished):
    for path in (finished / "results/shared/merlion/audio").rglob("*.wav"):
        shutil.copyfile(path, again := path.with_suffix(".again"))
        again.replace(path)
    result = snakemake(finished, "-n", "all")
    assert NOTHING in result.stdout + result.stderr


def test_fitted_models_do_not_depend_on_what_they_were_not_fitted_on(finished):
    given = [
        'csc={"corpora": ["sample-csc-test"], "models": null}',
        'merlion={"shards": "1"}',
        "g2p={'corpora': [], 'pools': []}",
    ]
    result = snakemake(finished, "-n", "all", "--config", *given)
    assert result.returncode == 0, result.stdout
    planned = rules_run(result)
    assert "build_database" in planned and not planned & (FITS - {"fit_csc"})


def test_a_verified_file_is_neither_fetched_nor_removed(workflow, tmp_path):
    text = "一\t一\n".encode()
    pin = {"path": "data.txt", "sha256": hashlib.sha256(text).hexdigest(), "size_bytes": len(text)}
    edit_yaml(
        workflow / "config/sources.yaml",
        lambda sources: sources.update(mine=MINE | {"files": {"data.txt": pin}}),
    )
    (tmp_path / "mirror/mine").mkdir(parents=True)
    (tmp_path / "mirror/mine/data.txt").write_bytes(text)
    target = "results/shared/retrieved/mine/data.txt"
    assert snakemake(workflow, target, SINOBENCH_MIRROR=str(tmp_path / "mirror")).returncode == 0
    before = (workflow / target).stat()
    for mirror in (None, str(tmp_path), str(tmp_path / "mirror/../mirror")):
        assert NOTHING in snakemake(workflow, target, SINOBENCH_MIRROR=mirror).stderr
    result = snakemake(workflow, "--forcerun", "retrieve_file", "--", target, SINOBENCH_MIRROR=None)
    assert result.returncode == 0, result.stderr
    after = (workflow / target).stat()
    assert after.st_ino == before.st_ino  # a fetched file is another one, renamed into its place
    # Another sha256 is asked for, and there is no way to get it: what is there is not taken for it.
    pin["sha256"] = "0" * 64
    edit_yaml(workflow / "config/sources.yaml", lambda sources: sources["mine"]["files"].update({"data.txt": pin}))
    assert snakemake(workflow, target, SINOBENCH_MIRROR=None).returncode == 1
    assert not (workflow / target).exists()
