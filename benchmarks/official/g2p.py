"""data.py of the Cantonese G2P benchmark, without the models that it scores.

Arguments: data.py, sentences with the target behind an anchor, labels, and the syllables of each sentence; a line an
item each.
"""

import importlib.util
import sys
from types import ModuleType


def main(script: str, sentences: str, labels: str, syllables: str) -> None:
    models = ModuleType("models")
    models.G2PModel = object
    sys.modules["models"] = models
    spec = importlib.util.spec_from_file_location("data", script)
    data = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(data)
    texts, places, phonemes, _ = data.prepare_data(sentences, labels)
    with open(syllables, encoding="utf-8") as file:
        predictions = file.read().rstrip().split("\n")
    accuracy, distance = data.calculate_accuracy(predictions, texts, places, phonemes)
    print(f"Accuracy: {accuracy}")
    print(f"Levenshtein Distance: {distance}")
    print(f"Letter Error Rate: {data.calculate_per(predictions, texts, places, phonemes)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
