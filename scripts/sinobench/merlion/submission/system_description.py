"""The system description that goes with a submission, as Markdown. Source: plan, Appendix D.

What config, catalog, fitted model and results tell is filled in; what nobody but the author can know is marked.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sinobench import __version__
from sinobench.archive import TO_FILL
from sinobench.errors import InputError
from sinobench.merlion.audio.features import N_FEATURES, N_MELS, N_MFCC, RATE_HZ
from sinobench.merlion.training.tracks import SYNTHETIC, check_track, counted_as
from sinobench.models import told_of

TASKS = {"lid": "Task 1 (Language Identification)", "ld": "Task 2 (Language Diarization)"}


@dataclass(frozen=True)
class System:
    """What was submitted.

    components: catalog entries by model id, the system itself first, then the lid model that a diarization model uses.
    fitted: JSON documents of the fitted model by their name, of which ``training.json`` tells the training data.
    corpora: catalog entries of the training corpora and of those with results. config: the run's, defaults filled in.
    """

    task: str
    track: str
    pretrained: Sequence[Mapping]
    components: Mapping[str, Mapping]
    fitted: Mapping[str, Mapping]
    corpora: Mapping[str, Mapping]
    config: Mapping
    revision: str

    @property
    def model(self) -> str:
        return next(iter(self.components))


def read_fitted(folder: str | Path | None, tuned: str | Path | None = None) -> dict[str, dict]:
    """The JSON documents below a fitted identification model's folder, by their path in it.

    tuned: of a diarization model, which is ``diarization.json`` here.
    """
    paths = (
        {path.relative_to(folder).as_posix(): path for path in sorted(Path(folder).rglob("*.json"))} if folder else {}
    )
    documents = {}
    for name, path in (paths | ({"diarization.json": Path(tuned)} if tuned else {})).items():
        try:
            documents[name] = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise InputError(f"is no JSON ({error}); fit the model again", path) from None
    return documents


def document(system: System, metrics: Iterable[Mapping], runs: Iterable[Mapping]) -> str:
    """The document with the six sections of Appendix D.

    metrics: rows of table ``metrics`` on development corpora; runs: rows of table ``runs``. Raises InputError for
    training data that the track does not allow.
    """
    title = system.components[system.model]["title"]
    return f"""# {title}

## 1. Authors

{TO_FILL} team, authors, affiliations and contact.

## 2. Abstract

The system `{system.model}` ({title}) is submitted to **{TASKS[system.task]}{_track(system)}**.

{TO_FILL} a few sentences that describe the system.

## 3. Brief summary of notable highlights

{TO_FILL} what is novel, and what improved the performance.

## 4. Data resources

{_data(system)}

## 5. Detailed description of algorithm

{_algorithm(system)}

### Computational resources

{_resources(system, runs)}

### Reproduction

sinobench {__version__}, commit {system.revision}, with these keys in its config; paths of data are those of the run.

```json
{json.dumps(_used_config(system), ensure_ascii=False, indent=1)}
```

## 6. Results on the development and evaluation sets

### Development set

{_results(system, metrics)}

### Evaluation set

{TO_FILL} the figures that the challenge returned for this submission.
"""


def _track(system: System) -> str:
    training = system.fitted.get("training.json", {"corpora": ()})
    if system.track == "closed" and any(
        system.corpora[corpus]["origin"] == SYNTHETIC for corpus in training["corpora"]
    ):
        return "**; it is no system of the closed track: **it was fitted on synthetic speech"
    return f", {system.track} track"


def _data(system: System) -> str:
    training = system.fitted.get("training.json")
    parts = [_training(system, training) if training else _unknown_training(system)]
    parts.append("### Pretrained models")
    if system.pretrained:
        parts.append("\n".join(f"- {m['name']}, version {m['version']}, <{m['url']}>" for m in system.pretrained))
    else:
        parts.append("None.")
    return "\n\n".join(parts)


def _training(system: System, training: Mapping) -> str:
    hours = training["corpora"]
    counted = [(counted_as(corpus, system.corpora[corpus]["origin"]), own) for corpus, own in hours.items()]
    additional = check_track(system.track, counted, system.pretrained)
    partition = next(p for p in system.config["merlion"]["partitions"] if p["name"] == training["partition"])
    chosen: dict[str, list[str]] = {}
    for part in partition["parts"]:
        chosen.setdefault(part["corpus"], []).append(_selection(part, system.config["seed"]))
    rows = [
        (system.corpora[corpus]["title"], system.corpora[corpus]["licence"], f"{own:.3f}", "; ".join(chosen[corpus]))
        for corpus, own in hours.items()
    ]
    total = sum(hours.values())
    rest = {key: value for key, value in training.items() if key not in ("corpora", "partition", "track", "hours")}
    text = f"""### Training data

Partition `{training["partition"]}`: {total:.3f} h, {additional:.3f} h of them beyond the challenge's list.

{_table(("corpus", "licence", "hours", "selection"), rows)}

