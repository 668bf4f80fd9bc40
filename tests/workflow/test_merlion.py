"""The MERLIon sample through the workflow: recoding, masking, regions, chunks, features, training corpora."""

import shutil
import wave
from itertools import pairwise

import numpy as np
import pyarrow.parquet as pq
import pytest

from sinobench.merlion.audio.shards import audio_of
from sinobench.results import tables
from tests.project import shared, snakemake
from tests.workflow.test_default_run import query

RELEASED = "resources/samples/merlion/MERLIon-CCS-Challenge_Development-Set_v001/_CONFIDENTIAL/_labels"


def samples(path):
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 32_000)
        return np.frombuffer(file.readframes(file.getnframes()), np.int16)


def test_recoded_labels_equal_the_released_ones(finished_run):
    [released] = (finished_run / RELEASED).glob("*_labels.csv")
    recoded = finished_run / "results/merlion/labels/sample-merlion-raw.csv"
    assert recoded.read_bytes() == released.read_bytes()


def test_every_grain_has_the_number_of_its_rule(finished_run):
    rules = dict(query(finished_run, "SELECT rule, count(*) FROM merlion_grains GROUP BY 1"))
    assert {"R1", "R2", "R5", "R6", "R8", "R9", "-"} <= rules.keys()
    assert None not in rules


def test_masked_audio_is_the_original_but_for_the_tone(finished_run):
    rows = query(finished_run, "SELECT corpus, recording, original, path FROM merlion_masked WHERE path IS NOT NULL")
    folder = finished_run / "results/merlion"
    assert len(rows) >= 3
    for corpus, recording, original, path in rows:
        before = samples(shared(finished_run, f"merlion/audio/*/{corpus}") / original)
        after = samples(folder / "masked_audio" / corpus / "0" / path)
        inside = np.zeros(len(before), bool)
        for start, end in query(
            finished_run,
            f"SELECT start_ms, end_ms FROM merlion_redactions WHERE corpus = 'sample-merlion-raw' "
            f"AND recording = '{recording}'",
        ):
            inside[start * 32 : end * 32] = True
        assert inside.any() and np.array_equal(before[~inside], after[~inside])
        assert np.abs(after[inside]).max() <= 3277


def test_everything_masked_is_proven(finished_run):
    masked = query(finished_run, "SELECT corpus, recording FROM merlion_masked WHERE path IS NOT NULL ORDER BY ALL")
    assert masked == query(finished_run, "SELECT corpus, recording FROM merlion_proofs ORDER BY ALL")


def test_features_of_every_shard_are_proven(finished_run):
    proofs = query(
        finished_run,
        "SELECT coalesce(corpus, partition), shard, least(n_chunks, 30) <= n_compared, max_difference < 2e-3 "
        "FROM merlion_feature_proofs ORDER BY ALL",
    )
    sets = ("sample", "sample-merlion", "sample-merlion-evaluation", "sample-merlion-raw")
    shards = [("sample", 0), ("sample", 1), *((name, 0) for name in sets[1:])]
    assert proofs == [(name, shard, True, True) for name, shard in shards]


def test_identification_waits_for_the_proof_of_its_features(finished):
    (finished / "results/merlion/feature_proofs/sample-merlion/0.parquet").unlink()
    (finished / "results/lid/scores/sample-merlion/gmm.parquet").unlink()
    shared(finished, "merlion/training_feature_proofs/*/sample/0.parquet").unlink()
    shutil.rmtree(shared(finished, "lid/fitted/*/gmm"))
    plan = snakemake(finished, "-n", "results/lid/scores/sample-merlion/gmm.parquet").stdout
    assert all(f"rule {name}:" in plan for name in ("verify_features", "verify_training_features", "fit_lid"))
    assert "rule predict_lid:" in plan and "rule extract_features:" not in plan


def test_strict_regions_are_the_official_ones_less_what_is_named(finished_run):
    totals = query(
        finished_run,
        """WITH r AS (SELECT corpus, sum(end_ms - start_ms) FILTER (protocol = 'official') AS official,
                sum(end_ms - start_ms) FILTER (protocol = 'strict') AS strict FROM merlion_regions GROUP BY 1),
            s AS (SELECT corpus, sum(end_ms - start_ms) AS taken FROM merlion_subtractions GROUP BY 1)
        SELECT corpus, official - strict, taken FROM r JOIN s USING (corpus)""",
    )
    assert totals and all(difference == taken > 0 for _, difference, taken in totals)


def test_chunks_are_the_audio_of_their_segments(finished_run):
    folder, corpus = finished_run / "results/merlion", "sample-merlion-raw"
    rows = tables.read(folder / f"masked/{corpus}/0.parquet").to_pylist()
    folders = shared(finished_run, f"merlion/audio/*/{corpus}"), folder / "masked_audio" / corpus / "0"
    paths = {row["recording"]: audio_of(row, *folders) for row in rows}
    cover = {}
    for file in (finished_run / "results/merlion/chunks/sample-merlion-raw").glob("*.parquet"):
        for row in pq.read_table(file).to_pylist():
            start, end = row["start_sample"], row["end_sample"]
            assert 0 < end - start <= 3 * 32_000
            assert row["audio"] == samples(paths[row["recording"]])[start:end].tobytes()
            cover.setdefault(row["segment_id"], []).append((start, end))
    wanted = query(
        finished_run,
        "SELECT recording || '_' || utt_id || '_' || start_ms || '_' || end_ms, start_ms, end_ms FROM merlion_segments "
        "WHERE corpus = 'sample-merlion-raw' AND language IN ('English', 'Mandarin') AND NOT overlap_diff_lang",
    )
    assert {name for name, _, _ in wanted} == cover.keys()
    for name, start_ms, end_ms in wanted:
        pieces = sorted(cover[name])
        assert pieces[0][0] == start_ms * 32 and pieces[-1][1] == end_ms * 32
        assert all(a[1] == b[0] for a, b in pairwise(pieces))


