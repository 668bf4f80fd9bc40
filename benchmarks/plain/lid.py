"""The official evaluation of MERLIon CCS, Task 1, over again, as a plain script.

Two trials a segment, pooled under one threshold: the EER of the convex hull by pool adjacent violators; and balanced
accuracy by the larger score. Arguments: lines of id and 0 (English) or 1; lines of id, 0 or 1, and score.
"""

import sys

with open(sys.argv[1], encoding="utf-8") as file:
    label_of = dict(line.split() for line in file)
with open(sys.argv[2], encoding="utf-8") as file:
    trials = [(name, label, float(score)) for name, label, score in map(str.split, file)]

# Pools of a falling staircase: targets, trials. Equal scores are one pool.
pools: list[list[int]] = []
last = None
for score, is_target in sorted(((score, label_of[name] == label) for name, label, score in trials), reverse=True):
    if score == last:
        pools[-1][0] += is_target
        pools[-1][1] += 1
    else:
        pools.append([int(is_target), 1])
    last = score
hull: list[list[int]] = []
for pool in pools:
    hull.append(pool)
    while len(hull) > 1 and hull[-1][0] * hull[-2][1] >= hull[-2][0] * hull[-1][1]:
        n_targets, n = hull.pop()
        hull[-1] = [hull[-1][0] + n_targets, hull[-1][1] + n]
n_targets = sum(pool[0] for pool in hull)
n_others = len(trials) - n_targets
eer = 0.0
miss, false_alarm = 1.0, 0.0
accepted = alarms = 0
for n_hits, n in hull:
    accepted += n_hits
    alarms += n - n_hits
    next_miss, next_alarm = 1 - accepted / n_targets, alarms / n_others
    if next_miss <= next_alarm:
        above, below = miss - false_alarm, next_alarm - next_miss
        eer = false_alarm + (next_alarm - false_alarm) * above / (above + below)
        break
    miss, false_alarm = next_miss, next_alarm
print(f"EER : {eer}")

scores: dict[str, dict[str, float]] = {}
for name, label, score in trials:
    scores.setdefault(name, {})[label] = score
right, n_of = {"0": 0, "1": 0}, {"0": 0, "1": 0}
for name, label in label_of.items():
    n_of[label] += 1
    if (scores[name]["0"] >= scores[name]["1"]) == (label == "0"):
        right[label] += 1
print(f"BAC : {(right['0'] / n_of['0'] + right['1'] / n_of['1']) / 2}")