{_facts(rest)}""".rstrip()
    if additional:
        text += (
            f"\n\n{TO_FILL} URL or DOI of the data beyond the list; for proprietary data speakers, registers and "
            "accents, languages, recording environment and equipment, and how the speech was elicited."
        )
    return text


def _selection(part: Mapping, seed: int) -> str:
    if part["ids"]:
        return f"the recordings or speakers of an official list, {Path(part['ids']).name}"
    if part["hours"] is None:
        return "the whole corpus"
    order = f"shuffled by seed {seed}" if part["order"] == "shuffled" else "in the corpus's order"
    return f"whole speakers {order}, one by one until {part['hours']:g} h were reached"


def _unknown_training(system: System) -> str:
    if any(entry["kind"] == "predictions" for entry in system.components.values()):
        return f"{TO_FILL} the training data with amounts, sources and selection; sinobench had the predictions only."
    return f"sinobench fitted nothing for this system. {TO_FILL} data that it was trained on before, if any."


def _algorithm(system: System) -> str:
    parts = []
    features = f"{TO_FILL} acoustic features."
    for model, entry in system.components.items():
        parts.append(f"### `{model}`: {entry['title']}")
        if entry["kind"] == "predictions":
            parts.append(f"{TO_FILL} each component, in enough detail to be implemented again.")
            continue
        words, takes = told_of(entry["class"])
        parts.append(f"Class `{entry['class']}`. {words}".strip())
        if entry["options"]:
            parts.append("Options:\n\n" + _facts(entry["options"]))
        if entry["task"] == "lid" and (takes or "features") == "features":
            features = (
                f"{N_FEATURES} values a frame of 25 ms, one every 10 ms: {N_MFCC} MFCC of {N_MELS} mels with first and "
                f"second differences, at {RATE_HZ} Hz after resampling from 32000 Hz, with pre-emphasis 0.97."
            )
    for name, content in system.fitted.items():
        if name != "training.json":
            parts.append(f"Fitted, `{name}`:\n\n{_facts(content)}")
    beyond = f"{TO_FILL} what goes beyond the above."
    activity = "None: the challenge gives the segments." if system.task == "lid" else beyond
    parts += [
        f"### a. Voice activity detection\n\n{activity}",
        f"### b. Acoustic features\n\n{features}",
        f"### c. Signal processing\n\n{TO_FILL} enhancement or denoising, if any.",
        f"### d. Segment representation\n\n{beyond}",
        f"### e. Clustering method\n\n{TO_FILL} if any.",
        f"### Hyperparameter tuning\n\n{TO_FILL} how options were chosen.",
    ]
    return "\n\n".join(parts)


def _resources(system: System, runs: Iterable[Mapping]) -> str:
    rows = [
        (
            system.corpora[run["corpus"]]["title"],
            _number(run["audio_s"], ".1f"),
            _number(run["predict_s"], ".1f"),
            _number(run["times_real_time"], ".1f"),
            _number(run["peak_memory_mb"], ".0f"),
            run["threads"],
            run["host"].partition(",")[0],  # the machine's name is nobody's business
            run["versions"],
        )
        for run in runs
    ]
    training = f"{TO_FILL} hardware and time of training, if any."
    if not rows:
        return f"{TO_FILL} hardware and time of prediction.\n\n{training}"
    header = ("corpus", "audio in s", "prediction in s", "times real time", "peak memory in MB", "threads")
    return f"{_table((*header, 'platform', 'versions'), rows)}\n\n{training}"


def _results(system: System, metrics: Iterable[Mapping]) -> str:
    rows = []
    for row in metrics:
        if row["subset"] == "all":
            interval = "" if row["ci_low"] is None else f"{row['ci_low']:.4f}–{row['ci_high']:.4f}"
            level = f"{100 * row['level']:g} %"
            title = system.corpora[row["corpus"]]["title"]
            value = _number(row["value"], ".4f")
            rows.append((title, row["protocol"], row["metric"], value, interval, _number(row["n_items"], "d")))
    if not rows:
        return f"{TO_FILL} sinobench scored no development set."
    table = _table(("corpus", "protocol", "metric", "value", f"{level} interval", "n"), rows)
    text = (
        f"Rates are fractions. `official`: as the challenge's script counts; `strict`: by the plan's words.\n\n{table}"
    )
    synthetic = dict.fromkeys(title for title, *_ in rows if "synthetic" in title)
    if synthetic:
        text += f"\n\nFigures on synthetic recordings, which say nothing of the challenge's: {', '.join(synthetic)}."
    return text


def _used_config(system: System) -> dict:
    """The catalog entries, and the config less what is not about speech."""
    config = {key: system.config[key] for key in ("seed", "merlion", "lid", "ld")}
    return {"models": dict(system.components), "config": config}


def _facts(content: Mapping) -> str:
    return "\n".join(f"- {key}: {json.dumps(value, ensure_ascii=False)}" for key, value in content.items())


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)
