"""Tiny models of the architectures that hub models have, saved in the layout of their files."""

import json
import warnings
from pathlib import Path

CONTEXTS = {"銀行": "hong4", "行街": "haang4", "行走": "haang4", "行長": "hong4", "長大": "zoeng2", "長短": "coeng4"}
SINGLE = {"銀": "ngan4", "街": "gaai1", "走": "zau2", "大": "daai6", "短": "dyun2"}
ADDED = ["嘅", "㗎"]


def save_g2pw(folder: Path) -> None:
    """A g2pW that reads 行 and 長 as CONTEXTS has them: the graph that torch writes of a BERT and weighted softmax."""
    import torch

    torch.manual_seed(1)
    readings = sorted({*CONTEXTS.values(), "hang4"})
    several = sorted({("行", r) for r in ("haang4", "hong4", "hang4")} | {("長", r) for r in ("coeng4", "zoeng2")})
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"行長", *SINGLE, *"ab，。", "##a", "##b"]
    _write(folder / "POLYPHONIC_CHARS.txt", [f"{character}\t{reading}" for character, reading in several])
    _write(folder / "MONOPHONIC_CHARS.txt", [f"{character}\t{reading}" for character, reading in SINGLE.items()])
    _write(folder / "vocab.txt", vocabulary)
    added = {token: len(vocabulary) + i for i, token in enumerate(ADDED)}
    (folder / "added_tokens.json").write_text(json.dumps(added, ensure_ascii=False), encoding="utf-8")
    model = _g2pw(len(vocabulary) + len(ADDED), n_characters=2, n_readings=len(readings))
    inputs, labels = _examples(vocabulary, readings, several)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(60):
        optimizer.zero_grad()
        torch.nn.functional.nll_loss(model(*inputs).log(), labels).backward()
        optimizer.step()
    _export(model.eval(), [value[:1] for value in inputs], folder / "g2pw.onnx")


def save_whisper(folder: Path) -> None:
    """A multilingual Whisper: 100 tokens, with those of three languages, and what stands beside its weights."""
    import torch
    from transformers import GenerationConfig, WhisperConfig, WhisperFeatureExtractor, WhisperForConditionalGeneration

    torch.manual_seed(1)
    layers = {f"{side}_{part}": n for side in ("encoder", "decoder") for part, n in (("layers", 1), ("ffn_dim", 32))}
    heads = {"encoder_attention_heads": 2, "decoder_attention_heads": 2}
    tokens = {"bos_token_id": 1, "eos_token_id": 1, "pad_token_id": 1, "decoder_start_token_id": 2}
    model = WhisperForConditionalGeneration(WhisperConfig(vocab_size=100, d_model=16, **layers, **heads, **tokens))
    languages = {"<|en|>": 50, "<|zh|>": 51, "<|de|>": 52}
    model.generation_config = GenerationConfig(**tokens, is_multilingual=True, lang_to_id=languages)
    model.save_pretrained(folder)
    WhisperFeatureExtractor().save_pretrained(folder)


