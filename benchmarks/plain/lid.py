"""Language identification in a plain script: labels and scores into dictionaries, the error rates at each threshold."""

import csv
import sys

is_english = {}
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
        if row["language_tag"] in ("English", "Mandarin") and row["overlap_diff_lang"] == "False":
            name = f"{row['audio_name'].removesuffix('.wav')}_{row['utt_id']}_{row['start']}_{row['end']}"
            is_english[name] = row["language_tag"] == "English"
scores = {}
with open(sys.argv[2], encoding="utf-8") as file:
    for line in file:
        name, english, mandarin = line.split()
        scores[name] = float(english), float(mandarin)

n_english = sum(is_english.values())
n_mandarin = len(is_english) - n_english
right = [0, 0]
trials = []
for name, english in is_english.items():
    one, other = scores[name]
    right[english] += (one >= other) == english
    trials.append((one - other, english))
miss, false_alarm, closest, eer = 1.0, 0.0, 1.0, None
for _, english in sorted(trials, reverse=True):
    if english:
        miss -= 1 / n_english
    else:
        false_alarm += 1 / n_mandarin
    if abs(miss - false_alarm) < closest:
        closest, eer = abs(miss - false_alarm), (miss + false_alarm) / 2
print((right[0] / n_mandarin + right[1] / n_english) / 2, eer)
