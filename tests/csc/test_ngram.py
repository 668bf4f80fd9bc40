"""The spelling model with a language model: what it makes of the file's probabilities, and which files it refuses."""

import itertools
import sys
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sinobench.csc.models import ngram
from sinobench.csc.models.language_model import NOTHING, LanguageModel
from sinobench.csc.models.lattice import Lattice
from sinobench.csc.models.lexicon import Alphabet
from sinobench.csc.models.ngram import Ngram
from sinobench.errors import InputError

kenlm = pytest.importorskip("kenlm")
pytest.importorskip("sklearn")

SAMPLE = Path(__file__).parents[2] / "resources/samples/csc/sample-train.tsv"
DEBIAN = Path("/usr/lib/x86_64-linux-gnu/libime/zh_CN.lm")
# Log probabilities to base 10, and weights of backing off.
ARPA = """\\data\\
ngram 1=14
ngram 2=5
ngram 3=2

\\1-grams:
-5	<unk>	0
-9	<s>	0
-9	</s>	0
-2	他	-0.3
-2	在	-0.2
-2.2	再	-0.1
-2.5	公园	-0.4
-4	公	-0.1
-4	园	-0.1
-4.1	圆	0
-3	跑步	-0.2
-4	跑	-0.1
-4	步	0
-6	english	0

\\2-grams:
-0.5	他 在	-0.2
-0.9	在 公园	-0.3
-1.5	再 跑步	0
-1	公园 跑步	0
-2	公 园	0

\\3-grams:
-0.2	他 在 公园
-0.3	在 公园 跑步

\\end\\
"""
ENGLISH = """\\data\\
ngram 1=4
ngram 2=1

\\1-grams:
-1	<unk>	0
-9	<s>	0
-9	</s>	0
-1	english	0

\\2-grams:
-1	english english

\\end\\
"""
WORDS = ["他", "在", "再", "公园", "公", "园", "圆", "跑步", "跑", "步", "未知"]
CHARACTERS = "他在再公园圆跑步未"


@pytest.fixture(scope="module")
def arpa(tmp_path_factory):
    path = tmp_path_factory.mktemp("arpa") / "tiny.arpa"
    path.write_text(ARPA, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def alphabet():
    return Alphabet("".join(WORDS))


@pytest.fixture(scope="module")
def language_model(arpa, alphabet):
    return LanguageModel(arpa, alphabet, WORDS)


@pytest.fixture(scope="module")
def pairs():
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")[-2:]) for line in lines]


@pytest.fixture(scope="module")
def model(pairs, arpa):
    fitted = Ngram(str(arpa))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngram, "FEWEST_RIGHT", 10)
        fitted.fit(pairs, seed=1)
    return fitted


@pytest.fixture(scope="module")
def debian():
    if not DEBIAN.exists():
        pytest.skip("Debian's libime-data-language-model is not installed")
    fitted = Ngram(str(DEBIAN))
    fitted.fit([], seed=1)
    return fitted


def index(language_model, alphabet, *words):
    return (language_model.words_at(alphabet.word_keys([word])) for word in words)


def test_log_probabilities_are_those_of_the_file(language_model, alphabet):
    he, at, again, park, run = index(language_model, alphabet, "他", "在", "再", "公园", "跑步")
    none = np.array([NOTHING])

    def log10(before, last, word):
        return language_model.log_probabilities(before, last, word)[0] / log(10)

    assert log10(none, none, he) == pytest.approx(-2)
    assert log10(none, he, at) == pytest.approx(-0.5)
    assert log10(he, at, park) == pytest.approx(-0.2)
    assert log10(again, at, park) == pytest.approx(-0.9)  # the trigram unseen, no bigram to back off from
    assert log10(he, at, run) == pytest.approx(-0.2 - 0.2 - 3)  # back off from (他 在), then from 在
    assert language_model.words_at(alphabet.word_keys(["未知"])) == [NOTHING]


def test_what_is_forgotten_is_asked_again(arpa, alphabet, language_model, monkeypatch):
    monkeypatch.setattr("sinobench.csc.models.language_model._MOST_KEPT", 2)
    forgetful = LanguageModel(arpa, alphabet, WORDS)
    asked = np.array(list(itertools.product(range(len(WORDS)), repeat=3))).T + 1
    for _ in range(2):
        assert np.array_equal(forgetful.log_probabilities(*asked), language_model.log_probabilities(*asked))


def best_of_all(arpa, text):
    """The same by trying every segmentation, with KenLM's own scoring of sentences."""
    config = kenlm.Config()
    config.show_progress = False
    reader, total = kenlm.Model(str(arpa), config), 0.0
    for segment in "".join(c if c in "".join(WORDS) else " " for c in text).split():
        scores = []
        for cuts in itertools.product([False, True], repeat=len(segment) - 1):
            bounds = [0, *(i for i, cut in enumerate(cuts, start=1) if cut), len(segment)]
            words = [segment[a:b] for a, b in itertools.pairwise(bounds)]
            if all(len(word) == 1 or (word in WORDS and word in reader) for word in words):
                runs = [list(run) for known, run in itertools.groupby(words, lambda w: w in reader) if known]
                unknown = sum(word not in reader for word in words) * reader.score("<unk>", bos=False, eos=False)
                scores.append(unknown + sum(reader.score(" ".join(run), bos=False, eos=False) for run in runs))
        total += max(scores)
    return total * log(10)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(CHARACTERS + "，1", max_size=9), min_size=1, max_size=4), st.data())
