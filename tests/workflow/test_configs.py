"""Which config a run has, and runs in which lists of it are empty."""

import shutil
from pathlib import Path

import duckdb
import pytest

from tests.project import snakemake

EMPTY = {
    "g2p": 'g2p={"corpora": []}',
    "csc": 'csc={"corpora": []}',
    "csc training": 'csc={"training": []}',
    "merlion corpora": 'merlion={"corpora": []}',
    "merlion": 'merlion={"corpora": [], "training": [], "partitions": []}',
}


@pytest.fixture(scope="module")
def clone(source, tmp_path_factory):
    """A fresh clone, in which nothing but plans is made."""
    return Path(shutil.copytree(source, tmp_path_factory.mktemp("clone") / "workflow"))


def planned(folder, *arguments):
    """The jobs that a run would have, by their rule, and what else it printed."""
    result = snakemake(folder, "-n", "all", *arguments, SINOBENCH_MIRROR=None)
    printed = result.stdout + result.stderr
    assert result.returncode == 0, printed
    counts = [words for line in printed.splitlines() if len(words := line.split()) == 2 and words[1].isdigit()]
    return {rule: int(n) for rule, n in counts}


@pytest.mark.parametrize("empty", EMPTY)
def test_every_list_may_be_empty_in_a_fresh_clone(clone, empty):
    jobs = planned(clone, "--config", EMPTY[empty])
    assert jobs["build_database"] == 1
    absent = {
        "g2p": {"ingest_g2p", "predict_g2p", "score_g2p", "pool_g2p"},
        "csc": {"fit_csc", "predict_csc", "score_csc"},
        "csc training": {"fit_csc"},
        "merlion corpora": {"ingest_merlion", "fit_lid", "fit_ld", "predict_lid", "predict_ld"},
        "merlion": {"ingest_merlion", "ingest_training", "partition_training", "fit_lid", "predict_lid"},
    }
    assert not absent[empty] & jobs.keys()
    assert ("predict_csc" in jobs) == (empty != "csc") and ("predict_g2p" in jobs) == (empty != "g2p")


def test_a_config_without_a_corpus_makes_a_database_without_rows(workflow):
    (workflow / "none.yaml").write_text("g2p: {corpora: []}\n", encoding="utf-8")
    result = snakemake(workflow, "all", "--configfile", "none.yaml")
    assert result.returncode == 0, result.stderr
    assert "no corpus to evaluate on: name some in g2p.corpora, csc.corpora or merlion.corpora" in result.stderr
    [database] = workflow.rglob("sinobench.duckdb")
    with duckdb.connect(database, read_only=True) as connection:
        assert connection.execute(
            "SELECT (SELECT count(*) FROM corpora), (SELECT count(*) FROM metrics)"
        ).fetchall() == [(0, 0)]


def test_a_config_of_ones_own_inherits_nothing_of_the_samples(clone):
    (clone / "mine.yaml").write_text("csc: {corpora: [sample-csc]}\n", encoding="utf-8")
    jobs = planned(clone, "--configfile", "mine.yaml")
    assert not jobs.keys() & {"ingest_g2p", "fit_csc", "ingest_merlion", "ingest_training", "partition_training"}
    assert jobs["ingest_csc"] == 1


def test_a_samples_partition_never_follows_into_ones_own_config(clone):
    """Without training data of its own, the models that need none are run, and the others are named."""
    (clone / "mine.yaml").write_text("merlion: {corpora: [sample-merlion-evaluation]}\n", encoding="utf-8")
    jobs = planned(clone, "--configfile", "mine.yaml")
    assert jobs["predict_lid"] == jobs["package_lid"] == 1 and not jobs.keys() & {"partition_training", "fit_lid"}
    (clone / "named.yaml").write_text(
        "merlion: {corpora: [sample-merlion-evaluation]}\nlid: {models: [gmm]}\n", encoding="utf-8"
    )
    result = snakemake(clone, "-n", "all", "--configfile", "named.yaml")
    assert result.returncode == 1 and "neither lid.training nor its entry names a partition" in (
        result.stdout + result.stderr
    )


def test_config_values_on_the_command_line_change_the_sample(clone):
    jobs = planned(clone, "--config", 'g2p={"models": ["tojyutping"]}')
    assert jobs["predict_g2p"] == 3 and jobs["fit_csc"] == 1 and jobs["fit_lid"] == 2


@pytest.mark.parametrize(
    ("files", "rules"),
    [(["full"], {"fit_csc"}), (["speech"], {"fit_lid"}), (["full", "speech"], {"fit_csc", "fit_lid"})],
)
def test_public_text_and_real_speech_are_run_alone_and_together(clone, files, rules):
    jobs = planned(clone, "--configfile", *(f"config/{name}.yaml" for name in files))
    assert jobs.keys() & {"fit_csc", "fit_lid"} == rules
    assert ("make_clips" in jobs) == ("speech" in files) and ("pool_g2p" in jobs) == ("full" in files)