def test_the_database_holds_no_audio_and_no_transcript(finished_run):
    columns = {name for (name,) in query(finished_run, "SELECT column_name FROM duckdb_columns() WHERE NOT internal")}
    assert not columns & {"audio", "features"}
    tables = query(finished_run, "SELECT DISTINCT table_name FROM duckdb_columns() WHERE column_name = 'text'")
    assert not [name for (name,) in tables if name.startswith("merlion")]


def test_training_corpora_are_read_in_their_four_layouts(finished_run):
    rows = query(
        finished_run, "SELECT corpus, count(*), sum(end_ms - start_ms) FROM merlion_training GROUP BY 1 ORDER BY 1"
    )
    assert len(rows) == 4 and sum(ms for _, _, ms in rows) > 10 * 60_000 * 0.5


def test_shards_do_not_change_a_byte(finished_run, workflow):
    (workflow / "four.yaml").write_text("merlion: {shards: 4}\n", encoding="utf-8")
    shutil.copytree(finished_run / "results/shared/merlion/audio", workflow / "results/shared/merlion/audio")
    targets = [f"results/config+four/merlion/features/sample-merlion-raw/{shard}.parquet" for shard in range(4)]
    result = snakemake(workflow, *targets, "--configfile", "config/config.yaml", "four.yaml", "--cores", "8")
    assert result.returncode == 0, result.stderr

    def rows(results, table):
        files = (results / f"merlion/{table}/sample-merlion-raw").glob("*.parquet")
        all_rows = [row for file in files for row in pq.read_table(file).to_pylist()]
        return sorted(all_rows, key=lambda row: (row["segment_id"], row["chunk"]))

    for table in ("chunks", "features"):
        assert rows(workflow / "results/config+four", table) == rows(finished_run / "results", table)


def test_chunks_as_wav_files_on_request(finished):
    result = snakemake(finished, "results/merlion/chunks_wav/sample-merlion-raw/0")
    assert result.returncode == 0, result.stderr
    files = list((finished / "results/merlion/chunks_wav/sample-merlion-raw/0").glob("*.wav"))
    chunks = pq.read_metadata(finished / "results/merlion/chunks/sample-merlion-raw/0.parquet").num_rows
    assert len(files) == chunks and len(samples(files[0])) > 0


def test_a_pair_in_development_and_evaluation_set_stops_the_run(finished):
    corpora = (finished / "config/corpora.yaml").read_text(encoding="utf-8")
    (finished / "config/corpora.yaml").write_text(
        corpora + "again:\n  <<: *sample-merlion\n  role: submission\n", encoding="utf-8"
    )
    (finished / "m.yaml").write_text("merlion: {corpora: [sample-merlion, again]}\n", encoding="utf-8")
    result = snakemake(finished, "results/m/merlion/folds.parquet", "--configfile", "m.yaml")
    assert result.returncode == 1 and "share" in result.stderr and "P10040" in result.stderr


@pytest.mark.parametrize("name", ["segments", "recordings", "shares"])
def test_figures_of_the_plan(finished_run, name):
    assert (finished_run / f"results/figures/merlion_{name}.png").read_bytes().startswith(b"\x89PNG")


def test_the_partition_is_whole_speakers_of_its_corpora(finished_run):
    rows = query(
        finished_run,
        """SELECT p.corpus, count(*), (SELECT count(*) FROM merlion_training AS t WHERE t.corpus = p.corpus
            AND t.speaker IN (SELECT speaker FROM merlion_partitions AS q WHERE q.corpus = p.corpus))
        FROM merlion_partitions AS p GROUP BY p.corpus ORDER BY 1""",
    )
    assert [corpus for corpus, _, _ in rows] == ["sample-aishell", "sample-librispeech", "sample-nsc", "sample-seame"]
    assert all(chosen == of_those_speakers > 0 for _, chosen, of_those_speakers in rows)
    lists = {path.name for path in shared(finished_run, "merlion/partitions/*/sample").glob("*.*")}
    assert {"sample-nsc.txt", "sample-nsc.json"} <= lists


@pytest.mark.parametrize(
    ("partition", "message"),
    [
        (
            "{name: mine, pretrained: [{name: wav2vec, version: '2', url: 'https://example.org', public: true}], "
            "parts: [{corpus: sample-nsc}]}",
            "closed track: pretrained models are not allowed, found wav2vec",
        ),
        (
            "{name: mine, track: open, pretrained: [{name: ours, version: '1', url: 'https://example.org', "
            "public: false}], parts: [{corpus: sample-nsc}]}",
            "ours",
        ),
    ],
)
def test_what_a_track_does_not_allow_stops_the_run(finished, partition, message):
    config = f"merlion: {{training: [sample-nsc], partitions: [{partition}]}}\n"
    (finished / "m.yaml").write_text(config, encoding="utf-8")
    result = snakemake(finished, "merlion", "--configfile", "m.yaml")
    assert result.returncode == 1
    [line] = {line for line in result.stderr.splitlines() if line.startswith("error: ")}
    assert message in line
