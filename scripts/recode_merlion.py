"""Recode raw annotations to the released form, and put the segments of all recordings together."""

from sinobench.failures import job
from sinobench.merlion.annotation.labels import Segment, write_labels
from sinobench.merlion.annotation.raw import Grain
from sinobench.merlion.annotation.recode import recode
from sinobench.merlion.annotation.tables import Redaction
from sinobench.merlion.tables import GRAINS, REDACTION_LABELS, SEGMENTS
from sinobench.results import tables


def main(
    corpus: str, status: str, raw_grains: str, segments: str, redactions: str, lenient: bool, output: dict[str, str]
) -> None:
    """Write ``merlion_grains``, ``merlion_segments``, ``merlion_redaction_labels`` and the labels CSV."""
    grains = [Grain(**without_corpus(row)) for row in tables.read(raw_grains).to_pylist()]
    raw = {grain.recording for grain in grains}
    masks = [Redaction(**without_corpus(row)) for row in tables.read(redactions).to_pylist()]
    recoded = recode(
        grains, [mask for mask in masks if mask.recording in raw], lenient=lenient, file_level_fallback=lenient
    )
    released = [without_corpus(row) for row in tables.read(segments).to_pylist()]
    rows = sorted(
        released + [vars(segment) | {"status": status} for segment in recoded.segments],
        key=lambda row: (row["recording"], row["start_ms"], row["end_ms"], row["row"]),
    )
    write_labels([Segment(**row) for row in rows if row["language"] is not None], output["labels"])
    tables.write(SEGMENTS, [row | {"corpus": corpus} for row in rows], output["segments"])
    grain_rows = [
        {
            "corpus": corpus,
            "recording": each.grain.recording,
            "speaker": each.grain.speaker,
            "utterance": each.grain.utterance,
            "start_ms": each.grain.start_ms,
            "end_ms": each.grain.end_ms,
            "raw_language": each.grain.language,
            "language": each.language,
            "rule": each.rule,
        }
        for each in recoded.grains
    ]
    tables.write(GRAINS, grain_rows, output["grains"])
    label_rows = [
        {
            "corpus": corpus,
            "recording": each.redaction.recording,
            "speaker": each.speaker,
            "utterance": each.utterance,
            "start_ms": each.start_ms,
            "end_ms": each.end_ms,
            "label": each.redaction.label,
            "language": each.language,
        }
        for each in recoded.redaction_labels
    ]
    tables.write(REDACTION_LABELS, label_rows, output["redaction_labels"])
    print(f"{corpus}: {len(grain_rows)} grains recoded, {len(rows)} segments")


def without_corpus(row: dict) -> dict:
    """The fields of a row but the corpus."""
    return {name: value for name, value in row.items() if name != "corpus"}


if __name__ == "__main__":
    with job(snakemake):
        input, params = snakemake.input, snakemake.params
        files = (input.raw_grains, input.segments, input.redactions)
        main(snakemake.wildcards.corpus, params.status, *files, params.lenient, dict(snakemake.output.items()))
