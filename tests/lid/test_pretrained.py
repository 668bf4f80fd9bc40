"""Loaders of language identification models of a hub: tiny models in the real layout, against transformers alone."""

import json
import os

import numpy as np
import pytest
import soundfile
import soxr
import torch

from sinobench.errors import InputError
from sinobench.hub import device
from sinobench.lid.models.mms import Mms
from sinobench.lid.models.wav2vec2 import Wav2vec2
from sinobench.lid.models.whisper import Whisper
from sinobench.merlion.audio.wav import RATE_HZ
from tests import tiny_models
from tests.conftest import ROOT

LOADERS = {
    "whisper": (Whisper, tiny_models.save_whisper),
    "mms": (Mms, tiny_models.save_mms),
    "wav2vec2": (Wav2vec2, tiny_models.save_wav2vec2),
}
LANGUAGES = {"whisper": (50, 51), "mms": (125, 4), "wav2vec2": (0, 2)}


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The folder of each loader's tiny model."""
    folders = {}
    for name, (_, save) in LOADERS.items():
        folders[name] = tmp_path_factory.mktemp(name) / "0123456789"
        save(folders[name])
    return folders


@pytest.fixture
def copied(folders, tmp_path):
    """copied(name, **changes): a copy of a tiny model with other values in its config.json."""

    def copied(name, **changes):
        folder = tmp_path / "owner--name" / "0123456789"
        folder.mkdir(parents=True)
        for path in folders[name].iterdir():
            (folder / path.name).write_bytes(path.read_bytes())
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        (folder / "config.json").write_text(json.dumps(config | changes), encoding="utf-8")
        return folder

    return copied


@pytest.fixture(scope="module")
def chunks():
    """Bundled speech at 32 kHz, int16: three chunks of 3 s, then shorter ones in no order, of one sample too."""
    path = min((ROOT / "resources/samples/merlion").rglob("TTS_*.wav.ogg"))
    samples = soundfile.read(path, dtype="int16")[0]
    lengths = [96_000, 96_000, 96_000, 20_000, 60_001, 1, 60_001, 700]
    return [samples[40_000 * i : 40_000 * i + length] for i, length in enumerate(lengths)]


