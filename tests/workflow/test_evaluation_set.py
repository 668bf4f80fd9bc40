"""Evaluation sets as they are released, through the workflow to what is uploaded: Task 2 has audio alone."""

import textwrap
import zipfile
from functools import partial

import pytest
import yaml

from tests.project import snakemake
from tests.workflow import test_default_run

query = partial(test_default_run.query, run="m")

RELEASE = "resources/samples/merlion/MERLIon-CCS-Challenge_Evaluation-Set_v001/_CONFIDENTIAL"
RECORDINGS = [f"TTS_P10096TT_VCST_ECxxx_{n}_v001_R004_CRR_MERLIon-CCS" for n in ("01_AO_35267951", "02_AO_35268964")]
DIARIZER = """
class Halves:
    def predict(self, path, score):
        return [(0, 20_000, "English"), (20_000, 40_000, "Mandarin")]
"""
CONFIG = {
    "g2p": {"corpora": [], "pools": [], "models": []},
    "csc": {"corpora": [], "training": [], "models": []},
    "merlion": {"corpora": ["mine"], "training": [], "partitions": [], "shards": 2},
    "lid": {"models": ["majority"], "training": None},
    "ld": {"models": ["halves"]},
    "statistics": {"resamples": 200},
}


@pytest.fixture
def evaluate(workflow):
    """evaluate(*targets, **files): what the workflow makes of the sample's evaluation audio and these files."""

    def evaluate(*targets, **files):
        entry = {"task": "merlion", "title": "Mine (synthetic)", "reader": "merlion", "role": "submission"}
        entry |= {
            "confidential": "speech",
            "compressed": True,
            "licence": "CC0-1.0",
            "files": {"audio": f"{RELEASE}/_audio"} | files,
        }
        model = {"task": "ld", "title": "Halves", "kind": "python", "class": "halves.py:Halves"}
        for catalog, new in (("corpora", {"mine": entry}), ("models", {"halves": model})):
            with (workflow / f"config/{catalog}.yaml").open("a", encoding="utf-8") as file:
                file.write(yaml.safe_dump(new))
        (workflow / "halves.py").write_text(textwrap.dedent(DIARIZER), encoding="utf-8")
        (workflow / "m.yaml").write_text(yaml.safe_dump(CONFIG), encoding="utf-8")
        result = snakemake(workflow, *targets, "--configfile", "m.yaml", SINOBENCH_MIRROR=None)
        assert result.returncode == 0, result.stderr
        with zipfile.ZipFile(workflow / "results/m/submissions/ld/closed/halves/results.zip") as archive:
            assert archive.namelist() == [f"{name}.txt" for name in RECORDINGS]
            assert archive.read(f"{RECORDINGS[1]}.txt") == b"0 20000 English\n20000 40000 Mandarin\n"
        return result.stderr

    return evaluate


def test_audio_alone_runs_to_a_task_2_submission_of_whole_recordings(workflow, evaluate):
    assert "mine has audio and no timestamps" in evaluate("all")
    assert not (workflow / "results/m/submissions/lid").exists()
    assert query(workflow, "SELECT DISTINCT recording, form FROM merlion_recordings ORDER BY 1") == [
        (name, "audio") for name in RECORDINGS
    ]
    regions = query(workflow, "SELECT protocol, recording, start_ms, end_ms FROM merlion_regions ORDER BY ALL")
    durations = query(workflow, "SELECT recording, 0, duration_ms FROM merlion_recordings ORDER BY ALL")
    assert regions == [(protocol, *row) for protocol in ("official", "strict") for row in durations]
    assert query(workflow, "SELECT DISTINCT value FROM merlion_statistics WHERE statistic = 'english_duration'") == [
        (None,)
    ]


def test_a_recording_that_the_timestamps_do_not_name_is_diarized_all_the_same(workflow, evaluate):
    [timestamps] = (workflow / f"{RELEASE}/_labels").glob("*_timestamps.csv")
    rows = timestamps.read_text(encoding="utf-8").splitlines(keepends=True)
    (workflow / "first.csv").write_text("".join(row for row in rows if RECORDINGS[1] not in row), encoding="utf-8")
    (workflow / "regions.csv").write_text(f"{RECORDINGS[0]}.wav,1000,9000\n", encoding="utf-8")
    assert "no timestamps" not in evaluate("lid", "ld", timestamps="first.csv", regions="regions.csv")
    assert query(workflow, "SELECT recording, form FROM merlion_recordings ORDER BY 1") == [
        (RECORDINGS[0], "timestamps"),
        (RECORDINGS[1], "audio"),
    ]
    regions = query(workflow, "SELECT recording, start_ms, end_ms FROM merlion_regions WHERE protocol = 'strict'")
    assert (RECORDINGS[0], 1000, 9000) in regions and {name for name, *_ in regions} == set(RECORDINGS)
    with zipfile.ZipFile(workflow / "results/m/submissions/lid/closed/majority/results.zip") as archive:
        lines = archive.read("prediction.txt").decode().splitlines()
    assert len(lines) == 2 * sum(RECORDINGS[0] in row for row in rows)
    log = (workflow / "results/m/logs/predict_lid/mine/majority.log").read_text(encoding="utf-8")
    assert "mine, majority: every segment has the same score" in log