def save_mms(folder: Path) -> None:
    """A classifier of speech by 126 languages, the fifth and the last of which are Mandarin and English."""
    codes = [f"q{a}{b}" for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcde"]
    _save_classifier(folder, [*codes[:4], "cmn", *codes[4:124], "eng"], feat_extract_norm="layer")


def save_wav2vec2(folder: Path) -> None:
    """A classifier of speech by three locales."""
    _save_classifier(folder, ["en_us", "yue_hant_hk", "cmn_hans_cn"])


def _save_classifier(folder, labels, **options):
    import torch
    from transformers import Wav2Vec2Config, Wav2Vec2FeatureExtractor, Wav2Vec2ForSequenceClassification

    torch.manual_seed(1)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    shape |= {"conv_dim": [16] * 7, "num_conv_pos_embedding_groups": 2, "classifier_proj_size": 8}
    names = {"id2label": dict(enumerate(labels)), "label2id": {label: i for i, label in enumerate(labels)}}
    Wav2Vec2ForSequenceClassification(Wav2Vec2Config(**shape, **names, **options)).save_pretrained(folder)
    Wav2Vec2FeatureExtractor(return_attention_mask=bool(options)).save_pretrained(folder)


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _examples(vocabulary, readings, several):
    import torch

    n, characters = len(CONTEXTS), ["行", "長"]
    # 行長 asks for its first character; each other text holds one that has several readings.
    at = [next(i for i, c in enumerate(text) if c in characters) for text in CONTEXTS]
    masks = [
        [float((text[i], reading) in several) for reading in readings] for text, i in zip(CONTEXTS, at, strict=True)
    ]
    ids = [[2, *(vocabulary.index(character) for character in text), 3] for text in CONTEXTS]
    inputs = [
        *(torch.tensor(ids), torch.zeros(n, 4, dtype=torch.long), torch.ones(n, 4, dtype=torch.long)),
        *(torch.tensor(masks), torch.tensor([characters.index(t[i]) for t, i in zip(CONTEXTS, at, strict=True)])),
        torch.tensor(at) + 1,
    ]
    return inputs, torch.tensor([readings.index(reading) for reading in CONTEXTS.values()])


def _g2pw(n_tokens, n_characters, n_readings, n_tags=3):
    import torch
    from transformers import BertConfig, BertModel

    class G2pw(torch.nn.Module):
        def __init__(self):
            super().__init__()
            shape = {
                "num_hidden_layers": 1,
                "num_attention_heads": 2,
                "intermediate_size": 32,
                "attn_implementation": "eager",
            }
            config = BertConfig(vocab_size=n_tokens, hidden_size=16, max_position_embeddings=64, **shape)
            self.bert = BertModel(config, add_pooling_layer=False)
            self.classifier = torch.nn.Linear(16, n_readings)
            self.tagger = torch.nn.Linear(16, n_tags)
            self.by_character = torch.nn.Embedding(n_characters, n_readings)
            self.by_both = torch.nn.Embedding(n_characters * n_tags, n_readings)

        def forward(self, input_ids, token_type_ids, attention_mask, phoneme_mask, char_ids, position_ids):
            hidden = self.bert(input_ids, attention_mask, token_type_ids).last_hidden_state
            hidden = hidden[torch.arange(input_ids.size(0)), position_ids]
            tag = self.tagger(hidden).argmax(-1)
            weights = torch.sigmoid(self.by_character(char_ids) + self.by_both(char_ids * n_tags + tag)) * phoneme_mask
            odds = torch.exp(self.classifier(hidden)) * weights
            return torch.clamp(odds / odds.sum(-1, keepdim=True), 1e-6, 1 - 1e-6)

    return G2pw()


def _export(model, inputs, path: Path) -> None:
    import torch

    of_tokens = ["input_ids", "token_type_ids", "attention_mask"]
    of_text = ["phoneme_mask", "char_ids", "position_ids"]
    axes = {name: {0: "batch", 1: "tokens"} for name in of_tokens} | {
        name: {0: "batch"} for name in [*of_text, "probs"]
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            *(model, tuple(inputs), path),
            **{"input_names": of_tokens + of_text, "output_names": ["probs"], "dynamic_axes": axes},
            **{"opset_version": 14, "dynamo": False},
        )


WRONG = {"新": "心", "象": "像", "在": "再"}
CHARACTERS = "今天心情很好我们新像象再在见的地得一二三"


def save_masked_lm(folder: Path) -> None:
    """A MacBERT4CSC that writes WRONG's characters right and all others as they are, with room for 16 tokens."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    torch.manual_seed(1)
    rest = ["，", "。", "a", "b", "##a", "##b", "1", "##1", "12", "金"]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *CHARACTERS, *rest, "##心", "##好"]
    _write(folder / "vocab.txt", vocabulary)
    settings = {"do_lower_case": True, "model_max_length": 512, "tokenizer_class": "BertTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    shape = {"hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=len(vocabulary), max_position_embeddings=16, tie_word_embeddings=False, **shape)
    made = BertForMaskedLM(config).eval()
    with torch.no_grad():
        embeddings, [layer] = made.bert.embeddings, made.bert.encoder.layer
        # A position is then its token alone; a row of the decoder is what the network makes of what it is right for.
        for silent in (
            *(embeddings.position_embeddings, embeddings.token_type_embeddings),
            *(layer.attention.output.dense, layer.output.dense),
        ):
            silent.weight.zero_()
        tokens = torch.arange(len(vocabulary))
        made_of = made.cls.predictions.transform(made.bert(input_ids=tokens[:, None]).last_hidden_state[:, 0])
        right = torch.tensor([vocabulary.index(WRONG.get(token, token)) for token in vocabulary])
        made.cls.predictions.decoder.weight.zero_().index_add_(0, right, made_of)
    made.save_pretrained(folder)