def test_a_gain_is_the_difference_of_the_best_segmentations(arpa, alphabet, language_model, texts, data):
    places = [(i, k) for i, text in enumerate(texts) for k, c in enumerate(text) if c in CHARACTERS]
    if not places:
        return
    chosen = data.draw(st.lists(st.tuples(st.sampled_from(places), st.sampled_from(CHARACTERS)), min_size=1))
    stream = alphabet.stream(texts)
    position = np.array([stream.starts[i] + k for (i, k), _ in chosen])
    least = data.draw(st.sampled_from([-100.0, -12.0, 0.0, 3.0]))
    gains = Lattice(stream, language_model).gains(position, alphabet.encode("".join(c for _, c in chosen)), least)
    for ((i, k), character), gain in zip(chosen, gains, strict=True):
        changed = texts[i][:k] + character + texts[i][k + 1 :]
        change = best_of_all(arpa, changed) - best_of_all(arpa, texts[i])
        assert gain == pytest.approx(max(change, least), abs=1e-4)  # single precision


def test_no_text_and_no_candidate_are_nothing(alphabet, language_model):
    nothing = np.zeros(0, int)
    for texts in ([], [""], ["，1"], ["他在公园"]):
        assert len(Lattice(alphabet.stream(texts), language_model).gains(nothing, nothing, -12.0)) == 0


def test_the_context_of_the_sentence_decides(debian):
    wrong = ["这件事情以经过去了。", "我想因为工作的原音不能参加会议。", "我门明天去公园。"]
    right = ["这件事情已经过去了。", "我想因为工作的原因不能参加会议。", "我们明天去公园。"]
    assert debian.predict(wrong + right) == right + right


def test_a_prediction_depends_on_its_text_only(debian, pairs):
    texts = [source for source, _ in pairs][:60]
    together = debian.predict(texts)
    assert [debian.predict([text])[0] for text in texts] == together
    assert debian.predict(texts[::-1]) == together[::-1]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.text() | st.text("公园的他在再跑步圆，a1\u3000\0龍𠀀"), max_size=4))
def test_predictions_are_as_many_and_as_long_as_the_texts(model, texts):
    assert [len(text) for text in model.predict(texts)] == [len(text) for text in texts]


def test_save_and_load_give_the_same_predictions_without_pickle(model, pairs, tmp_path):
    model.save(tmp_path / "model")
    with np.load(tmp_path / "model", allow_pickle=False) as saved:
        assert not any(saved[name].dtype.hasobject for name in saved.files)
        assert "trees_value" in saved.files
    texts = [source for source, _ in pairs]
    assert Ngram.load(tmp_path / "model").predict(texts) == model.predict(texts)


def test_two_fits_give_the_same_file_whatever_the_seed(model, pairs, arpa, tmp_path, monkeypatch):
    again = Ngram(str(arpa))
    monkeypatch.setattr(ngram, "FEWEST_RIGHT", 10)
    again.fit([*pairs, ("太短", "太短了")], seed=2)
    for name, fitted in (("one", model), ("other", again)):
        fitted.save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_a_pickled_file_is_refused(tmp_path):
    np.savez(tmp_path / "model.npz", language_model=np.array([print], dtype=object))
    with pytest.raises(ValueError, match="allow_pickle=False"):
        Ngram.load(tmp_path / "model.npz")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such language model; Debian's package libime-data-language-model has one"),
        (b"", "KenLM can't read it as a language model"),
        (b"import os; os.abort()\n", "KenLM can't read it as a language model"),
        (ARPA.replace("ngram 2=5", "ngram 2=50").encode(), "KenLM can't read it as a language model"),
        (ARPA.replace("ngram 1=14", "ngram 1=3").encode(), "KenLM can't read it as a language model"),
        (b"mmap lm http://kheafield.com/code format version 5\n\0" + bytes(200), "KenLM can't read it as a"),
        (ENGLISH.encode(), "it has no word of jieba's dictionary"),
    ],
)
def test_a_wrong_file_is_one_error_that_names_it(tmp_path, alphabet, content, message):
    path = tmp_path / "wrong.lm"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as error:
        LanguageModel(path, alphabet, WORDS)
    assert message in str(error.value) and str(path) in str(error.value) and "\n" not in str(error.value)


def test_a_truncated_binary_is_refused(tmp_path, alphabet):
    if not DEBIAN.exists():
        pytest.skip("Debian's libime-data-language-model is not installed")
    path = tmp_path / "short.lm"
    path.write_bytes(DEBIAN.read_bytes()[:1_000_000])
    with pytest.raises(InputError, match="KenLM can't read it as a language model"):
        LanguageModel(path, alphabet, WORDS)


def test_without_kenlm_the_error_says_what_to_install(arpa, alphabet, monkeypatch):
    monkeypatch.setitem(sys.modules, "kenlm", None)
    with pytest.raises(InputError, match="kenlm is not installed"):
        LanguageModel(arpa, alphabet, WORDS)
