"""The speech tasks in the default run: what its tables, uploads and models say, and that the command line agrees."""

import json
import zipfile

import duckdb
import pytest

from sinobench.lid.fitting import fit
from sinobench.lid.running import predict
from sinobench.lid.tables import SCORES
from sinobench.results import tables
from sinobench.schema import load_yaml
from tests.project import shared, sinobench, snakemake

SAMPLE = "resources/samples/merlion"
RELEASED = (
    f"{SAMPLE}/MERLIon-CCS-Challenge_Development-Set_v001/_CONFIDENTIAL/_labels/"
    "MERLIon-CCS-Challenge_Development-Set_v001"
)
TIMESTAMPS = (
    f"{SAMPLE}/MERLIon-CCS-Challenge_Evaluation-Set_v001/_CONFIDENTIAL/_labels/"
    "MERLIon-CCS-Challenge_Evaluation-Set_v001_timestamps.csv"
)
LID = ("majority", "gmm", "conformer-small")
LD = ("vad+gmm", "window+gmm")


@pytest.fixture(scope="module")
def query(finished_run):
    """query(sql): the rows of the finished default run's database."""

    def query(sql, *parameters):
        with duckdb.connect(finished_run / "results/sinobench.duckdb", read_only=True) as connection:
            return connection.execute(sql, parameters).fetchall()

    return query


def test_every_model_stands_in_the_leaderboards(query):
    for task, models in (("lid", LID), ("ld", LD)):
        found = query(f"SELECT corpus, model FROM leaderboard_{task} WHERE NOT published")
        assert sorted(found) == sorted((c, m) for c in ("sample-merlion", "sample-merlion-raw") for m in models)


def test_the_floor_is_at_chance(query):
    [(eer, balanced, cllr)] = query(
        "SELECT DISTINCT eer, balanced_accuracy, min_cllr FROM leaderboard_lid WHERE model = 'majority'"
    )
    assert (eer, balanced, cllr) == (0.5, 0.5, 1.0)
    [(warning,)] = query("SELECT DISTINCT warning FROM leaderboard_lid WHERE model = 'majority'")
    assert warning.startswith("every segment has the same score")
    assert query("SELECT count(*) FROM metrics WHERE model != 'majority' AND warning IS NOT NULL") == [(0,)]


@pytest.mark.parametrize("model", LID[1:])
def test_a_fitted_model_tells_the_languages_apart(query, model):
    rows = query(
        "SELECT balanced_accuracy, english_recall, mandarin_recall FROM leaderboard_lid WHERE model = ?", model
    )
    for balanced, english, mandarin in rows:
        assert balanced >= 0.8 and min(english, mandarin) >= 0.7


@pytest.mark.parametrize("model", LID[1:])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_fitted_model_tells_them_apart_with_other_seeds(finished_run, tmp_path, model, seed):
    results = finished_run / "results"
    entry = load_yaml(finished_run / "config/models.yaml")[model]
    entry = {"options": {}, "track": None, "pretrained": []} | entry
    partition = shared(finished_run, "merlion/partitions/*/sample.parquet")
    features = [shared(finished_run, f"merlion/training_features/*/sample/{shard}") for shard in range(2)]
    origins = {f"sample-{name}": "synthetic" for name in ("librispeech", "aishell", "nsc", "seame")}
    rules = {"name": "sample", "track": "closed", "pretrained": []}
    fit(model, entry, seed, rules, origins, partition, features, {}, tmp_path / "fitted", tmp_path / "state")
    segments, shard = results / "lid/segments/sample-merlion.parquet", "sample-merlion/0.parquet"
    chunks, features = ([results / f"merlion/{kind}/{shard}"] for kind in ("chunks", "features"))
    scores = tmp_path / "scores"
    inputs = tables.read(results / "lid/inputs/sample-merlion.parquet")
    fitted = str(tmp_path / "fitted")
    columns, _ = predict("sample-merlion", model, entry, fitted, inputs, True, chunks, features, threads=2)
    tables.write(SCORES, columns, scores)
    with duckdb.connect() as connection:
        rows = connection.execute(
            "SELECT language, avg((english_score >= mandarin_score)::INT) FROM read_parquet(?) JOIN read_parquet(?) "
            "USING (corpus, segment_id) GROUP BY language",
            [str(segments), str(scores)],
        ).fetchall()
    recalls = dict(rows)
    recalls["Mandarin"] = 1 - recalls["Mandarin"]
    print(f"{model}, seed {seed}, synthetic: {recalls}, balanced accuracy {sum(recalls.values()) / 2:.3f}")
    assert min(recalls.values()) >= 0.7 and sum(recalls.values()) / 2 >= 0.8


