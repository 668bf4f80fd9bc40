"""Which candidates are carried out, and how that is learnt from training pairs: what spelling models share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sinobench import logistic
from sinobench.csc.models.candidates import Candidates
from sinobench.csc.models.lexicon import Alphabet, Stream

FOLDS = 3
FEWEST_PAIRS = 500
DEFAULT_THRESHOLD = 0.4
LOWEST_THRESHOLD = 0.1
PRIOR_PRECISION = 1.0
TEXTS_AT_ONCE = 100  # whose candidates fit into a cache
MOST_PAIRS = 10_000  # that weights are learnt from: the candidates of each take a tenth of a megabyte


@dataclass(frozen=True)
class Examples:
    """n candidates; whether each is right, and used to learn weights; the index of its pair.

    share: of the candidates that are wrong, how many are used.
    """

    found: Candidates
    right: np.ndarray
    used: np.ndarray
    pair: np.ndarray
    share: float


Learning = Callable[[Sequence[Examples]], Callable[[np.ndarray], np.ndarray]]


def blocks_of(pairs: Sequence) -> list[range]:
    """The pairs as FOLDS contiguous blocks."""
    bounds = np.linspace(0, len(pairs), FOLDS + 1).astype(int).tolist()
    return [range(start, end) for start, end in pairwise(bounds)]


def looked_at(block: range, n_pairs: int) -> Iterator[range]:
    """The pairs of a block whose candidates are looked at, TEXTS_AT_ONCE at a time.

    All of them where there are at most MOST_PAIRS pairs in all the blocks; of more, half as many to as many, at equal
    distances.
    """
    seen = block[:: max(1, -(-n_pairs // MOST_PAIRS))]
    for start in range(0, len(seen), TEXTS_AT_ONCE):
        yield seen[start : start + TEXTS_AT_ONCE]


def corrected(
    texts: Sequence[str], stream: Stream, alphabet: Alphabet, edits: Iterable[tuple[int, float]], found: Candidates
) -> list[str]:
    """The texts of a stream with some of the candidates carried out."""
    batch, text_of = [list(text) for text in texts], stream.text_of
    for i, _ in edits:
        position = found.position[i]
        text = text_of[position]
        batch[text][position - stream.starts[text]] = alphabet.decode(found.replacement[i])
    return list(map("".join, batch))


def chosen_edits(candidates: Candidates, log_odds: np.ndarray, threshold: float) -> list[tuple[int, float]]:
    """Candidates to carry out, the most probable first, with their probability; never two next to each other."""
    # Rounded, so that the order of equals does not depend on how a library adds up.
    probability = np.round(1 / (1 + np.exp(-log_odds)), 9)
    chosen, taken = [], set()
    for i in np.argsort(-probability, kind="stable")[: int(np.sum(probability >= threshold))].tolist():
        position = int(candidates.position[i])
        if taken.isdisjoint((position - 1, position, position + 1)):
            taken.add(position)
            chosen.append((i, float(probability[i])))
    return chosen


def threshold_of(
    blocks: Sequence[Sequence[Examples]], pairs: Sequence[tuple[str, str]], learn: Learning, most_altered: float
) -> float:
    """Where correction F1 is best with what was learnt without the block that is judged.

    learn: from examples, what gives the log-odds of features. most_altered: share of the correct sentences that edits
    may alter. DEFAULT_THRESHOLD where there are few pairs.
    """
    if len(pairs) < FEWEST_PAIRS:
        return DEFAULT_THRESHOLD
    edits = []
    for held_out in blocks:
        log_odds = learn([example for block in blocks if block is not held_out for example in block])
        edits += [edit for example in held_out for edit in _judged(example, log_odds)]
    seen = (i for block in blocks_of(pairs) for some in looked_at(block, len(pairs)) for i in some)
    return _best_threshold(edits, {i: pairs[i] for i in seen}, most_altered)


def weights_of(examples: Sequence[Examples], prior: np.ndarray) -> np.ndarray:
    """Those of largest posterior probability under a normal prior around `prior`, rounded."""
    if not examples:
        return prior.copy()
    right = np.concatenate([e.right[e.used] for e in examples])
    columns, start = np.empty((len(prior), len(right))), 0
    for example in examples:
        some = example.found.features[example.used].T
        columns[:, start : start + some.shape[1]] = some
        start += some.shape[1]
    counts = np.where(right, 1, 1 / examples[0].share)
    return logistic.fit(columns, right, counts, PRIOR_PRECISION, prior).round(6)


def _judged(examples: Examples, log_odds: Callable[[np.ndarray], np.ndarray]) -> list[tuple[float, bool, int]]:
    """(probability, right, index of the pair) of each edit that some threshold may allow."""
    edits = chosen_edits(examples.found, log_odds(examples.found.features), LOWEST_THRESHOLD)
    return [(probability, bool(examples.right[i]), int(examples.pair[i])) for i, probability in edits]


def _best_threshold(
    edits: Iterable[tuple[float, bool, int]], pairs: Mapping[int, tuple[str, str]], most_altered: float
) -> float:
    """The probability from which edits give the best correction F1 under the cap on altered correct sentences."""
    errors = sum(a != b for source, gold in pairs.values() for a, b in zip(source, gold, strict=True))
    correct = {i: source == gold for i, (source, gold) in pairs.items()}
    most = most_altered * sum(correct.values())
    hits, altered, best, threshold = 0, set(), 0.0, DEFAULT_THRESHOLD
    for number, (probability, right, pair) in enumerate(sorted(edits, reverse=True), start=1):
        hits += right
        if correct[pair]:
            altered.add(pair)
        if len(altered) > most:
            break
        if (f1 := 2 * hits / (number + errors)) > best:
            best, threshold = f1, probability
    return threshold
