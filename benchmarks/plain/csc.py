"""The official evaluation of NLPCC 2023 Task 8 over again, as a plain script: every character of every sentence.

Both files go into dictionaries, and each group of figures takes the sentences apart for itself: sentence FPR, then
detection, then correction. Arguments: gold file, file of predictions; lines of input⇥output.
"""

import sys

HEADER = "原文"


def rows(path: str) -> list[list[str]]:
    with open(path, encoding="utf-8") as file:
        found = [line.rstrip("\n").split("\t") for line in file]
    return found[1:] if HEADER in found[0][0] else found


def triples(gold_path: str, predicted_path: str) -> list[tuple[str, str, str]]:
    golds = dict(rows(gold_path))
    outputs: dict[str, str] = {}
    for source, output in rows(predicted_path):
        if len(source) != len(output) or source not in golds:
            raise SystemExit(f"not a correction of the gold file's inputs: {source}")
        outputs.setdefault(source, output)
    return [(source, gold, outputs.get(source, source)) for source, gold in golds.items()]


def percent(part: int, whole: int) -> float:
    return round(part / whole * 100, 2)


def show(group: str, hits: int, found: int, true: int) -> None:
    precision, recall = percent(hits, found), percent(hits, true)
    print(f"char_{group}_precision: {precision}({hits}/{found})")
    print(f"char_{group}_recall: {recall}({hits}/{true})")
    print(f"char_{group}_F1: {round(2 * precision * recall / (precision + recall), 2)}")


sentences = triples(*sys.argv[1:])

correct = altered = 0
for source, gold, output in sentences:
    if source == gold:
        correct += 1
        if output != source:
            altered += 1
print(f"sentence_FPR: {percent(altered, correct)}({altered}/{correct})")

true = found = detected = 0
for sentence in sentences:
    for s, g, p in [list(characters) for characters in zip(*sentence, strict=True)]:
        if s != g and s != p:
            detected += 1
        if s != g:
            true += 1
        if s != p:
            found += 1
show("detect", detected, found, true)

corrected = wrongly = missed = 0
for sentence in sentences:
    for s, g, p in [list(characters) for characters in zip(*sentence, strict=True)]:
        if s != g and g == p:
            corrected += 1
        if g != p and s != p:
            wrongly += 1
        if s != g and g != p:
            missed += 1
show("correct", corrected, corrected + wrongly, corrected + missed)