def plain(name, folder):
    """By transformers' own way, the ratio of the two languages' probabilities, renormalized over them, of a chunk."""
    import transformers

    if name == "whisper":
        model = transformers.WhisperForConditionalGeneration.from_pretrained(folder)
        extractor = transformers.WhisperFeatureExtractor.from_pretrained(folder)
    else:
        model = transformers.Wav2Vec2ForSequenceClassification.from_pretrained(folder)
        extractor = transformers.Wav2Vec2FeatureExtractor.from_pretrained(folder)

    @torch.no_grad()
    def ratio(chunk):
        heard = soxr.resample(chunk / np.float32(32768), RATE_HZ, 16_000)[: -(-len(chunk) // 2)]
        if name == "whisper":
            features = extractor(heard, sampling_rate=16_000, return_tensors="pt").input_features
            assert features.shape == (1, 80, 3000)
            logits = model(input_features=features, decoder_input_ids=torch.tensor([[2]])).logits[0, 0]
            spoken = model.detect_language(input_features=features).item()
            assert spoken == max((50, 51, 52), key=lambda token: logits[token])
        else:
            heard = np.pad(heard, (0, max(0, 400 - len(heard))))
            logits = model(**extractor(heard, sampling_rate=16_000, return_tensors="pt")).logits[0]
        english, mandarin = logits.double().softmax(0)[list(LANGUAGES[name])].tolist()
        english, mandarin = english / (english + mandarin), mandarin / (english + mandarin)
        return np.log(english) - np.log(mandarin)

    return ratio


@pytest.mark.parametrize("name", LOADERS)
def test_scores_are_log_ratios_of_the_two_languages(folders, chunks, name):
    folder = folders[name]
    assert {path.name for path in folder.iterdir()} == {
        *("config.json", "preprocessor_config.json", "model.safetensors"),
        *(["generation_config.json"] if name == "whisper" else []),
    }
    assert sum(path.stat().st_size for path in folder.iterdir()) < 400_000
    model = LOADERS[name][0](folder=folder)
    scores = model.predict(chunks)
    assert model.takes == "audio" and scores.dtype == np.float64
    np.testing.assert_allclose(scores, [*map(plain(name, folder), chunks)], atol=1e-5)
    assert len({*np.round(scores, 9)}) == len(chunks)
    assert os.environ["HF_HUB_OFFLINE"] == os.environ["TRANSFORMERS_OFFLINE"] == "1"


def test_files_of_the_layout_of_2022_score_as_those_of_today(folders, copied, chunks):
    """As published: settings of generation in config.json, mel filters beside the extractor's settings."""
    folder = copied(
        "whisper",
        **{"torch_dtype": "float32", "max_length": 448, "suppress_tokens": [3, 4], "begin_suppress_tokens": [5, 6]},
        **{"forced_decoder_ids": [[1, 50], [2, 60]], "transformers_version": "4.27.0.dev0", "use_cache": True},
    )
    path = folder / "preprocessor_config.json"
    extractor = json.loads(path.read_text(encoding="utf-8"))
    extractor |= {"processor_class": "WhisperProcessor", "mel_filters": np.zeros((80, 201)).tolist()}
    path.write_text(json.dumps(extractor), encoding="utf-8")
    expected = Whisper(folder=folders["whisper"]).predict(chunks[:2])
    assert Whisper(folder=folder).predict(chunks[:2]).tolist() == expected.tolist()


def test_weights_of_the_layout_of_2023_score_as_those_of_today(folders, copied, chunks):
    """As published: torch's former names of normalized weights."""
    from safetensors.torch import load_file, save_file

    folder = copied("mms", torch_dtype="float32", transformers_version="4.31.0.dev0")
    weights = load_file(folder / "model.safetensors")
    for part, name in (("0", "weight_g"), ("1", "weight_v")):
        now = f"wav2vec2.encoder.pos_conv_embed.conv.parametrizations.weight.original{part}"
        weights[now.replace(f"parametrizations.weight.original{part}", name)] = weights.pop(now)
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    expected = Mms(folder=folders["mms"]).predict(chunks)
    assert Mms(folder=folder).predict(chunks).tolist() == expected.tolist()


@pytest.mark.parametrize("name", LOADERS)
def test_a_chunk_scores_the_same_to_the_bit_in_any_company(folders, chunks, name):
    model = LOADERS[name][0](folder=folders[name])
    together = model.predict(chunks)
    assert model.predict(chunks[::-1])[::-1].tolist() == together.tolist()
    assert [model.predict([chunk])[0] for chunk in chunks] == together.tolist()


@pytest.mark.parametrize("name", LOADERS)
def test_batches_shrink_until_they_fit_the_memory(folders, chunks, monkeypatch, name):
    alone = LOADERS[name][0](folder=folders[name]).predict(chunks[:3])
    monkeypatch.setitem(device.BATCH, "cpu", 8)
    model = LOADERS[name][0](folder=folders[name])
    runner = getattr(model, "_classifier", model)._runner
    whole, sizes, fits = runner.network.forward, [], [2]

    def forward(*args, **kwargs):
        tensor = args[0] if args else kwargs["input_features"]
        sizes.append(len(tensor))
        if len(tensor) > fits[0]:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.")
        return whole(*args, **kwargs)

    monkeypatch.setattr(runner.network, "forward", forward)
    np.testing.assert_allclose(model.predict(chunks[:3]), alone, atol=1e-5)
    assert sizes == [3, 1, 1, 1]
    fits[0] = 0
    with pytest.raises(InputError, match="no room for one item in the memory"):
        model.predict(chunks[:3])


@pytest.mark.parametrize(("name", "other"), [("wav2vec2", "whisper"), ("mms", "whisper"), ("whisper", "mms")])
def test_a_model_of_another_architecture_is_refused(folders, name, other):
    with pytest.raises(InputError, match=r"names the architecture W.*; this loader takes W.* another task"):
        LOADERS[name][0](folder=folders[other])


def test_a_network_without_a_trained_classifier_is_refused(copied):
    from safetensors.torch import load_file, save_file

    folder = copied("wav2vec2")
    weights = load_file(folder / "model.safetensors")
    kept = {name: tensor for name, tensor in weights.items() if not name.startswith("classifier")}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(InputError, match=r"lacks weights of Wav2Vec2.*, 2 of them, such as classifier\.bias"):
        Wav2vec2(folder=folder)


@pytest.mark.parametrize("name", LOADERS)
def test_a_missing_file_is_named(folders, copied, name):
    for missing in {path.name for path in folders[name].iterdir()}:
        folder = copied(name)
        (folder / missing).unlink()
        with pytest.raises(InputError, match=missing.replace(".", r"\.")):
            LOADERS[name][0](folder=folder)
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        folder.parent.rmdir()


def test_pickled_weights_are_not_read(copied):
    from safetensors.torch import load_file

    folder = copied("wav2vec2")
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError, match="safetensors"):
        Wav2vec2(folder=folder)


def test_a_whisper_of_english_alone_is_refused(copied):
    folder = copied("whisper")
    path = folder / "generation_config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    del config["lang_to_id"]
    path.write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(InputError, match=r"generation_config\.json: lang_to_id has no <\|en\|> and no <\|zh\|>"):
        Whisper(folder=folder)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["en", "zh", "yue"], (0, 1)),
        (["Mandarin", "Malay", "ENGLISH"], (2, 0)),
        (["en: English", "th: Thai", "zh: Chinese"], (0, 2)),
        (["Mandarin Chinese", "Cantonese Chinese", "English"], (2, 0)),
        (["eng", "cmn", "eng-x-pidgin"], (0, 1)),
    ],
)
def test_labels_name_the_languages_in_several_ways(copied, labels, expected):
    folder = copied("wav2vec2", id2label=dict(enumerate(labels)), label2id={name: i for i, name in enumerate(labels)})
    assert Wav2vec2(folder=folder)._labels == list(expected)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["LABEL_0", "LABEL_1", "LABEL_2"], r"no label for English \(en, eng, english\); it begins with 'LABEL_0'"),
        (["en_us", "en_gb", "zh"], r"several labels, 'en_us', 'en_gb', for English .*name one .* options: english"),
        (["en", "zh_cn", "zh_hk"], r"several labels, 'zh_cn', 'zh_hk', for Mandarin"),
        (["en", "yue", "th"], r"no label for Mandarin \(cmn, mandarin, zh\)"),
    ],
)
def test_labels_that_name_none_or_several_are_refused_unless_the_entry_says_which(copied, labels, message):
    folder = copied("wav2vec2", id2label=dict(enumerate(labels)), label2id={name: i for i, name in enumerate(labels)})
    with pytest.raises(InputError, match=message):
        Wav2vec2(folder=folder)
    assert Wav2vec2(folder=folder, english=labels[0], mandarin=labels[2])._labels == [0, 2]
    with pytest.raises(InputError, match="no label for 'english'"):
        Wav2vec2(folder=folder, english="english", mandarin=labels[2])
