"""A tiny g2pW in the layout of the published ones: what is read of it, asked of it, and refused."""

import shutil

import pytest

from sinobench import models
from sinobench.errors import InputError
from sinobench.g2p.models.g2pw import G2pw
from sinobench.g2p.predictions import check_output
from tests.tiny_models import CONTEXTS, SINGLE, save_g2pw


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("g2pw")
    save_g2pw(folder)
    return folder


@pytest.fixture
def folder(saved, tmp_path):
    """A copy of the model's folder, to change."""
    return shutil.copytree(saved, tmp_path / "model")


@pytest.fixture(scope="module")
def model(saved):
    return G2pw(str(saved))


@pytest.mark.parametrize(("text", "reading"), CONTEXTS.items())
def test_readings_follow_the_characters_around(model, text, reading):
    (output,) = model.predict([text])
    assert reading in output and len(output) == len(text)
    assert all(output[i] == SINGLE[character] for i, character in enumerate(text) if character in SINGLE)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "abc 123",
            "，。",
            "銀 行",
            "a行b2長",
            "行\u0301",
            "\t行\x00",
            "行\n\n長",
            "İ行",
            "嘅行㗎",
            "好\u3000行",
        ),
        *("\ufffd行", "👍🏽行", "𠮶行", "ＡＢ行", "e\u0301行", "行" * 600),
    ],
)
def test_one_entry_a_character_whatever_the_text_holds(model, text):
    output = models.Running("tiny", lambda: model, check_output).outputs([text])[text]
    assert len(output) == len(text)
    assert [entry is not None for entry in output] == [c in SINGLE or c in "行長" for c in text]


def test_characters_are_tokens_as_for_the_bert(saved, model):
    """A word or a character at a time, as g2pW has them; nothing of it is lost, so that the target keeps its place."""
    from transformers import BertTokenizer

    theirs = BertTokenizer(str(saved / "vocab.txt"))
    known = theirs.get_vocab()
    for text, words in {
        "行": ["行"],
        "AB行b，長": ["ab", "行", "b", "，", "長"],
        "銀\u0000行\u0301 好abc": ["銀", "\u0000", "行", "\u0301", "好", "abc"],
    }.items():
        expected = [known[token] for word in words for token in theirs.tokenize(word) or ["[UNK]"]]
        query = model._query(text, text.index("行"))
        assert query.tokens == (known["[CLS]"], *expected, known["[SEP]"])
        assert query.tokens[query.position] == known["行"]
    assert model._query("行嘅", 0).tokens[2] == len(known)  # the first of added_tokens.json


def test_a_window_is_all_that_is_asked(saved, monkeypatch):
    model = G2pw(str(saved), window=4)
    near, far = model._query("大大銀行街街街", 3), model._query("短短短銀行街", 4)
    assert near.tokens[1:-1] != far.tokens[1:-1] and len(near.tokens) == len(far.tokens) == 6
    assert model._query("短短短大銀行街街", 5) == model._query("走大銀行街", 3)
    asked = []
    monkeypatch.setattr(model, "_ask", lambda batch: asked.extend(batch) or ["hong4"] * len(batch))
    model.predict(["短短短大銀行街街", "走大銀行街"])
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("available", "wanted"),
    [
        (["AzureExecutionProvider", "CPUExecutionProvider"], ["CPUExecutionProvider"]),
        (
            ["TensorrtExecutionProvider", "CUDAExecutionProvider", "CPUExecutionProvider"],
            ["CUDAExecutionProvider", "CPUExecutionProvider"],
        ),
    ],
)
def test_the_gpu_is_taken_where_there_is_one_and_the_threads_of_the_job(saved, monkeypatch, available, wanted):
    import onnxruntime

    asked = []

    def session(path, options, providers):
        asked.append((options.intra_op_num_threads, providers))
        return of_cpu(path, options, providers=["CPUExecutionProvider"])

    of_cpu = onnxruntime.InferenceSession
    monkeypatch.setattr(onnxruntime, "InferenceSession", session)
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: available)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    G2pw(str(saved))
    assert asked == [(3, wanted)]


class Scarce:
    """A session with memory for so many texts."""

    def __init__(self, session, n_texts):
        self._session, self._n_texts = session, n_texts

    def get_providers(self):
        return ["CUDAExecutionProvider"]

    def run(self, names, inputs):
        if len(inputs["input_ids"]) > self._n_texts:
            raise RuntimeError(
                "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Failed to allocate memory for requested buffer"
            )
        return self._session.run(names, inputs)


