import functools
import re
import sys

import pytest

from sinobench import models
from sinobench.errors import InputError
from sinobench.g2p.alignment import align
from sinobench.g2p.breakdown import figures
from sinobench.g2p.corpus import HAN, read_anchored, read_dufu
from sinobench.g2p.metrics import score
from sinobench.g2p.models.canto_hk_g2p import CantoHkG2p
from sinobench.g2p.models.pycantonese import PyCantonese
from sinobench.g2p.models.tojyutping import ToJyutping
from sinobench.g2p.models.xjyutping import Xjyutping
from sinobench.g2p.predictions import check_output, from_outputs
from sinobench.g2p.upstream import supplied_modules

MODELS = [ToJyutping, PyCantonese, CantoHkG2p, Xjyutping]
UPSTREAM = """\
from models.G2PModel import G2PModel


class Recorder(G2PModel):
    calls = []

    def _predict(self, texts):
        self.calls.append(list(texts))
        return [["hou2", "", "abc", "jyu5 jyu5", None, "xyz1"][: len(text)] for text in texts]

    def get_name(self):
        return "recorder"
"""


@functools.cache
def made(make):
    """The model, loaded once for the tests that only ask it."""
    return make()


@pytest.fixture(scope="module")
def benchmark(mirror):
    folder = mirror / "yue-g2p-benchmark"
    registers = ("wordshk", "colloquial", "classical")
    return [i for r in registers for i in read_anchored(folder / f"{r}.sent", folder / f"{r}.lb", None, r).items]


@pytest.fixture(scope="module")
def verses(mirror):
    (path,) = (mirror / "dufu-analysis").glob("*.txt")
    return list(dict.fromkeys(item["text"] for item in read_dufu(path, "classical").items))


def evaluate(make, items):
    texts, positions = [i["text"] for i in items], [i["position"] for i in items]
    outputs = models.Running("model", make, check_output).outputs(texts)
    entries, lengths = from_outputs(texts, positions, outputs)
    assert lengths == [len(text) for text in texts]
    outcomes = score([i["labels"] for i in items], entries, positions, lengths, lengths)
    return figures(outcomes, [i["unit"] for i in items])


def test_tojyutping_reproduces_the_published_figures(benchmark):
    result = evaluate(ToJyutping, benchmark)
    for protocol in ("official", "strict"):
        assert result[protocol]["n_items"] == 2128
        assert result[protocol]["accuracy"] == 1932 / 2128
        assert result[protocol]["per"] == pytest.approx(0.030545, abs=5e-7)


def test_pycantonese_is_aligned_on_the_whole_benchmark(benchmark):
    result = evaluate(PyCantonese, benchmark)
    assert result["official"]["n_items"] == 2128 and result["official"]["dropped"] == 0
    assert result["official"]["accuracy"] == pytest.approx(0.847274, abs=5e-7)
    assert result["strict"]["accuracy"] == result["official"]["accuracy"]


@pytest.mark.parametrize(
    ("make", "accuracy", "per"), [(CantoHkG2p, 1943 / 2128, 0.028430), (Xjyutping, 1930 / 2128, 0.030780)]
)
def test_figures_on_the_whole_benchmark(benchmark, make, accuracy, per):
    """The releases are pinned, so the figures stay."""
    result = evaluate(make, benchmark)
    for protocol in ("official", "strict"):
        assert result[protocol]["n_items"] == 2128
        assert result[protocol]["accuracy"] == accuracy
        assert result[protocol]["per"] == pytest.approx(per, abs=5e-7)


@pytest.mark.parametrize("make", MODELS)
def test_outputs_are_as_long_as_every_verse(verses, make):
    assert len(verses) > 10_000
    for text, output in zip(verses, made(make).predict(verses), strict=True):
        assert len(output) == len(text), text
        assert all(HAN.match(text[i]) for i, entry in enumerate(output) if entry), text


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "abc 123", "，。", "好 雨，知時節。", "𠮶個abc人 ", "好\u3000雨", "㗎嘞!?"),
        *("2026年6月13日", "二〇二六年", "１２３號", "50%咁多", "HK$100蚊", "1/2", "第3名3:1", "下午3時15分"),
        *("《天氣》——一個…故事", "佢send咗email", "\U000323af一﨎", "行\n\n行", "e\u0301一", "好\u200d👍🏽雨"),
    ],
)
def test_one_entry_a_character_whatever_the_text_holds(make, text):
    (output,) = made(make).predict([text])
    assert len(output) == len(text)
    assert all(entry is None or re.fullmatch("[a-z]+[1-6]", entry) for entry in output)
    assert all(output[i] is None for i, character in enumerate(text) if not HAN.match(character))


