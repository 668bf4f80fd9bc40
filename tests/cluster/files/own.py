"""Spelling models: one that is fitted, and those that meet what they are called by in their first job on a cluster.

`met/<model>` names their jobs there, with their GPUs.
"""

import os
import time
from pathlib import Path


class Faulty:
    def __init__(self, fault):
        self.fault = fault

    def predict(self, texts):
        if job := os.environ.get("SLURM_JOB_ID"):
            wait_for("met/go")
            met = Path("met", self.fault)
            with met.open("a") as stream:
                stream.write(f"{job} {os.environ.get('CUDA_VISIBLE_DEVICES')}\n")
            first = met.read_text().count("\n") == 1
            held = b"x" * (900_000_000 if first and self.fault == "hungry" else 0)
            wait_for("met/over")
            del held
        return texts


class Fitted:
    def __init__(self, learnt=None):
        self.learnt = learnt

    def fit(self, pairs, seed):
        self.learnt = dict(pairs)

    def predict(self, texts):
        return [self.learnt.get(text, text) for text in texts]

    def save(self, path):
        Path(path).write_text("".join(f"{text}\t{corrected}\n" for text, corrected in self.learnt.items()))

    @classmethod
    def load(cls, path):
        return cls(dict(line.split("\t") for line in Path(path).read_text().splitlines()))


def wait_for(file):
    while not Path(file).exists():
        time.sleep(0.1)