def test_a_batch_that_does_not_fit_is_asked_in_halves(saved, monkeypatch):
    texts = [*CONTEXTS, "行" * 50]
    model = G2pw(str(saved))
    expected = model.predict(texts)
    monkeypatch.setattr(model, "_session", Scarce(model._session, 2))
    assert model.predict(texts) == expected
    monkeypatch.setattr(model, "_session", Scarce(model._session, 0))
    with pytest.raises(InputError, match=r"one text of \d+ tokens is more than the memory holds .*allocate"):
        model.predict(texts)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_probabilities_that_are_no_numbers_are_refused(saved, monkeypatch, number):
    class Damaged(Scarce):
        def run(self, names, inputs):
            [probabilities] = super().run(names, inputs)
            probabilities[0, 0] = number
            return [probabilities]

    model = G2pw(str(saved))
    monkeypatch.setattr(model, "_session", Damaged(model._session, 9))
    with pytest.raises(
        InputError, match=r"g2pw\.onnx: gives probabilities that are no numbers; its weights are damaged"
    ):
        model.predict(["銀行"])


def _add(name, text):
    return lambda folder: (folder / name).write_text((folder / name).read_text("utf-8") + text, "utf-8")


def _put(name, content):
    return lambda folder: (folder / name).write_bytes(content)


def _other_inputs(folder):
    import onnx

    graph = onnx.load(folder / "g2pw.onnx")
    graph.graph.input[5].name = "pos_ids"
    for node in graph.graph.node:
        node.input[:] = ["pos_ids" if name == "position_ids" else name for name in node.input]
    onnx.save(graph, folder / "g2pw.onnx")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: (folder / "g2pw.onnx").unlink(), "has 0 files *.onnx; list the one of the model"),
        (_put("other.onnx", b"\x08\x07"), "has 2 files *.onnx"),
        (
            lambda folder: (folder / "vocab.txt").unlink(),
            "the model's folder has no vocab.txt; list it among the files",
        ),
        (lambda folder: (folder / "MONOPHONIC_CHARS.txt").unlink(), "has no MONOPHONIC_CHARS.txt"),
        (_put("POLYPHONIC_CHARS.txt", "行 hong4\n".encode()), "POLYPHONIC_CHARS.txt, line 1: '行 hong4' is not a"),
        (_add("MONOPHONIC_CHARS.txt", "好\thou2\thou3\n"), "line 6: '好\\thou2\\thou3' is not a character"),
        (_put("MONOPHONIC_CHARS.txt", "好\thou2".encode("big5")), "MONOPHONIC_CHARS.txt, line 1: byte 1 is not UTF-8"),
        (
            _put("vocab.txt", "[UNK]\n行\n".encode()),
            "vocab.txt: has no [CLS], [SEP]; expected the vocabulary of a BERT",
        ),
        (_add("vocab.txt", "多\n"), "token '嘅' has the number 18; after vocab.txt it has 19"),
        (_put("added_tokens.json", b'{"a": '), "added_tokens.json: is no JSON"),
        (_put("added_tokens.json", b'{"a": "1"}'), 'expected {"token": number'),
        (_put("added_tokens.json", '{"嘅": 18, "㗎": 19, "多": 20}'.encode()), "can't be run"),
        (
            _add("POLYPHONIC_CHARS.txt", "街\tgaai2\n"),
            "has the shape ['batch', 5], and POLYPHONIC_CHARS.txt has 6 readings",
        ),
        (_add("POLYPHONIC_CHARS.txt", "街\thong4\n"), "g2pw.onnx: can't be run"),
        (_put("g2pw.onnx", b"\x80\x04\x95not a graph"), "g2pw.onnx: can't be loaded by ONNX Runtime"),
        (
            _other_inputs,
            "has the inputs attention_mask, char_ids, input_ids, phoneme_mask, pos_ids, token_type_ids; exp",
        ),
    ],
)
def test_other_files_are_refused(folder, change, message):
    change(folder)
    with pytest.raises(InputError) as error:
        G2pw(str(folder))
    assert message in str(error.value) and str(folder) in str(error.value)


@pytest.mark.parametrize("window", [0, 1, "32", None, 16.0, True])
def test_a_window_is_a_number_of_characters(saved, window):
    with pytest.raises(InputError, match=r"the option window is .*; give a whole number of characters, 2 or more"):
        G2pw(str(saved), window=window)


def test_what_else_the_folder_has_is_not_read(folder):
    (folder / "config.py").write_text("raise SystemExit('executed')\n", encoding="utf-8")
    (folder / "best_accuracy.pth").write_bytes(b"\x80\x04cos\nsystem\n.")
    assert G2pw(str(folder)).predict(["銀行"]) == [["ngan4", "hong4"]]