@pytest.mark.parametrize("make", MODELS)
def test_readings_follow_the_words_around(make):
    bank, walk, grow, long = made(make).predict(["銀行", "行街", "長大", "長短"])
    assert (bank[1], walk[0], grow[0], long[0]) == ("hong4", "haang4", "zoeng2", "coeng4")


def test_digits_between_characters_are_neither_read_nor_counted():
    """The package alone gives more syllables than the text has characters, and drops its marks."""
    text = "《好雨》2026年——第3個"
    (output,) = CantoHkG2p().predict([text])
    assert output == [None, "hou2", "jyu5", *[None] * 5, "nin4", None, None, "dai6", None, "go3"]


@pytest.mark.parametrize(
    ("run", "words", "expected"),
    [
        ("香港人", [("香港", "hoeng1gong2"), ("人", "jan4")], ["hoeng1", "gong2", "jan4"]),
        ("香港", [("香港", "hoeng1 gong2")], ["hoeng1", "gong2"]),
        ("香港人", [("香港", None), ("人", "jan4")], [None, None, "jan4"]),
        ("香港人", [("香港", "hoeng1"), ("人", "jan4")], [None, None, "jan4"]),
        ("人", [("人", "jan4jan4")], [None]),
        ("", [], []),
    ],
)
def test_align(run, words, expected):
    assert align(run, words) == expected


@pytest.mark.parametrize("words", [[("香", "hoeng1")], [("港香", "gong2hoeng1")], [("香港人", "hoeng1gong2jan4")]])
def test_align_refuses_other_characters(words):
    with pytest.raises(ValueError, match="are not the characters of '香港'"):
        align("香港", words)


def test_upstream_file_runs_unchanged(write):
    path = write(UPSTREAM, "recorder.py")
    before = set(sys.modules)
    cls = models.load_class(f"{path}:Recorder", supplied_modules())
    assert not {name for name in set(sys.modules) - before if name.split(".")[0] == "models"}
    outputs = models.Running("recorder", cls, check_output).outputs(["好雨知時節啊", "春夜", "好雨知時節啊"])
    assert cls.calls == [["好雨知時節啊", "春夜"]]
    assert outputs == {
        "好雨知時節啊": ["hou2", "", "abc", "jyu5 jyu5", None, "xyz1"],
        "春夜": ["hou2", ""],
    }
    assert cls()(["春夜"]) == [["hou2", None]]
    assert cls().get_name() == "recorder"


def test_supplied_modules_hide_installed_ones_only_while_the_file_is_read(write, monkeypatch):
    installed = object()
    monkeypatch.setitem(sys.modules, "models", installed)
    models.load_class(f"{write(UPSTREAM, 'recorder.py')}:Recorder", supplied_modules())
    assert sys.modules["models"] is installed and "models.G2PModel" not in sys.modules


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise RuntimeError('no weights')", "failed while predicting: RuntimeError: no weights"),
        ("return [['hou2']]", "returned 1 outputs for 2 texts"),
        ("return [['hou2']] * 3", "returned 3 outputs for 2 texts"),
        ("return None", "returned NoneType; expected a list of 2 outputs"),
        ("return dict.fromkeys(texts)", "returned dict; expected a list of 2 outputs"),
        ("texts.reverse(); return [[None] * 2] * 2", " reordered the list that it was given"),
        ("return ['hou2 jyu5'] * 2", "text '好雨': the output is str; expected a list"),
        ("return [None] * 2", "text '好雨': the output is NoneType"),
        ("return [['hou2', 2]] * 2", "text '好雨': the output holds 2 (int)"),
        ("return [['hou2'], [b'ceon1']]", "text '春夜': the output holds b'ceon1' (bytes)"),
    ],
)
@pytest.mark.parametrize("kind", ["upstream", "own"])
def test_misbehaving_models_are_named(write, kind, body, message):
    base, method = ("G2PModel", "_predict") if kind == "upstream" else ("object", "predict")
    source = f"class Bad({base}):\n    def {method}(self, texts):\n        {body}\n"
    if kind == "upstream":
        source = f"from models.G2PModel import G2PModel\n{source}"
    cls = models.load_class(f"{write(source, 'bad.py')}:Bad", supplied_modules())
    with pytest.raises(InputError) as error:
        models.Running("bad-model", cls, check_output).outputs(["好雨", "春夜"])
    assert str(error.value).startswith("model 'bad-model'") and message in str(error.value)


def test_upstream_class_without_predict_is_named(write):
    path = write("from models.G2PModel import G2PModel\n\nclass Empty(G2PModel):\n    pass\n", "empty.py")
    cls = models.load_class(f"{path}:Empty", supplied_modules())
    with pytest.raises(InputError, match=r"Empty does not implement _predict\(texts\)"):
        models.Running("empty", cls, check_output).outputs(["好"])