def test_windows_beat_the_energy_vad(query):
    lder = {(corpus, model): value for corpus, model, value in query("SELECT corpus, model, lder FROM leaderboard_ld")}
    for corpus in ("sample-merlion", "sample-merlion-raw"):
        assert lder[corpus, "window+gmm"] < 0.8 * lder[corpus, "vad+gmm"]


def test_recordings_add_up_to_the_metrics(query):
    different = query(
        """SELECT corpus, model, l.lder FROM leaderboard_ld AS l JOIN ld_recordings AS r USING (corpus, model)
        GROUP BY ALL HAVING abs(l.lder - sum(miss_ms + false_alarm_ms + confusion_ms) / sum(reference_ms)) > 1e-12"""
    )
    assert different == []
    different = query(
        """SELECT corpus, model, l.accuracy FROM leaderboard_lid AS l JOIN lid_outcomes AS o USING (corpus, model)
        GROUP BY ALL HAVING abs(l.accuracy - avg(correct::INT)) > 1e-12"""
    )
    assert different == []


def test_redactions_and_non_evaluated_speech_are_not_scored_under_strict(query):
    [(scored, regions, taken)] = query(
        """WITH spans AS (FROM merlion_regions WHERE corpus = 'sample-merlion-raw' AND protocol = 'official')
        SELECT (SELECT sum(scored_ms) FROM ld_recordings WHERE corpus = 'sample-merlion-raw' AND model = 'vad+gmm'),
        (SELECT sum(end_ms - start_ms) FROM spans),
        (SELECT sum(end_ms - start_ms) FROM merlion_subtractions WHERE corpus = 'sample-merlion-raw')"""
    )
    assert scored == regions - taken and taken > 0


def test_scores_are_opposite_halves_of_one_ratio(query):
    assert query("SELECT count(*) FROM lid_scores WHERE english_score + mandarin_score != 0") == [(0,)]


@pytest.mark.parametrize(("task", "model"), [*(("lid", m) for m in LID), *(("ld", m) for m in LD)])
def test_the_upload_is_what_the_challenge_takes(finished_run, task, model):
    folder = finished_run / "results/submissions" / task / "closed" / model
    answer = sinobench(
        *("validate", "submission", folder / "results.zip"), *("--task", task, "--reference", finished_run / TIMESTAMPS)
    )
    assert answer.returncode == 0, answer.stdout
    description = (folder / "system_description.md").read_text(encoding="utf-8")
    assert "synthetic" in description and "To be filled in by the author" in description


def test_a_damaged_upload_is_rejected(finished_run, tmp_path):
    whole = finished_run / "results/submissions/lid/closed/gmm/results.zip"
    with zipfile.ZipFile(whole) as archive:
        lines = archive.read("prediction.txt").decode().splitlines(keepends=True)
    with zipfile.ZipFile(tmp_path / "results.zip", "w") as archive:
        archive.writestr("prediction.txt", "".join(lines[2:]))
    answer = sinobench(
        *("validate", "submission", tmp_path / "results.zip"),
        *("--task", "lid", "--reference", finished_run / TIMESTAMPS),
    )
    assert answer.returncode == 1 and lines[0].split()[0] in answer.stdout


def assert_metrics_are_the_databases(query, printed, corpus, task, model):
    """Both protocols, under the same names and on the same scale."""
    rows = query(
        "SELECT protocol, metric, value, n_items, coverage FROM metrics "
        f"WHERE corpus = '{corpus}' AND task = '{task}' AND model = '{model}' AND subset = 'all'"
    )
    assert {protocol for protocol, *_ in rows} == {"official", "strict"}
    for protocol, metric, value, _, coverage in rows:
        assert (printed[protocol][metric], printed[protocol]["coverage"]) == (value, coverage), (protocol, metric)


def test_command_line_agrees_with_the_workflow_on_task_1(finished_run, query, tmp_path):
    rows = query("SELECT segment_id, english_score, mandarin_score FROM lid_scores WHERE corpus = 'sample-merlion' "
                 "AND model = 'gmm'")  # fmt: skip
    predictions = tmp_path / "prediction.txt"
    predictions.write_text("".join(f"{name} {english!r} {mandarin!r}\n" for name, english, mandarin in reversed(rows)))
    reference = finished_run / f"{RELEASED}_labels.csv"
    answer = sinobench(*("score", "lid", "--reference", reference, "--predictions", predictions), *("--format", "json"))
    printed = json.loads(answer.stdout)
    assert_metrics_are_the_databases(query, printed, "sample-merlion", "lid", "gmm")
    assert printed["order_differs"]


