"""The spelling model `ngram` against `dictionary`, whose candidates it judges, on the same sentences in one run.

Processor time on one core without loading and fitting. Sentences of the bundled sample again and again, with weights
from before the first pair; where SINOBENCH_MIRROR is set, some of each public corpus as well, with models fitted on
ECSpell's training file of law. The language model is Debian's, or the KenLM file that is named on the command line.
"""

import os
import sys
import time
from pathlib import Path

from threadpoolctl import threadpool_limits

from sinobench.csc.models.dictionary import Dictionary
from sinobench.csc.models.ngram import Ngram
from sinobench.schema import load_yaml

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "resources/samples/csc/sample.tsv"
SENTENCES, REPEATS = 1000, 3


def columns_of(path: Path) -> list[tuple[str, ...]]:
    """The columns of each line of a file of pairs."""
    return [tuple(line.split("\t")) for line in path.read_text(encoding="utf-8-sig").splitlines() if line]


def corpora(mirror: Path) -> dict[str, list[str]]:
    """Evenly spaced sentences, SENTENCES at most, of each evaluated corpus of the catalog that the mirror has."""
    found = {}
    for name, entry in load_yaml(str(ROOT / "config/corpora.yaml")).items():
        text = entry.get("files", {}).get("text")
        if entry["task"] == "csc" and entry.get("role") != "training" and isinstance(text, dict):
            path = mirror / text["source"] / text["file"]
            lines = columns_of(path) if path.exists() else []
            column = entry.get("columns", ["input", "gold"]).index("input")
            found[name] = [line[column] for line in lines[:: -(-len(lines) // SENTENCES) or 1]]
    return {name: texts for name, texts in found.items() if texts}


def measure(name: str, texts: list[str], models: dict) -> None:
    """Print sentences a second of each model, and the ratio."""
    speeds = {}
    for model, fitted in models.items():
        seconds = []
        for _ in range(REPEATS):
            started = time.process_time()
            fitted.predict(texts)
            seconds.append(time.process_time() - started)
        speeds[model] = len(texts) / min(seconds)
    length = sum(map(len, texts)) / len(texts)
    print(
        f"{name}, {len(texts)} sentences of {length:.0f} characters: ngram {speeds['ngram']:,.0f} a second, dictionary "
        f"{speeds['dictionary']:,.0f}; ngram takes {speeds['dictionary'] / speeds['ngram']:.2f} times as long",
        flush=True,
    )


def fitted(language_model: str, pairs: list[tuple[str, str]]) -> dict:
    """Both models by name."""
    models = {"dictionary": Dictionary(), "ngram": Ngram(language_model)}
    for model in models.values():
        model.fit(pairs, seed=1)
    return models


def main(language_model: str) -> None:
    """A line a corpus."""
    if not Path(language_model).is_file():
        print(f"ngram is not measured: no {language_model}")
        return
    lines = columns_of(SAMPLE)
    texts = [lines[i % len(lines)][0] for i in range(SENTENCES)]
    with threadpool_limits(1):
        measure("sample", texts, fitted(language_model, []))
        if mirror := os.environ.get("SINOBENCH_MIRROR"):
            law = [line[-2:] for line in columns_of(Path(mirror) / "ecspell/law.train")]
            models = fitted(language_model, law)
            for name, texts in corpora(Path(mirror)).items():
                measure(name, texts, models)


if __name__ == "__main__":
    known = load_yaml(str(ROOT / "config/models.yaml"))["ngram"]["options"]["language_model"]
    main(sys.argv[1] if len(sys.argv) > 1 else known)
