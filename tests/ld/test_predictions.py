import contextlib
import json
import re

import numpy as np
import pytest

from sinobench.errors import InputError
from sinobench.ld import running
from sinobench.ld.fitting import fit
from sinobench.ld.predictions import check_output, from_file, refuse_seconds
from sinobench.ld.rttm import NamedTurn
from sinobench.ld.tables import PREDICTIONS
from sinobench.ld.turns import named_turns
from sinobench.results import tables
from tests.ld.material import table
from tests.ld.voices import training_utterances, write_recording

GOOD = [(0, 500, "English"), (500, 900, "Mandarin"), (950, 1000, "English")]


@pytest.mark.parametrize("output", [[], GOOD, tuple(GOOD), [(np.int64(3), np.int64(5), "English")]])
def test_turns_as_expected(output):
    assert check_output(output, 1000) is None


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (None, "NoneType"),
        ([(0, 500)], "is no"),
        ([(0.0, 500.0, "English")], "whole milliseconds"),
        ([(False, True, "English")], "whole milliseconds"),
        ([(0, 500, "english")], "English and Mandarin"),
        ([(0, 500, "NON_SPEECH")], "English and Mandarin"),
        ([(0, 500, ["English"])], "English and Mandarin"),
        ([(500, 500, "English")], "ends at or before"),
        ([(-5, 500, "English")], "starts before 0"),
        ([(0, 500, "English"), (499, 600, "English")], "turn 2.*before 500"),
        ([(600, 700, "English"), (0, 500, "English")], "turn 2.*before 700"),
        ([(0, 1001, "English")], "at 1000 ms"),
    ],
)
def test_turns_that_are_none(output, message):
    assert re.search(message, InputError(check_output(output, 1000)).shown)


def test_files_of_turns_keep_what_they_hold(tmp_path):
    (tmp_path / "a.txt").write_text("0 500 Mandarin\n400 800 English\n")
    (tmp_path / "b.txt").write_text("")
    found = from_file(tmp_path, ["a", "b", "c"])
    turns = [NamedTurn("a", 0, 500, "Mandarin"), NamedTurn("a", 400, 800, "English")]
    assert found.recordings == ["a", "b"] and named_turns(found) == turns
    assert found.among(["c", "b"]).recordings == ["b"] and found.among(["b", "a"]).recording.tolist() == [1, 1]
    with pytest.raises(InputError, match="'b', which is no recording"):
        from_file(tmp_path, ["a"])


LID = """
import numpy as np
from tests.ld.voices import score
class Bands:
    takes = "audio"
    def predict(self, chunks):
        return score(chunks)
    @classmethod
    def load(cls, folder):
        return cls()
"""
OWN = """
class Own:
    def __init__(self, turns):
        self.turns = turns
    def predict(self, path, score):
        return self.turns if path.stem != "b" else 1 / len(self.turns) and self.turns
"""
WINDOW = {"kind": "python", "class": "sinobench.ld.models.window_lid:WindowLid", "options": {}, "packages": ["scipy"]}


@pytest.fixture
def lid(write):
    """The catalog entry of an identification model that tells the languages of `voices` apart."""
    return {"class": f"{write(LID, 'bands_lid.py')}:Bands", "options": {}}


def predict(folder, recordings, entry, files=(), lid=None, fitted=None):
    """Rows of ld_predictions and runs for a corpus of which the last recording is in another shard."""
    names = [path.stem for path in recordings]
    shard = [{"recording": path.stem, "original": path.name, "n_samples": 5 * 32_000} for path in recordings[:-1]]
    model = running.Chosen("own", entry, list(files), fitted, lid)
    columns, runs = running.predict("corpus", model, names, shard, {path.stem: path for path in recordings}, threads=1)
    return tables.to_arrow(PREDICTIONS, columns).to_pylist(), runs