def test_command_line_agrees_with_the_workflow_on_task_2(finished_run, query, tmp_path):
    corpus = "sample-merlion-raw"
    (tmp_path / "predictions").mkdir()
    for recording, *turn in query(
        f"SELECT recording, start_ms, end_ms, language FROM ld_predictions WHERE corpus = '{corpus}' "
        "AND model = 'window+gmm'"
    ):
        with (tmp_path / "predictions" / f"{recording}.txt").open("a") as file:
            print(*turn, file=file)
    redactions = tmp_path / "redactions.csv"
    rows = query(f"SELECT recording, start_ms, end_ms, label FROM merlion_redactions WHERE corpus = '{corpus}'")
    lines = ["audio_name,start,end,label", *(",".join(map(str, row)) for row in rows)]
    redactions.write_text("\n".join(lines) + "\n", encoding="utf-8")
    answer = sinobench(
        *("score", "ld", "--reference", finished_run / f"results/merlion/labels/{corpus}.csv"),
        *("--predictions", tmp_path / "predictions", "--regions", finished_run / f"{RELEASED}_evaluated-regions.xlsx"),
        *("--redactions", redactions, "--format", "json"),
    )
    printed = json.loads(answer.stdout)
    assert_metrics_are_the_databases(query, printed, corpus, "ld", "window+gmm")


def test_nist_files_score_as_the_tables_they_are_written_from(finished_run, query):
    nist = finished_run / "results/ld/nist/sample-merlion-raw"
    answer = sinobench(
        *("score", "ld", "--reference", nist / "reference.rttm", "--predictions", nist / "window+gmm.rttm"),
        *("--regions", nist / "official.uem", "--strict-regions", nist / "strict.uem", "--format", "json"),
    )
    assert_metrics_are_the_databases(query, json.loads(answer.stdout), "sample-merlion-raw", "ld", "window+gmm")


def test_own_and_others_speech_models_need_an_entry_each(finished, tmp_path):
    """A class on audio, someone's score file, a diarizer with the class, and someone's RTTM file."""
    (finished / "own.py").write_text(
        "class Loud:\n"
        "    takes = 'audio'\n"
        "    def predict(self, chunks):\n"
        "        return [float(abs(chunk.astype(int)).mean()) - 1000 for chunk in chunks]\n"
    )
    with duckdb.connect(finished / "results/sinobench.duckdb", read_only=True) as connection:
        rows = connection.execute("SELECT segment_id, language FROM lid_segments WHERE corpus = 'sample-merlion'")
        lines = [f"{name} {int(tag == 'English')} {int(tag == 'Mandarin')}\n" for name, tag in rows.fetchall()]
    (finished / "oracle.txt").write_text("".join(lines))
    reference = "results/ld/nist/sample-merlion/reference.rttm"
    (finished / "oracle.rttm").write_text((finished / reference).read_text())
    with (finished / "config/models.yaml").open("a") as file:
        file.write(
            "\nloud: {task: lid, title: Loud, kind: python, class: 'own.py:Loud'}\n"
            "oracle: {task: lid, title: Oracle, kind: predictions, files: {sample-merlion: oracle.txt}}\n"
            "vad+loud: {task: ld, title: L, kind: python, class: 'sinobench.ld.models.vad_lid:VadLid', lid: loud}\n"
            "turns: {task: ld, title: Turns, kind: predictions, files: {sample-merlion: oracle.rttm}}\n"
        )
    (finished / "own.yaml").write_text(
        "lid: {models: [loud, oracle]}\nld: {models: [vad+loud, turns]}\n"
        "merlion: {corpora: [sample-merlion], partitions: [], training: []}\n"
    )
    result = snakemake(finished, "database", "--configfile", "own.yaml")
    assert result.returncode == 0, result.stderr
    with duckdb.connect(finished / "results/own/sinobench.duckdb", read_only=True) as connection:
        lid = dict(connection.execute("SELECT model, official_eer FROM leaderboard_lid WHERE NOT published").fetchall())
        ld = dict(connection.execute("SELECT model, lder FROM leaderboard_ld WHERE NOT published").fetchall())
    assert lid["oracle"] == 0 < lid["loud"]
    assert ld["turns"] == 0 < ld["vad+loud"]


def test_data_that_the_track_forbids_stop_the_run(workflow):
    (workflow / "closed.yaml").write_text(
        "merlion: {corpora: [sample-merlion], training: [sample-nsc], partitions: [{name: own, track: open, "
        "parts: [{corpus: sample-nsc}], pretrained: [{name: XLS-R, "
        "version: '300m', url: 'https://example.org', public: false}]}]}\nlid: {models: [gmm], training: own}\n"
    )
    result = snakemake(workflow, "lid", "--configfile", "closed.yaml")
    assert result.returncode == 1 and "pretrained model XLS-R is not public" in result.stderr
