"""The MERLIon rules on a synthesized corpus, step by step, against two peers on a part of it in the same run.

``--hours 28.6`` is the true size of the challenge's development set: 151 recordings, 6.6 GB of WAV, about 20 GB on the
disk while it runs (checked first, removed after). The default is a tenth of it. Printed are

- of each step: wall time from the start of its first job to the end of its last, times real time, peak memory of a
  job, files and bytes written. Snakemake's own time between jobs is in the total only;
- for chunks and features together: the official way (librosa loads the whole recording for each utterance) and soxr +
  librosa (a seek, a resampling and librosa's calls for each chunk) with a process per core, both on one recording;
- the same steps on a corpus of a tenth of the hours: ten times the recordings should cost ten times the time, in as
  much memory;
- whether that smaller corpus gives the same bytes in 1, 4 and 16 shards, on 1 and 8 cores. The files differ, as each
  holds the recordings of its shard; compared are all their rows, in the order of segments and chunks.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import librosa
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import soundfile
import yaml
from bench_features import librosa_mfcc39, per_chunk
from threadpoolctl import threadpool_limits
from timing import compared

from sinobench.samples.synthesis.corpus import make_corpus, part_folder

ROOT = Path(__file__).parents[1]
WORKFLOW = ("Snakefile", "config", "envs", "profiles", "resources", "rules", "scripts")
RECORDINGS, HOURS, CORES, N_OFFICIAL = 151, 28.6, 2, 20
BYTES_AN_HOUR = 700_000_000  # of audio, masked audio, chunks and features
STEPS = {
    "ingest_merlion": "recordings/bench.parquet",
    "recode_merlion": "segments/bench.parquet",
    "redact_merlion": "masked/bench/{shard}.parquet",
    "verify_redaction": "proofs/bench/{shard}.parquet",
    "subtract_regions": "regions/bench.parquet",
    "chunk_merlion": "chunks/bench/{shard}.parquet",
    "extract_features": "features/bench/{shard}.parquet",
}


@dataclass(frozen=True)
class Step:
    """What one rule took for the whole corpus."""

    wall_s: float
    peak_mb: float
    n_files: int
    n_bytes: int


def write_workflow(folder: Path, hours: float) -> Path:
    """A corpus of that many hours below ``folder``, and a copy of the workflow that evaluates nothing else."""
    make_corpus(folder / "corpus", max(2, round(RECORDINGS * hours / HOURS)), hours, processes=CORES)
    part, raw = part_folder(folder / "corpus", "Development"), folder / "corpus" / "raw"
    [regions] = part.glob("_labels/*.xlsx")
    files = {"audio": part / "_audio", "eaf": raw / "eaf", "flat": raw / "grains.csv"}
    files |= {"redactions": raw / "redactions.csv", "regions": regions}
    corpus = {"task": "merlion", "title": "Synthesized", "reader": "merlion", "licence": "CC0-1.0"}
    corpus["files"] = {name: str(path) for name, path in files.items()}
    workflow = folder / "workflow"
    workflow.mkdir()
    for name in WORKFLOW:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, workflow / name)
    write_yaml(workflow / "config/corpora.yaml", {"bench": corpus})
    return workflow


def write_yaml(path: Path, content: dict) -> None:
    """A file of the config."""
    path.write_text(yaml.safe_dump(content), encoding="utf-8")


def run(workflow: Path, steps: list[str], shards: int, cores: int) -> None:
    """Run some steps with all they need."""
    config = {"merlion": {"corpora": ["bench"], "shards": shards}, "lid": {"models": []}, "ld": {"models": []}}
    write_yaml(workflow / "config/config.yaml", config)
    targets = [f"results/merlion/{STEPS[step]}".format(shard=i) for step in steps for i in range(shards)]
    command = [sys.executable, "-m", "snakemake", "--cores", str(cores), *dict.fromkeys(targets)]
    environment = os.environ | {"PYTHONPATH": str(workflow / "scripts"), "OMP_NUM_THREADS": "1"}
    result = subprocess.run(command, cwd=workflow, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(result.stderr)


def measured(workflow: Path) -> dict[str, Step]:
    """Each step in a call of its own, a shard a core."""
    steps = {}
    for step in STEPS:
        before = set(written(workflow))
        run(workflow, [step], CORES, CORES)
        new = set(written(workflow)) - before
        jobs = list((workflow / "results/benchmarks" / step).rglob("*.jsonl"))
        rows = [pd.read_json(job, lines=True).iloc[-1] for job in jobs]
        # A benchmark is written as its job ends.
        ends = [job.stat().st_mtime for job in jobs]
        starts = [end - row["s"] for end, row in zip(ends, rows, strict=True)]
        peak_mb = max(row["max_rss"] for row in rows) * 2**20 / 1e6
        steps[step] = Step(max(ends) - min(starts), peak_mb, len(new), sum(file.stat().st_size for file in new))
    return steps


def written(workflow: Path) -> list[Path]:
    """Files of results."""
    return [path for path in (workflow / "results/merlion").rglob("*") if path.is_file()]


def digest(workflow: Path) -> str:
    """SHA-256 over all rows of chunks and features, whichever file they are in, labels and regions."""
    results, found = workflow / "results/merlion", hashlib.sha256()
    for table in ("chunks", "features"):
        shards = pa.concat_tables([pq.read_table(path) for path in (results / table / "bench").glob("*.parquet")])
        rows = shards.sort_by([("segment_id", "ascending"), ("chunk", "ascending")]).combine_chunks()
        with pa.ipc.new_stream(pa.PythonFile(HashedFile(found), "w"), rows.schema) as stream:
            stream.write_table(rows)
    for file in ("labels/bench.csv", "regions/bench.parquet", "subtractions/bench.parquet"):
        found.update((results / file).read_bytes())
    return found.hexdigest()


class HashedFile:
    """A file that is not kept."""

    closed = False

    def __init__(self, digest) -> None:
        self.digest = digest

    def write(self, data) -> int:
        """Update the digest."""
        self.digest.update(data)
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""


def peers(workflow: Path) -> tuple[float, float]:
    """Seconds an hour of recording of the official way and of soxr + librosa, on the recording of middle length."""
    segments = pd.read_parquet(workflow / "results/merlion/segments/bench.parquet")
    segments = segments[segments["language"].isin(["English", "Mandarin"]) & ~segments["overlap_diff_lang"]]
    recordings = pd.read_parquet(workflow / "results/merlion/recordings/bench.parquet").sort_values("n_samples")
    middle = recordings.iloc[len(recordings) // 2]
    utterances = segments[segments["recording"] == middle["recording"]]
    bounds = [(a * 32, b * 32) for a, b in zip(utterances["start_ms"], utterances["end_ms"], strict=True)]
    hours = middle["duration_ms"] / 3_600_000
    audio = yaml.safe_load((workflow / "config/corpora.yaml").read_text(encoding="utf-8"))["bench"]["files"]["audio"]
    path = f"{audio}/{middle['path']}"
    librosa_mfcc39(soundfile.read(path, frames=96_000, dtype="float32")[0])  # its first use takes seconds
    started = time.perf_counter()
    for a, b in bounds[:N_OFFICIAL]:
        samples, rate = librosa.load(path, sr=16_000)
        librosa_mfcc39(samples[a * rate // 32_000 : b * rate // 32_000])
    official_s = (time.perf_counter() - started) / N_OFFICIAL * len(bounds)
    with ProcessPoolExecutor(CORES) as pool:
        parts = [bounds[i::CORES] for i in range(CORES)]
        list(pool.map(one_part, [path] * CORES, [part[:2] for part in parts]))
        started = time.perf_counter()
        list(pool.map(one_part, [path] * CORES, parts))
        librosa_s = time.perf_counter() - started
    return official_s / hours, librosa_s / hours


def one_part(path: str, bounds: list[tuple[int, int]]) -> None:
    """soxr + librosa in one process."""
    with threadpool_limits(1):
        per_chunk(Path(path), bounds)


def print_steps(steps: dict[str, Step], hours: float) -> None:
    """A line a step."""
    for name, step in steps.items():
        print(
            f"{name:16} {step.wall_s:7.2f} s {hours * 3600 / step.wall_s:9,.0f} x real time {step.peak_mb:5.0f} MB "
            f"{step.n_files:4} files {step.n_bytes / 1e6:9,.1f} MB"
        )


def main(hours: float) -> None:
    """Print the steps, the peers, the growth and the comparison of bytes."""
    with tempfile.TemporaryDirectory() as temporary:
        needed, free = hours * BYTES_AN_HOUR + 2e9, shutil.disk_usage(temporary).free
        if free < needed:
            raise SystemExit(f"{temporary} has {free / 1e9:.0f} GB free; {hours} hours need {needed / 1e9:.0f} GB")
        workflow = write_workflow(Path(temporary, "whole"), hours)
        started = time.perf_counter()
        steps = measured(workflow)
        total_s, whole_s = time.perf_counter() - started, sum(step.wall_s for step in steps.values())
        n_recordings = pq.read_metadata(workflow / "results/merlion/recordings/bench.parquet").num_rows
        print(f"{n_recordings} recordings, {hours:.2f} h, {CORES} cores")
        print_steps(steps, hours)
        print(f"all steps {whole_s:.1f} s; with Snakemake's own time {total_s:.1f} s")
        both_s = (steps["chunk_merlion"].wall_s + steps["extract_features"].wall_s) / hours
        print(f"chunks + features: {both_s:.2f} s an hour of recording, {3600 / both_s:,.0f} x real time")
        official_s, librosa_s = peers(workflow)
        compared("chunks and features, an hour of recording", both_s, "the official way", official_s)
        compared("chunks and features, an hour of recording", both_s, "soxr and librosa", librosa_s)
        shutil.rmtree(workflow.parent)

        small = write_workflow(Path(temporary, "small"), hours / 10)
        small_steps = measured(small)
        print(f"a tenth of the hours, {hours / 10:.2f} h")
        print_steps(small_steps, hours / 10)
        small_s = sum(step.wall_s for step in small_steps.values())
        print(f"ten times the hours: {whole_s / small_s:.1f} times the time")
        digests = {f"{CORES} shards on {CORES} cores": digest(small)}
        for shards, cores in ((1, 8), (4, 1), (16, 8)):
            shutil.rmtree(small / "results")
            run(small, ["subtract_regions", "extract_features"], shards, cores)
            digests[f"{shards} on {cores}"] = digest(small)
        if len(set(digests.values())) > 1:
            raise SystemExit(f"different bytes: {digests}")
        print(f"same bytes with {', '.join(digests)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hours", type=float, default=HOURS / 10, help="of recording (default: %(default)s)")
    main(parser.parse_args().hours)
