"""Which characters of a text might be wrong, what might stand there instead, and what speaks for it."""

from dataclasses import dataclass

import numpy as np

from sinobench.csc.characters import ERROR_TYPES
from sinobench.csc.models.lexicon import IMPOSSIBLE, LONGEST, Lexicon, Segmentation, Stream, Table, join, windows

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
_ROUNDING = 1e-6


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


def find_candidates(stream: Stream, tables: Tables) -> Candidates:
    """All candidates in the texts of a stream."""
    segmentation = Segmentation(stream, tables.lexicon)
    position, replacement, kind, gain, length, word = _completions(stream, tables, segmentation)
    original = stream.ids[position]
    confused = tables.confusions.get(join((original, replacement)), 0)
    starts = _starts(position)
    count = np.diff(np.append(starts, len(position)))
    each, at = np.repeat(np.arange(len(starts)), count), position[starts]
    present = _gram_counts(stream, at, stream.ids[at], tables)[:, each]
    proposed = _gram_counts(stream, position, replacement, tables)
    other = kind % SHAPE == ERROR_TYPES.index("other")

    frequency = [tables.frequency.get(ids.astype(np.uint64), 0) / 5 for ids in (original, replacement)]
    best = np.maximum.reduceat(gain, starts) if len(starts) else gain
    behind = best[each] - gain
    single = segmentation.change(np.arange(len(stream.ids) - 1), 1, segmentation.word[1][:-1]) > -_ROUNDING
    gain = np.clip(gain, -12, 25)
    type_is = [kind % SHAPE == k for k in range(len(ERROR_TYPES))]
    columns = [
        np.ones(len(gain)), gain / 5, *(np.maximum(gain - k, 0) / 5 for k in (3, 7, 11)),
        type_is[0] * gain / 5, (type_is[2] | type_is[3]) * gain / 5,
        *type_is[:3], (kind >= SHAPE) & ~type_is[3] & ~other, other, np.log1p(confused),
        *(column[each] for column in _word_features(segmentation, at)),
        *(length == n for n in (2, 3, 4)), word / 5,
        *frequency, np.minimum(behind, 10) / 5, single[position - 1] & (position > 0), single[position + 1],
        *np.log((proposed + _UNSEEN) / (present + _UNSEEN)) / 2,
        *(present[:2] > 0),
    ]  # fmt: skip
    features = np.empty((len(position), len(FEATURES)), np.float32)
    for i, column in enumerate(columns):
        features[:, i] = column
    return Candidates(position, original, replacement, features)


def _completions(stream: Stream, tables: Tables, segmentation: Segmentation) -> tuple[np.ndarray, ...]:
    """(position, replacement, relation, gain, length, log probability) of each related character that completes a word.

    The gain is that of the best word that it makes, of one character included, and `length` that word's; the log
    probability is _NO_WORD where only a bigram of the golds is completed. Ordered by position and replacement.
    """
    completions = []
    for lexicon, lengths in ((tables.lexicon, range(2, LONGEST + 1)), (tables.neighbours, (2,))):
        for length in lengths:
            for k in range(length):
                start, letter, word = lexicon.fits(windows(stream.ids, length, opened=k))
                kind = tables.relations.get(join((stream.ids[start + k], letter)), -1)
                related = np.flatnonzero(kind >= 0)
                start, letter, word, kind = (column[related] for column in (start, letter, word, kind))
                alone = tables.lexicon.words.get(join((letter,)), tables.lexicon.floor)
                gain = segmentation.change(start + k, 1, alone)
                longer = np.zeros(len(start), bool)
                if lexicon is tables.lexicon:
                    whole = segmentation.change(start, length, word)
                    longer = whole >= gain
                    gain = np.maximum(whole, gain)
                else:
                    word = np.full(len(start), _NO_WORD)
                completions.append((start + k, letter, kind, gain, np.where(longer, length, 1), word))
    columns = [np.concatenate(column) for column in zip(*completions, strict=True)]
    position, letter, _, gain, _, word = columns
    key = position << 16 | letter
    # The runs that are joined are in this order each, so that they are only merged.
    order = np.argsort(key, kind="stable")
    starts = _starts(key[order])
    each = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(key))))
    best = np.ones(len(key), bool)
    for column in (gain[order], word[order]):
        column = np.where(best, column, IMPOSSIBLE)
        best &= column == np.maximum.reduceat(column, starts)[each] if len(starts) else best
    chosen = np.flatnonzero(best)
    order = order[chosen[_starts(each[chosen])]]
    return tuple(column[order] for column in columns)


def _starts(values: np.ndarray) -> np.ndarray:
    """Where the runs of equal values begin."""
    return np.flatnonzero(np.append(len(values) > 0, values[1:] != values[:-1])[: len(values)])


def _gram_counts(stream: Stream, position: np.ndarray, ids: np.ndarray, tables: Tables) -> np.ndarray:
    """Counts of the bigrams left and right, the trigrams before, around and after, and the character: 6 x n."""
    two_before, one_before = (np.where(position >= k, stream.ids[position - k], 0) for k in (2, 1))
    one_after, two_after = stream.ids[position + 1], stream.ids[position + 2]
    grams = (
        (one_before, ids), (ids, one_after),
        (two_before, one_before, ids), (one_before, ids, one_after), (ids, one_after, two_after),
        (ids,),
    )  # fmt: skip
    return np.stack([tables.grams[len(gram)].get(join(gram), 0) for gram in grams])


def _word_features(segmentation: Segmentation, position: np.ndarray) -> list[np.ndarray]:
    """The character in its best word: is it in the best segmentation, the loss if not, its length and frequency."""
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
    inside = loss > -_ROUNDING
    return [inside, np.maximum(loss, -12) / 5, inside & ~longer, inside & longer, np.where(inside, word + 10, 0) / 5]
