"""Which characters of a text might be wrong, what might stand there instead, and what speaks for it."""

from dataclasses import dataclass

import numpy as np

from sinobench.csc.characters import ERROR_TYPES
from sinobench.csc.models.lexicon import LONGEST, Lexicon, Segmentation, Stream, Table, join, windows

SHAPE = 8  # added to the index of the error type where the shapes are similar as well

FEATURES = (
    "bias", "gain", "gain over 3", "gain over 7", "gain over 11", "gain by same tone", "gain by near or shape",
    "same tone", "other tone", "near pinyin", "sound and shape", "confused in training only", "times confused",
    "in a word", "loss without its word", "in a word of 2", "in a longer word", "its word's frequency",
    "makes a word of 2", "makes a word of 3", "makes a word of 4", "new word's frequency",
    "frequency", "candidate's frequency", "behind the best rival", "single before", "single after",
    "left bigram", "right bigram", "trigram before", "trigram around", "trigram after", "unigram",
    "left bigram known", "right bigram known",
)  # fmt: skip
_NO_WORD = -20.0
_UNSEEN = 0.3


@dataclass(frozen=True)
class Tables:
    """What candidates are found and judged with; counts are of the different golds of the training pairs.

    relations: pair -> type of error, + SHAPE; confusions: pair -> count; frequency: character -> its log frequency;
    grams[n]: n characters -> count. `lexicon` holds the words, `neighbours` the bigrams of the golds as words.
    """

    relations: Table
    confusions: Table
    frequency: Table
    grams: dict[int, Table]
    lexicon: Lexicon
    neighbours: Lexicon


@dataclass(frozen=True)
class Candidates:
    """n candidates by position in a stream: ids of the character and of its replacement, n x len(FEATURES) features."""

    position: np.ndarray
    original: np.ndarray
    replacement: np.ndarray
    features: np.ndarray


def find_candidates(stream: Stream, tables: Tables, gold: Stream | None = None) -> Candidates:
    """All candidates in the texts of a stream.

    With the gold texts, which must be among those that `tables` counts, the features are those that the text would
    have if it and its gold had not been counted.
    """
    segmentation = Segmentation(stream, tables.lexicon)
    position, replacement, kind, gain, length, word = _completions(stream, tables, segmentation)
    original = stream.ids[position]
    is_gold = np.zeros((2, len(position)), int)
    if gold is not None:
        is_gold = (gold.ids[position] == np.stack([original, replacement])).astype(int)
    confused = tables.confusions.get(join((original, replacement)), 0) - is_gold[1]
    present = _gram_counts(stream, position, original, tables, is_gold[0])
    proposed = _gram_counts(stream, position, replacement, tables, is_gold[1])
    other = kind % SHAPE == ERROR_TYPES.index("other")
    # What nothing but the pair itself suggests would be no candidate without it.
    kept = ((word > _NO_WORD) | (proposed[:2] > 0).any(axis=0)) & (~other | (confused > 0))

    frequency = [tables.frequency.get(ids.astype(np.uint64), 0) / 5 for ids in (original, replacement)]
    best = np.maximum.reduceat(gain, starts) if len(starts := _starts(position)) else gain
    behind = np.repeat(best, np.diff(np.append(starts, len(gain)))) - gain
    single = segmentation.change(np.arange(len(stream.ids) - 1), 1, segmentation.word[1][:-1]) >= 0
    gain = np.clip(gain, -12, 25)
    type_is = [kind % SHAPE == k for k in range(len(ERROR_TYPES))]
    columns = [
        np.ones(len(gain)), gain / 5, *(np.maximum(gain - k, 0) / 5 for k in (3, 7, 11)),
        type_is[0] * gain / 5, (type_is[2] | type_is[3]) * gain / 5,
        *type_is[:3], (kind >= SHAPE) & ~type_is[3] & ~other, other, np.log1p(np.maximum(confused, 0)),
        *_word_features(segmentation, position),
        *(length == n for n in (2, 3, 4)), word / 5,
        *frequency, np.minimum(behind, 10) / 5, single[position - 1] & (position > 0), single[position + 1],
        *np.log((proposed + _UNSEEN) / (present + _UNSEEN)) / 2,
        *(present[:2] > 0),
    ]  # fmt: skip
    return Candidates(position[kept], original[kept], replacement[kept], np.column_stack(columns)[kept].astype(float))


