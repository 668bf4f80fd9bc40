"""What is refused of a model's JSON: keys that make a library fetch or import code, names of other places, bombs."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from sinobench.errors import short

MOST_BYTES = 64 * 2**20
_DEEPEST = 100
_MOST_VALUES = 2_000_000
_SHOWN = 5
# Keys by which Hugging Face's libraries import code out of the folder or of another repository.
_CODE = {
    "auto_map": "names classes whose code stands in the repository",
    "custom_pipelines": "names pipelines whose code stands in the repository",
    "custom_pipeline": "names a pipeline whose code stands in the repository",
    "custom_objects": "names objects whose code stands in the repository",
    "trust_remote_code": "asks for code out of the repository",
    "code_revision": "names the commit of code in a repository",
    "custom_generate": "names code that generates",
    "_target_": "names something to import and call",
    "py/object": "names something to import and make",
    "py/reduce": "names something to import and call",
    "__reduce__": "names something to import and call",
    "kernel_config": "names compiled code of another repository",
    "use_kernels": "asks for compiled code of another repository",
}
_ATTENTION = ("attn_implementation", "_attn_implementation", "experts_implementation", "_experts_implementation")
# As the loaders' models have them; a class by another name would be looked for in the repository.
_TOKENIZERS = frozenset(
    (
        "BertTokenizer",
        "BertTokenizerFast",
        "BertJapaneseTokenizer",
        "DistilBertTokenizer",
        "DistilBertTokenizerFast",
        "ElectraTokenizer",
        "ElectraTokenizerFast",
        "PreTrainedTokenizerFast",
        "TokenizersBackend",
        "RobertaTokenizer",
        "RobertaTokenizerFast",
        "Wav2Vec2CTCTokenizer",
        "WhisperTokenizer",
        "WhisperTokenizerFast",
        "XLMRobertaTokenizer",
        "XLMRobertaTokenizerFast",
    )
)
_ADDRESS = re.compile(r"^\s*([a-z][a-z0-9+.-]{1,15})://", re.IGNORECASE)
_ACTIVE = re.compile(r"__|\\x|\b(?:import|include|extends|attr|mro|globals|builtins|getattr|eval|exec|format_map)\b")
_FILES = frozenset(("vocab_file", "merges_file", "tokenizer_file", "added_tokens_file", "normalizer_file", "spm_file"))
_NESTED = re.compile(rb'[\[\]{},]|"(?:[^"\\]|\\.)*+"')


class Unfit(ValueError):
    """JSON that is refused: the message says why."""


def problems(path: Path, listed: Collection[str]) -> list[str]:
    """Why a JSON file is refused; listed: the files that the model has, beside which it may name none."""
    if path.stat().st_size > MOST_BYTES:
        return [f"has more than {MOST_BYTES:,} bytes, too many for settings"]
    try:
        values = parsed(path.read_bytes())
    except Unfit as error:
        return [str(error)]
    # A vocabulary's tokens are any text.
    has_tokens = path.name in ("tokenizer.json", "vocab.json")
    found = list(_of(values, "", set(listed), has_tokens))
    if path.name.endswith(".index.json"):
        found += _of_shards(values, listed)
    return found[:_SHOWN]


def parsed(content: bytes) -> dict:
    """A JSON object, read within bounds. Raises Unfit."""
    depth = 0
    for n_values, match in enumerate(_NESTED.finditer(content)):
        token = match.group()
        depth += (token in b"[{") - (token in b"]}")
        if depth > _DEEPEST:
            raise Unfit(f"is nested more than {_DEEPEST} deep")
        if n_values > _MOST_VALUES:
            raise Unfit(f"has more than {_MOST_VALUES:,} values")
    try:
        values = json.loads(content.decode(), object_pairs_hook=_once, parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise Unfit("is not UTF-8") from None
    except (RecursionError, MemoryError):
        raise Unfit("is too large to read") from None
    except Unfit:
        raise
    except ValueError as error:
        raise Unfit(f"is no JSON: {short(str(error))}") from None
    if not isinstance(values, dict):
        raise Unfit("holds no keys with values")
    return values


def _of(value: object, place: str, listed: set[str], has_tokens: bool) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _of(item, place, listed, has_tokens)
    elif isinstance(value, dict):
        for key, inner in value.items():
            at = f"{place}.{key}" if place else key
            if not (has_tokens and place.endswith(("vocab", "merges"))):
                yield from _of_key(key, inner, at)
            yield from _of(inner, at, listed, has_tokens)
    elif isinstance(value, str) and not has_tokens and (address := _ADDRESS.match(value)):
        yield f"names an address of the kind {address[1].lower()} at '{short(place)}'"


def _of_key(key: str, value: object, at: str) -> Iterator[str]:
    if key in _CODE and value not in (None, False, {}, []):
        yield f"has '{short(at)}', which {_CODE[key]}"
    elif key == "tokenizer_class" and value is not None and value not in _TOKENIZERS:
        known = ", ".join(sorted(_TOKENIZERS))
        yield f"has '{short(at)}': {short(repr(value))}, a tokenizer that is not known; known are: {known}"
    elif key in _ATTENTION and isinstance(value, str) and re.search(r"[/:@]", value):
        yield f"has '{short(at)}': {short(repr(value))}, compiled code of another repository"
    elif key in _FILES and isinstance(value, str) and re.search(r"[/\\:]", value):
        yield f"has '{short(at)}': {short(repr(value))}, a file outside the model's folder"
    elif key == "chat_template":
        for found in set(_ACTIVE.findall(json.dumps(value, ensure_ascii=False))):
            yield f"has '{short(at)}', a template that does more than put text together: '{short(found)}'"


def _of_shards(values: dict, listed: Collection[str]) -> Iterator[str]:
    shards = values.get("weight_map")
    if not isinstance(shards, dict):
        yield "has no weight_map"
        return
    for name in sorted({str(shard) for shard in shards.values()} - set(listed)):
        yield f"names the file '{short(name)}', which is not listed"


def _once(pairs: list[tuple[str, object]]) -> dict:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise Unfit(f"has the key '{short(twice)}' twice")
    return found


def _refuse_constant(name: str) -> float:
    raise Unfit(f"has the number {name}")
