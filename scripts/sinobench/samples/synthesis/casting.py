"""Which recordings a corpus has, who speaks in each, and which scenes it gets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from sinobench.samples.synthesis.script import Scene, scenes, visits
from sinobench.samples.synthesis.speech import Voice

SNR_DB = (15, 20, 25, 30)
PARENTS = (
    ("Mother", Voice("+f2", "en", 55, 165)),
    ("Father", Voice("+m7", "en-us", 40, 170)),
    ("Mother", Voice("+f5", "en-us", 60, 155)),
    ("Father", Voice("", "en", 45, 165)),
    ("Mother", Voice("+f2", "en-us", 70, 180)),
    ("Father", Voice("+klatt4", "en", 50, 165)),
)
CHILDREN = (
    Voice("+f2", "en", 95, 145),
    Voice("+f5", "en-us", 99, 140),
    Voice("+f5", "en", 90, 155),
    Voice("+f2", "en-us", 99, 135),
)
# A third person has one scene in a recording; whoever else spoke to it would change its main language.
OTHERS = {
    "B": ("Brother", Voice("+f5", "en", 80, 160)),
    "G": ("Grandmother", Voice("+klatt4", "en", 70, 125)),
    "H": ("Helper", Voice("+f2", "en", 40, 160)),
}
# Of the challenge's recordings, the shortest and longest against the mean of 11.4 minutes: 3 to 35.
_SHORTEST, _LONGEST = 0.27, 3.0
# Every third recording is led in Mandarin: how much more of each language's scenes it gets, and the others.
_LEANING = {("M", True): 6.0, ("M", False): 1.0, ("E", True): 1.0, ("E", False): 2.0}


@dataclass(frozen=True)
class Order:
    """A recording to make, the ``number``th (from 0) of ``n``; ``visit`` of a parent–child pair, counted from 1."""

    number: int
    n: int
    n_development: int
    pair: int
    visit: int
    evaluation: bool
    target_ms: int
    seed: int

    @property
    def name(self) -> str:
        """In the released pattern, without ``.wav``."""
        person = f"P{10040 + 7 * self.pair:05d}"
        serial = 35_259_847 + 1_013 * self.number
        return f"TTS_{person}TT_VCST_ECxxx_{self.visit:02d}_AO_{serial}_v001_R004_CRR_MERLIon-CCS"

    @property
    def set_name(self) -> str:
        return "Evaluation" if self.evaluation else "Development"

    @property
    def form(self) -> str:
        """Of the raw annotation: ``eaf`` or ``table``."""
        return ("eaf", "table")[self.number % 2]

    @property
    def two_regions(self) -> bool:
        return self.number % 3 == 1

    @property
    def snr_db(self) -> int:
        return SNR_DB[self.number % len(SNR_DB)]

    @property
    def cast(self) -> dict[str, tuple[str, Voice]]:
        """By role: the name on the tiers, and the voice."""
        parent = PARENTS[self.pair % len(PARENTS)]
        return {"P": parent, "C": ("Child", CHILDREN[self.pair % len(CHILDREN)]), **OTHERS}


def orders(n: int, hours: float, seed: int, n_evaluation: int) -> list[Order]:
    """All recordings: their lengths differ as in the challenge and are ``hours`` together, to the millisecond.

    The last ``n_evaluation`` are the evaluation set. A fourth of the pairs came twice, never to both sets.
    """
    if not (n > n_evaluation >= 0 and hours > 0):
        raise ValueError(f"{n} recordings of {hours} hours, {n_evaluation} to evaluate; expected more than 0 of each")
    shares = np.exp(np.random.default_rng(seed).normal(0, 0.45, n))
    shares = np.clip(shares / shares.mean(), _SHORTEST, _LONGEST)
    ends_ms = np.round(np.cumsum(shares) / shares.sum() * hours * 3_600_000).astype(int)
    lengths_ms = np.diff(ends_ms, prepend=0).tolist()
    result: list[Order] = []
    for number, target_ms in enumerate(lengths_ms):
        evaluation = number >= n - n_evaluation
        again = number % 5 == 4 and result[-1].evaluation == evaluation
        pair = result[-1].pair if again else number
        result.append(Order(number, n, n - n_evaluation, pair, 1 + again, evaluation, target_ms, seed))
    return result


def dealt(order: Order, every_scene: bool, attempt: int) -> tuple[list[Scene], Iterator[Scene], Scene]:
    """Scenes the recording must have, an endless stream of more, and one to leave without annotation.

    With ``every_scene`` all recordings together must have each scene once. Another ``attempt`` gives another stream.
    """
    everything = scenes()
    must = _share(order, everything) if every_scene else []
    rng = np.random.default_rng([order.seed, order.number, 1, attempt])
    visit = visits()[order.number % 4 : order.number % 4 + 1]
    stream = _stream(order, everything, rng)
    left_out = [scene for scene in everything if scene.plain and scene.utterances[0].role == "P"]
    spare = left_out[int(rng.integers(len(left_out)))]
    if every_scene:
        return must + visit, stream, spare
    return must, chain(islice(stream, int(rng.integers(8))), visit, stream), spare


def _share(order: Order, everything: Sequence[Scene]) -> list[Scene]:
    """What shows a rule goes to the development set: nobody sees the annotation of the other one."""
    places = {
        **{language: _places(order.n, language) for language in "EM"},
        "switch": range(order.n),
        "rule": range(order.n_development),
    }
    taken = dict.fromkeys(places, 0)
    must = []
    for i in np.random.default_rng(order.seed).permutation(len(everything)):
        kind = everything[i].plain or ("switch" if everything[i].situations == ("switch",) else "rule")
        if places[kind][taken[kind] % len(places[kind])] == order.number:
            must.append(everything[i])
        taken[kind] += 1
    return must


def _places(n: int, language: str) -> list[int]:
    """Recording numbers in the order in which they get plain scenes of a language, as often as their share."""
    rounds = [i for i in range(n) if i % 3 == 2] * int(_LEANING[language, True])
    return rounds + [i for i in range(n) if i % 3 != 2] * int(_LEANING[language, False])


def _stream(order: Order, everything: list[Scene], rng: np.random.Generator) -> Iterator[Scene]:
    mandarin = order.number % 3 == 2
    weights = np.array([_LEANING[scene.plain, mandarin] if scene.plain else 1.0 for scene in everything])
    while True:
        # Gumbel's trick: a weighted order without drawing a scene twice before all were drawn.
        for i in np.argsort(-np.log(weights) - rng.gumbel(size=len(weights))):
            yield everything[i]
