"""Spelling check in a plain script: two files into dictionaries, and every character of every sentence in a loop."""

import sys


def read(path: str, keep_first: bool) -> dict[str, str]:
    outputs = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file):
            source, output = line.rstrip("\n").split("\t")
            if number == 0 and "原文" in source:
                continue
            if not (keep_first and source in outputs):
                outputs[source] = output
    return outputs


golds, predictions = read(sys.argv[1], False), read(sys.argv[2], True)
true = found = detected = corrected = correct = altered = 0
for source, gold in golds.items():
    prediction = predictions.get(source, source)
    if source == gold:
        correct += 1
        altered += source != prediction
    for i in range(len(source)):
        is_true, is_found = source[i] != gold[i], source[i] != prediction[i]
        true += is_true
        found += is_found
        if is_true and is_found:
            detected += 1
            corrected += gold[i] == prediction[i]
print(true, found, detected, corrected, correct, altered)
