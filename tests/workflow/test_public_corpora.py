"""``make full``: the public corpora of text and of speech, downloaded."""

import shutil
import zipfile
from functools import partial
from pathlib import Path

import pytest

from sinobench.csc.pairs import read_pairs
from tests.conftest import ROOT
from tests.loopback import public
from tests.project import snakemake
from tests.workflow import test_default_run

query = partial(test_default_run.query, run="full+speech")

CORPORA_WITH_GOLD = {
    "nlpcc2023-dev": 1000,
    "ecspell-law": 500,
    "ecspell-med": 500,
    "ecspell-odw": 500,
    "sighan13": 1000,
    "sighan14": 1062,
    "sighan15": 1100,
    "mcscset": 19650,
}

N_RETRIEVED = 7 + 1 + 2 + 9 + 1 + 370  # files of text by their source, and originals of clips


@pytest.fixture(scope="module")
def full_run(mirror, source, tmp_path_factory) -> Path:
    """A run as `make full` makes it, without a mirror: a server stands for the public addresses."""
    folder = Path(shutil.copytree(source, tmp_path_factory.mktemp("full") / "workflow"))
    with public(ROOT, mirror) as server:
        server.write_sources(folder / "config/sources.yaml")
        result = snakemake(
            *(folder, "all", "--configfile", "config/full.yaml", "config/speech.yaml"),
            # A minute for 40,000 sentences; tests/csc/test_ngram.py has it. The other one has nothing to find there.
            *("--config", "disabled=[ngram, do-nothing]", "statistics={resamples: 200}"),
            **{"timeout_s": 1500, "SINOBENCH_MIRROR": None, "no_proxy": "127.0.0.1"},
        )
    assert result.returncode == 0, result.stderr
    assert len(server.asked) == len(set(server.asked)) == N_RETRIEVED
    return folder


def test_tojyutping_equals_the_published_figures(full_run):
    [row] = query(
        full_run,
        "SELECT official_accuracy, official_per, accuracy, per, n_items, official_dropped FROM leaderboard_g2p "
        "WHERE corpus = 'pooled-benchmark' AND model = 'tojyutping'",
    )
    assert row[0] == row[2] == 1932 / 2128
    assert round(row[1], 6) == round(row[3], 6) == 0.030545
    assert row[4:] == (2128, 0)


def test_every_model_is_aligned_everywhere(full_run):
    aligned = query(
        full_run,
        "SELECT model, bool_and(output_length = length(text)) FROM g2p_predictions "
        "JOIN g2p_items USING (corpus, item_id) GROUP BY model ORDER BY model",
    )
    assert aligned == [(model, True) for model in ("canto-hk-g2p", "pycantonese", "tojyutping", "xjyutping")]


def test_the_whole_du_fu(full_run):
    assert query(full_run, "SELECT count(*), count(DISTINCT unit) FROM g2p_items WHERE corpus = 'dufu-full'") == [
        (113075, 1133)
    ]
    reasons = dict(query(full_run, "SELECT reason, count(*) FROM set_aside WHERE corpus = 'dufu-full' GROUP BY 1"))
    assert reasons == {"not_text": 5578, "no_reading": 24, "length_mismatch": 14}


def test_every_set_with_gold_is_scored(full_run):
    rows = query(full_run, "SELECT corpus, n_items FROM leaderboard_csc WHERE model = 'dictionary' AND subset = 'all'")
    assert dict(rows) == CORPORA_WITH_GOLD
    [(official_n_items,)] = query(
        full_run, "SELECT official_n_items FROM leaderboard_csc WHERE corpus = 'mcscset' AND model = 'dictionary'"
    )
    assert official_n_items == 19649


def test_sighan13_is_also_scored_without_de(full_run):
    subsets = query(full_run, "SELECT DISTINCT corpus FROM leaderboard_csc WHERE subset = 'ignoring=的地得'")
    assert subsets == [("sighan13",)]


def test_dictionary_was_fitted_on_no_scored_gold(full_run):
    [(removed, pairs)] = query(
        full_run, "SELECT sum(n_removed_scored), sum(n_pairs) FROM training_sets WHERE task = 'csc'"
    )
    assert (removed, pairs) == (2181, 4498)


def test_dictionary_does_no_harm_on_the_development_set(full_run):
    [(f1, fpr)] = query(
        full_run,
        "SELECT official_correction_f1, official_sentence_fpr FROM leaderboard_csc "
        "WHERE corpus = 'nlpcc2023-dev' AND model = 'dictionary'",
    )
    assert f1 > 0.08 and fpr < 0.1


def test_submission_of_the_test_set(full_run, mirror, tmp_path):
    with zipfile.ZipFile(full_run / "results/full+speech/submissions/csc/dictionary/results.zip") as archive:
        archive.extract("nlpcc2023-test.txt", tmp_path)
    pairs = read_pairs(tmp_path / "nlpcc2023-test.txt")
    inputs = (mirror / "nlpcc2023-task8/NLPCC_TASK8_TESTDATA.txt").read_text(encoding="utf-8").split("\n")
    assert pairs.inputs == inputs[:15000]
    assert pairs.inputs != pairs.outputs


def test_models_tell_the_languages_of_real_speech_apart(full_run):
    rows = query(
        full_run, "SELECT model, balanced_accuracy_recording_mean FROM leaderboard_lid WHERE corpus = 'speech-joined'"
    )
    balanced = dict(rows)
    assert balanced["majority"] == 0.5 and balanced["gmm"] >= 0.8
    assert balanced["conformer-small"] >= balanced["gmm"]


@pytest.mark.parametrize("lid", ["gmm", "conformer-small"])
def test_windows_and_silero_beat_the_energy_vad_on_real_speech(full_run, lid):
    lder = dict(query(full_run, "SELECT model, lder FROM leaderboard_ld WHERE corpus = 'speech-joined'"))
    assert lder[f"window+{lid}"] < 0.5 * lder[f"vad+{lid}"]
    assert lder[f"silero+{lid}"] < 0.5 * lder[f"vad+{lid}"]


def test_real_speech_is_trained_and_scored_on_other_speakers(full_run):
    """The turns of the joined recordings name the speaker of each clip."""
    joined = full_run / "results/shared/merlion/joined"
    [(both, trained)] = query(
        full_run,
        f"""WITH used AS (SELECT DISTINCT speaker FROM merlion_partitions WHERE corpus = 'speech-train')
        SELECT count(*) FILTER (speaker IN (SELECT DISTINCT speaker FROM read_csv('{joined}/turns.csv'))), count(*)
        FROM used""",
    )
    assert both == 0 < trained