def _completions(stream: Stream, tables: Tables, segmentation: Segmentation) -> tuple[np.ndarray, ...]:
    """(position, replacement, relation, gain, length, log probability) of each related character that completes a word.

    The gain is that of the best word that it makes, of one character included, and `length` that word's; the log
    probability is _NO_WORD where only a bigram of the golds is completed. Ordered by position and replacement.
    """
    found = []
    for lexicon, lengths in ((tables.lexicon, range(2, LONGEST + 1)), (tables.neighbours, (2,))):
        for length in lengths:
            for k in range(length):
                start, letter, word = lexicon.fits(windows(stream.ids, length, opened=k))
                kind = tables.relations.get(join((stream.ids[start + k], letter)), -1)
                start, letter, word, kind = (column[kind >= 0] for column in (start, letter, word, kind))
                alone = tables.lexicon.words.get(join((letter,)), tables.lexicon.floor)
                gain = segmentation.change(start + k, 1, alone)
                longer = np.zeros(len(start), bool)
                if lexicon is tables.lexicon:
                    whole = segmentation.change(start, length, word)
                    longer = whole >= gain
                    gain = np.maximum(whole, gain)
                else:
                    word = np.full(len(start), _NO_WORD)
                found.append((start + k, letter, kind, gain, np.where(longer, length, 1), word))
    columns = [np.concatenate(column) for column in zip(*found, strict=True)]
    position, letter, _, gain, _, word = columns
    order = np.lexsort((-word, -gain, letter, position))
    order = order[_starts(join((position[order] >> 16, position[order] & 0xFFFF, letter[order])))]
    return tuple(column[order] for column in columns)


def _starts(values: np.ndarray) -> np.ndarray:
    """Where the runs of equal values begin."""
    return np.flatnonzero(np.append(len(values) > 0, values[1:] != values[:-1])[: len(values)])


def _gram_counts(stream: Stream, position: np.ndarray, ids: np.ndarray, tables: Tables, own: np.ndarray) -> np.ndarray:
    """Counts of the bigrams left and right, the trigrams before, around and after, and the character: 6 x n.

    `own` is 1 where the golds hold the character at that place itself: it is not counted.
    """
    two_before, one_before = (np.where(position >= k, stream.ids[position - k], 0) for k in (2, 1))
    one_after, two_after = stream.ids[position + 1], stream.ids[position + 2]
    grams = (
        (one_before, ids), (ids, one_after),
        (two_before, one_before, ids), (one_before, ids, one_after), (ids, one_after, two_after),
        (ids,),
    )  # fmt: skip
    return np.stack([np.maximum(tables.grams[len(gram)].get(join(gram), 0) - own, 0) for gram in grams])


def _word_features(segmentation: Segmentation, position: np.ndarray) -> list[np.ndarray]:
    """Of the character as it is: in a word of the best segmentation; loss if the best one has none; the word's length, frequency."""
    loss = np.full(len(position), _NO_WORD)
    word, longer = loss.copy(), np.zeros(len(position), bool)
    for length in range(2, LONGEST + 1):
        for k in range(length):
            start = np.maximum(position - k, 0)
            log_probability = np.where(position >= k, segmentation.word[length][start], -np.inf)
            change = segmentation.change(start, length, log_probability)
            better = change > loss
            loss, word = np.where(better, change, loss), np.where(better, log_probability, word)
            longer = np.where(better, length > 2, longer)
    inside = loss >= 0
    return [inside, np.maximum(loss, -12) / 5, inside & ~longer, inside & longer, np.where(inside, word + 10, 0) / 5]