def test_fitted_and_run_as_the_rules_do(tmp_path, lid):
    (tmp_path / "audio").mkdir()
    utterances = [utterance for _, utterance in training_utterances(tmp_path / "audio")]
    folders, fitted = {"corpus": str(tmp_path / "audio")}, tmp_path / "fitted.json"
    fit("own", WINDOW, 1, utterances, folders, None, lid, fitted)
    turns = [(500, 2000, "English"), (3000, 4500, "Mandarin")]
    recordings = [write_recording(tmp_path / f"{name}.wav", 5000, turns) for name in "abc"]
    found, runs = predict(tmp_path, recordings, WINDOW, lid=lid, fitted=fitted)
    assert [(row["recording"], row["language"]) for row in found] == [
        (name, language) for name in "ab" for *_, language in turns
    ]
    assert (runs[0]["task"], runs[0]["n_texts"], runs[0]["audio_s"]) == ("ld", 2, 10)
    assert runs[0]["times_real_time"] == pytest.approx(10 / runs[0]["predict_s"])


def test_only_speakers_that_the_identification_model_held_out_are_tuned_on(tmp_path, lid):
    utterances = [utterance for _, utterance in training_utterances(tmp_path)]
    for speakers, message in ((["corpus/English0"], "no utterance of Mandarin"), (["English0"], "held out no speaker")):
        (tmp_path / "training.json").write_text(json.dumps({"held_out_speakers": speakers}))
        with pytest.raises(InputError, match=message):
            fit("own", WINDOW, 1, utterances, {"corpus": str(tmp_path)}, str(tmp_path), lid, tmp_path / "none")


def test_turns_in_seconds_are_refused(tmp_path, write):
    (tmp_path / "given").mkdir()
    for name, times in (("a", "0.412 1.31"), ("b", "1.2 4.95")):
        (tmp_path / f"given/{name}.txt").write_text(f"{times} English\n")
    recordings = [tmp_path / f"{name}.wav" for name in "abc"]
    with pytest.raises(InputError, match=r"given: the last turn of '.' ends at 5 ms of 5000 ms.*Write milliseconds"):
        predict(tmp_path, recordings, {"kind": "predictions"}, [str(tmp_path / "given")])
    options = {"turns": [(0, 3, "English"), (4, 5, "Mandarin")]}
    entry = {"kind": "python", "class": f"{write(OWN, 'own_ld.py')}:Own", "options": options, "packages": []}
    with pytest.raises(InputError, match=r"model 'own': .*are these times seconds"):
        predict(tmp_path, recordings, entry)


@pytest.mark.parametrize(
    ("turns", "refused"),
    [
        ([(0, 413, 415, 0), (0, 416, 417, 1)], True),
        ([(0, 413, 415, 0), (1, 416_000, 417_000, 1)], False),
        ([(0, 200, 1500, 0)], False),  # all that a model found
        ([(0, 0, 900, 0), (1, 0, 600, 0), (2, 0, 700, 0)], True),  # whole recordings
        ([], False),
    ],
)
def test_what_is_taken_for_seconds(turns, refused):
    found = table(turns)
    with pytest.raises(InputError, match="seconds") if refused else contextlib.nullcontext():
        refuse_seconds(found, dict.fromkeys(found.recordings, 900_000), "given")


def test_files_of_someone_else(tmp_path):
    recordings = [tmp_path / f"{name}.wav" for name in "abc"]
    given = tmp_path / "given.rttm"
    given.write_text("".join(f"SPEAKER {n} 1 0.5 1.25 <NA> <NA> Mandarin <NA> <NA>\n" for n in "ca"))
    found, runs = predict(tmp_path, recordings, {"kind": "predictions"}, [str(given)])
    key = {"corpus": "corpus", "model": "own"}
    assert found == [key | {"recording": "a", "start_ms": 500, "end_ms": 1750, "language": "Mandarin"}]
    assert runs == []


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ([(0, 500, "English"), (400, 600, "English")], "model 'own', recording 1 of 2: turn 2"),
        ([(0, 5001, "English")], "model 'own', recording 1 of 2: turn 1.*at 5000 ms"),
        ([], "model 'own' failed.*recording 2 of 2: ZeroDivisionError"),
    ],
)
def test_what_is_wrong_names_the_model_and_the_recordings_place(tmp_path, write, turns, message):
    entry = {"kind": "python", "class": f"{write(OWN, 'own_ld.py')}:Own", "options": {"turns": turns}, "packages": []}
    recordings = [tmp_path / f"{name}.wav" for name in "abc"]
    with pytest.raises(InputError, match=message):
        predict(tmp_path, recordings, entry)


def test_a_shard_without_recordings(tmp_path):
    assert predict(tmp_path, [tmp_path / "a.wav"], WINDOW) == ([], [])
