"""Corpora from, and results to, a server of object storage on loopback."""

import logging
from pathlib import Path

import duckdb
import pytest
import yaml

from tests.conftest import ROOT
from tests.project import snakemake
from tests.workflow.test_default_run import NOTHING, rules_run

boto3 = pytest.importorskip("boto3")
server = pytest.importorskip("moto.server")
SAMPLES = ROOT / "resources/samples"
PROFILE = ("--profile", "profiles/s3", "all", "--configfile", "stored.yaml")


@pytest.fixture
def bucket(monkeypatch):
    """A bucket, for Snakemake too."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    http = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    http.start()
    address = "http://{}:{}".format(*http.get_host_and_port())
    for name, value in (("ENDPOINT_URL", address), ("ACCESS_KEY", "key"), ("SECRET_KEY", "secret")):
        monkeypatch.setenv(f"SNAKEMAKE_STORAGE_S3_{name}", value)
    service = boto3.resource(
        "s3", endpoint_url=address, region_name="us-east-1", aws_access_key_id="key", aws_secret_access_key="secret"
    )
    yield service.create_bucket(Bucket="speech")
    http.stop()


def test_corpora_come_from_object_storage_and_results_go_there(workflow, bucket):
    bucket.upload_file(SAMPLES / "csc/sample.tsv", "corpora/pairs.tsv")
    catalog = (workflow / "config/corpora.yaml").read_text(encoding="utf-8")
    entry = yaml.safe_load(catalog)["sample-csc"]
    stored = {"stored": entry | {"files": {"text": "s3://speech/corpora/pairs.tsv"}}}
    (workflow / "stored-corpora.yaml").write_text(yaml.safe_dump(stored, allow_unicode=True), encoding="utf-8")
    config = {
        "store": "s3://speech/runs/one",
        "catalogs": {"corpora": ["config/corpora.yaml", "stored-corpora.yaml"]},
        "csc": {"corpora": ["stored"], "models": ["do-nothing"]},
    }
    (workflow / "stored.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")

    done = snakemake(workflow, *PROFILE)
    assert done.returncode == 0, done.stderr
    folder = workflow / "results/stored"
    names = {item.key.removeprefix("runs/one/") for item in bucket.objects.filter(Prefix="runs/one/")}
    assert {"sinobench.duckdb", "report/index.html", "figures/csc_leaderboard.svg"} <= names
    for name in names:
        assert bucket.Object(f"runs/one/{name}").get()["Body"].read() == (folder / name).read_bytes()
    bucket.download_file("runs/one/sinobench.duckdb", workflow / "taken.duckdb")
    with duckdb.connect(workflow / "taken.duckdb", read_only=True) as connection:
        counted = connection.execute("SELECT DISTINCT corpus, model FROM metrics").fetchall()
        assert counted == [("stored", "do-nothing")]
        source = "SELECT source FROM corpora WHERE corpus = 'stored'"
        assert connection.execute(source).fetchall() == [("s3://speech/corpora/pairs.tsv",)]

    again = snakemake(workflow, *PROFILE)
    assert again.returncode == 0 and NOTHING in again.stdout + again.stderr
    # Its time there is later than that of the copy.
    shorter = (SAMPLES / "csc/sample.tsv").read_bytes().split(b"\n", 1)[1]
    bucket.put_object(Key="corpora/pairs.tsv", Body=shorter)
    planned = rules_run(snakemake(workflow, "-n", *PROFILE))
    assert {"retrieve_object", "ingest_csc", "build_database", "store_results"} <= planned


def test_a_folder_of_audio_comes_from_object_storage(workflow, bucket):
    catalog = yaml.safe_load((workflow / "config/corpora.yaml").read_text(encoding="utf-8"))
    entry = catalog["sample-merlion"]
    folder = Path(entry["files"]["audio"])
    sent = sorted(path for path in (workflow / folder).rglob("*") if path.is_file())
    for path in sent:
        bucket.upload_file(path, f"audio/{path.relative_to(workflow / folder)}")
    entry["files"]["audio"] = "s3://speech/audio/"
    (workflow / "config/corpora.yaml").write_text(yaml.safe_dump(catalog, allow_unicode=True), encoding="utf-8")
    target = "results/merlion/recordings/sample-merlion.parquet"
    done = snakemake(workflow, target, "--profile", "profiles/s3")
    assert done.returncode == 0, done.stderr
    copied = workflow / "results/shared/retrieved/s3/speech/audio"
    assert [path.read_bytes() for path in sent] == [
        (copied / p.relative_to(workflow / folder)).read_bytes() for p in sent
    ]
    with duckdb.connect() as connection:
        [(n,)] = connection.execute(f"SELECT count(*) FROM '{workflow / target}'").fetchall()
    assert n == len(sent)


def test_an_object_that_is_not_there_is_named(workflow, bucket):
    catalog = (workflow / "config/corpora.yaml").read_text(encoding="utf-8")
    missing = catalog.replace("resources/samples/csc/sample.tsv", "s3://speech/none.tsv")
    (workflow / "config/corpora.yaml").write_text(missing, encoding="utf-8")
    done = snakemake(workflow, "results/csc/items/sample-csc.parquet", "--profile", "profiles/s3")
    assert done.returncode == 1 and "s3://speech/none.tsv" in done.stderr, done.stderr


def test_all_files_in_object_storage_are_refused(workflow, bucket):
    options = ("--default-storage-provider", "s3", "--default-storage-prefix", "s3://speech/all")
    done = snakemake(workflow, "-n", "all", *options)
    said = done.stderr.splitlines()[-1]
    assert done.returncode == 1 and said.startswith("Error: --default-storage-provider is s3; expected none"), said
