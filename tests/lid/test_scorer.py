import numpy as np
import pytest

from sinobench.errors import InputError
from sinobench.lid.calibration import Calibration
from sinobench.lid.scorer import Scorer
from sinobench.merlion.audio.features import mfcc39


class Mean:
    """The mean of the third coefficient, to be told from every other chunk."""

    def predict(self, chunks):
        return np.array([chunk[:, 2].mean() for chunk in chunks])


class Length:
    takes = "audio"

    def __init__(self):
        self.seen = []

    def predict(self, chunks):
        assert all(chunk.dtype == np.int16 for chunk in chunks)
        self.seen += [len(chunk) for chunk in chunks]
        return [float(len(chunk)) for chunk in chunks]


class Returns:
    def __init__(self, make):
        self.make = make

    def predict(self, chunks):
        return self.make(len(chunks))


def noise(n, seed=0):
    return np.random.default_rng(seed).integers(-9000, 9000, n).astype(np.int16)


def test_windows_are_scored_by_their_features_and_calibrated():
    windows = [noise(n, n) for n in (96_000, 32_000, 5_000)]
    found = Scorer("m", Mean(), Calibration(2, 1))(windows)
    assert found.tolist() == pytest.approx([2 * mfcc39([w])[0][:, 2].mean() + 1 for w in windows])


def test_long_windows_are_cut_and_pooled():
    model = Length()
    found = Scorer("m", model, Calibration())([noise(96_000 * 2 + 32_000), noise(10)])
    assert model.seen == [96_000, 96_000, 32_000, 10]
    assert found.tolist() == pytest.approx([(2 * 96_000**2 + 32_000**2) / 224_000, 10])


def test_windows_of_any_length_in_any_company():
    scorer = Scorer("m", Mean(), Calibration(1, 0.5))
    windows = [noise(n, n) for n in (0, 1, 2, 319, 320, 640, 96_000, 96_001, 0, 300_000)] * 30
    found = scorer(windows)
    assert found.shape == (300,) and np.isfinite(found).all() and found[0] == found[8] == 0
    alone = [scorer([window])[0] for window in windows[:10]]
    assert found.tolist() == alone * 30
    assert scorer([]).shape == (0,)
    assert scorer([np.zeros(32_000, np.int16)]).shape == (1,)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda n: np.zeros(n + 1), "returned ndarray of shape (3,); expected 2 numbers, one a chunk"),
        (lambda n: np.zeros((n, 1)), "returned ndarray of shape (2, 1); expected 2 numbers"),
        (lambda n: 0.5, "returned float; expected 2 numbers"),
        (lambda n: None, "returned NoneType; expected 2 numbers"),
        (lambda n: ["English"] * n, "returned list; expected 2 numbers"),
        (lambda n: [[1.0], [1.0, 2.0]], "returned list; expected 2 numbers"),
        (lambda n: np.array([1 + 2j] * n), "returned ndarray; expected 2 numbers"),
        (lambda n: [1 + 2j] * n, "returned list; expected 2 numbers"),
        (lambda n: np.ma.masked_array([1.0, 2.0], [False, True]), "returned MaskedArray; expected 2 numbers"),
        (lambda n: ["1.5"] * n, "returned list; expected 2 numbers"),
        (lambda n: [10**5000] * n, "returned list; expected 2 numbers"),
        (lambda n: np.array([1, np.nan]), "returned nan for chunk 1; expected finite numbers"),
        (lambda n: np.array([-np.inf, 1]), "returned -inf for chunk 0; expected finite numbers"),
        (lambda n: 1 / 0, "failed while predicting: ZeroDivisionError: division by zero"),
    ],
)
def test_misbehaving_models_are_named(make, message):
    with pytest.raises(InputError) as error:
        Scorer("mine", Returns(make), Calibration()).chunk_scores([np.zeros((5, 39), np.float32)] * 2)
    assert str(error.value).startswith("model 'mine' ") and message in str(error.value)


def test_a_model_that_reorders_its_chunks_is_refused():
    class Sorts:
        takes = "audio"

        def predict(self, chunks):
            chunks.sort(key=len)
            return [float(len(chunk)) for chunk in chunks]

    with pytest.raises(InputError, match="model 'm' reordered the list that it was given"):
        Scorer("m", Sorts(), Calibration()).chunk_scores([noise(20), noise(10)])


def test_a_model_that_takes_something_else():
    model = Mean()
    model.takes = "text"
    with pytest.raises(InputError, match="model 'm' takes 'text'; expected features or audio"):
        Scorer("m", model, Calibration())


USERS = """
import json
from pathlib import Path
class Mine:
    def __init__(self, sign=1):
        self.sign = sign
    def predict(self, chunks):
        return [self.sign] * len(chunks)
    @classmethod
    def load(cls, folder):
        return cls(json.loads(Path(folder, "sign.json").read_text()))
"""


def test_a_users_class_made_and_loaded(write, tmp_path):
    entry = {"class": f"{write(USERS, 'mine.py')}:Mine", "options": {"sign": -1}}
    assert Scorer.load(None, entry)([noise(999)]).tolist() == [-1]
    fitted = tmp_path / "fitted"
    (fitted / "model").mkdir(parents=True)
    with pytest.raises(InputError, match=r"calibration.json: is no calibration"):
        Scorer.load(fitted, entry)
    Calibration(2, 1).save(fitted / "calibration.json")
    with pytest.raises(InputError, match="model 'mine' failed while being loaded: FileNotFoundError"):
        Scorer.load(fitted, entry, "mine")
    (fitted / "model" / "sign.json").write_text("3")
    assert Scorer.load(fitted, entry)([noise(999)]).tolist() == [7]
    with pytest.raises(InputError, match="failed while being loaded: TypeError"):
        Scorer.load(None, entry | {"options": {"gain": 1}})
