"""Masked language models as correctors: what may change does, and everything else survives."""

import hashlib
import json
import shutil
from itertools import pairwise

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sinobench.csc.models.masked_lm import MaskedLm, _windows
from sinobench.errors import InputError
from sinobench.hub.inspection import inspect
from tests.tiny_models import CHARACTERS, WRONG, save_masked_lm

ODD = "12aABéＡ㊀﷽🙂\u200b\u3000\n“”'。金\uf90a𠀀\ud800[MASK][UNK]##\u0301"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("masked-lm")
    save_masked_lm(folder)
    return folder


@pytest.fixture(scope="module")
def model(folder):
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # more wait for each other at this size
    yield MaskedLm(folder=str(folder))
    torch.set_num_threads(threads)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.text(st.sampled_from(CHARACTERS + ODD) | st.characters(exclude_categories=[]), max_size=40), max_size=4)
)
def test_only_known_characters_change_and_only_to_characters(model, texts):
    for text, output in zip(texts, model.predict(texts), strict=True):
        assert len(output) == len(text)
        for before, after in zip(text, output, strict=True):
            assert before == after or (before in CHARACTERS and after in CHARACTERS), (text, output)


def test_what_it_corrects_it_corrects_beside_anything_else(model):
    texts = ["今天新情很好", "", "  ab12新  1A \u3000“新”[MASK]新𠀀新", "12在见ab", "金新\uf90a新"]
    expected = ["今天心情很好", "", "  ab12心  1A \u3000“心”[MASK]心𠀀心", "12再见ab", "金心\uf90a心"]
    assert model.predict(texts) == expected


def test_it_is_the_likeliest_token_of_each_position(model):
    """Of one text that fits, without windows, batches and alignment."""
    for text in ("今天新情很好", "象我们在见", CHARACTERS[:14]):
        tokenizer, network = model._tokenizer, model._runner.network
        ids = [2, *tokenizer.convert_tokens_to_ids(list(text)), 3]
        likeliest = network(input_ids=model._runner.put(torch.tensor([ids]))).logits.argmax(-1)[0, 1:-1]
        plain = "".join(tokenizer.convert_ids_to_tokens(likeliest.tolist()))
        assert model.predict([text]) == [plain] == ["".join(WRONG.get(c, c) for c in text)]


def test_a_long_text_is_corrected_to_its_end(model):
    assert model.predict(["在见，" * 200, "我新"]) == ["再见，" * 200, "我心"]


@given(st.integers(0, 200), st.integers(2, 40))
def test_windows_overlap_and_each_token_counts_once(n, size):
    windows = list(_windows(n, size))
    assert [i for *_, counts in windows for i in counts] == list(range(n))
    for start, stop, counts in windows:
        assert stop - start == min(size, n) and start <= counts.start and counts.stop <= stop
    for (_, stop, counts), (start, *_) in pairwise(windows):
        assert counts.stop - start >= size // 4 and stop - counts.stop >= size // 4


def test_the_files_that_were_saved_in_2021_are_loaded_alike(folder, model, tmp_path):
    """Tensors that are the embeddings again are left out, others are of parts that are not used; settings are more."""
    from safetensors.torch import load_file, save_file
    from transformers import BertConfig, BertForMaskedLM

    tied = BertForMaskedLM(BertConfig.from_pretrained(folder, tie_word_embeddings=True))
    own = tmp_path / "own"
    shutil.copytree(folder, own)
    tied.save_pretrained(own)
    tensors = load_file(own / "model.safetensors")
    tensors = {name: tensor for name, tensor in tensors.items() if "decoder" not in name}
    hidden = tied.config.hidden_size
    tensors["bert.embeddings.position_ids"] = torch.arange(16)[None]
    tensors |= {"bert.pooler.dense.weight": torch.zeros(hidden, hidden), "bert.pooler.dense.bias": torch.zeros(hidden)}
    save_file(tensors, own / "model.safetensors", {"format": "pt"})
    settings = json.loads((own / "config.json").read_text()) | {
        "_name_or_path": "/home/me/output",
        "directionality": "bidi",
    }
    settings = {name: value for name, value in settings.items() if name not in ("dtype", "tie_word_embeddings")}
    settings |= {"pooler_type": "first_token_transform", "transformers_version": "4.6.1"}
    (own / "config.json").write_text(json.dumps(settings))
    special = {f"{name}_token": f"[{name.upper()}]" for name in ("unk", "sep", "pad", "cls", "mask")}
    (own / "special_tokens_map.json").write_text(json.dumps(special))
    (own / "added_tokens.json").write_text("{}")
    words = special | {"do_lower_case": True, "do_basic_tokenize": True, "never_split": None, "strip_accents": None}
    words |= {"tokenize_chinese_chars": True, "special_tokens_map_file": "/home/me/special_tokens_map.json"}
    (own / "tokenizer_config.json").write_text(json.dumps(words | {"tokenizer_class": "BertTokenizer"}))
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in own.iterdir()}
    pins = {name: {"sha256": sha256, "size_bytes": (own / name).stat().st_size} for name, sha256 in files.items()}
    assert inspect(own, pins).refusals == []
    made = MaskedLm(folder=str(own))
    loaded = made._runner.network
    tied.eval().to(loaded.device, loaded.dtype)
    ids = torch.tensor([[2, 5, 6, 3]], device=loaded.device)
    assert made._encoded("今天12 a") == model._encoded("今天12 a")
    assert torch.equal(loaded(input_ids=ids).logits, tied(input_ids=ids).logits)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("config.json", {"architectures": ["BertForSequenceClassification"]}, "is the model of another task?"),
        ("config.json", {"architectures": None}, "names the architecture none"),
        ("config.json", None, "list it in `files`"),
        ("vocab.txt", None, "has neither vocab.txt nor tokenizer.json"),
        ("model.safetensors", None, "can't be loaded as BertForMaskedLM"),
    ],
)
def test_files_that_are_not_its(folder, tmp_path, name, change, message):
    own = tmp_path / "own"
    shutil.copytree(folder, own)
    if change is None:
        (own / name).unlink()
    else:
        (own / name).write_text(json.dumps(json.loads((own / name).read_text()) | change))
    with pytest.raises(InputError) as refused:
        MaskedLm(folder=str(own))
    assert message in str(refused.value)


def test_a_vocabulary_of_another_network_is_refused(folder, tmp_path):
    own = tmp_path / "own"
    shutil.copytree(folder, own)
    with (own / "vocab.txt").open("a", encoding="utf-8") as vocabulary:
        vocabulary.write("多\n")
    with pytest.raises(InputError, match=r"has \d+ tokens, but the network knows \d+; pin the files of one"):
        MaskedLm(folder=str(own))
