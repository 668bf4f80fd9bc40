"""The spelling model `ngram` against `dictionary`, whose candidates it judges, on the same sentences in one run.

Sentences of the bundled sample again and again, on one core, with weights from before the first pair; loading and
fitting are not in it. The language model is Debian's, or the KenLM file that is named on the command line.
"""

import sys
from pathlib import Path

from threadpoolctl import threadpool_limits
from timing import best_of

from sinobench.csc.models.dictionary import Dictionary
from sinobench.csc.models.ngram import Ngram
from sinobench.schema import load_yaml

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "resources/samples/csc/sample.tsv"
SENTENCES, REPEATS = 1000, 3


def main(language_model: str) -> None:
    """Print sentences a second, and the ratio."""
    if not Path(language_model).is_file():
        print(f"ngram is not measured: no {language_model}")
        return
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    texts = [lines[i % len(lines)].split("\t")[0] for i in range(SENTENCES)]
    speeds = {}
    with threadpool_limits(1):
        for name, model in (("dictionary", Dictionary()), ("ngram", Ngram(language_model))):
            model.fit([], seed=1)
            seconds, _ = best_of(REPEATS, model.predict, texts)
            speeds[name] = SENTENCES / seconds
    length = sum(map(len, texts)) / len(texts)
    print(f"{SENTENCES} sentences of {length:.0f} characters on one core")
    print(f"dictionary: {speeds['dictionary']:,.0f} sentences a second")
    print(f"ngram: {speeds['ngram']:,.0f}; it takes {speeds['dictionary'] / speeds['ngram']:.2f} times as long")


if __name__ == "__main__":
    known = load_yaml(str(ROOT / "config/models.yaml"))["ngram"]["options"]["language_model"]
    main(sys.argv[1] if len(sys.argv) > 1 else known)
