"""The recordings of a shard masked, and the proof of it; audio that its owner masked is searched for the tone."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sinobench.merlion.audio.redact import detect_tone, mask, verify
from sinobench.merlion.audio.shards import audio_of
from sinobench.merlion.audio.wav import blocks
from sinobench.merlion.intervals import difference, length_ms

TOLERANCE_MS = 10  # annotations and tone may differ by this much

Spans = Mapping[str, Sequence[tuple[int, int]]]


def mask_shard(
    recordings: Iterable[Mapping],
    redactions: Spans,
    originals: str | Path,
    folder: str | Path,
    already: bool,
    peak: float,
) -> list[dict]:
    """Write a masked WAV into the folder for each recording with redactions; rows of ``merlion_masked``.

    recordings: rows of ``merlion_recordings``, of the shard; redactions: (start_ms, end_ms) by recording. originals:
    the corpus's audio folder; already: the audio was masked by its owner, and is taken as it is. peak: of the tone.
    """
    rows = []
    for row in recordings:
        recording, path = row["recording"], None
        spans = redactions.get(recording, [])
        if spans and not already:
            path = f"{recording}.wav"
            mask(Path(originals, row["path"]), Path(folder, path), spans, peak)
        common = {name: row[name] for name in ("corpus", "recording", "n_samples")} | {"original": row["path"]}
        made = common | {"path": path, "n_redactions": len(spans)}
        rows.append(made | {"sha256": sample_hash(audio_of(made, originals, folder))})
    return rows


def prove_shard(
    masked: Iterable[Mapping], redactions: Spans, originals: str | Path, folder: str | Path, peak: float
) -> list[dict]:
    """Rows of ``merlion_proofs``, one a masked copy; arguments as of ``mask_shard``, masked: the rows that it gave.

    Raises InputError for a copy that is not its original but for the tone.
    """
    rows = []
    for row in masked:
        if row["path"]:
            spans = redactions.get(row["recording"], [])
            proof = verify(Path(originals, row["original"]), Path(folder, row["path"]), spans, peak)
            rows.append({"corpus": row["corpus"], "recording": row["recording"]} | vars(proof))
    return rows


def search_shard(masked: Iterable[Mapping], redactions: Spans, originals: str | Path) -> list[dict]:
    """Rows of ``merlion_tone``: where audio that its owner masked holds the tone, and whether a redaction covers it."""
    rows = []
    for row in masked:
        spans = redactions.get(row["recording"], [])
        for start_ms, end_ms in detect_tone(Path(originals, row["original"])):
            rest = length_ms(difference([(start_ms, end_ms)], spans)) if spans else end_ms - start_ms
            key = {"corpus": row["corpus"], "recording": row["recording"]}
            rows.append(key | {"start_ms": start_ms, "end_ms": end_ms, "mentioned": rest <= TOLERANCE_MS})
    return rows


def sample_hash(path: str | Path) -> str:
    """The SHA-256 of a mono file's samples as int16, little-endian: of what is heard, whatever the file says beside."""
    digest = hashlib.sha256()
    for block in blocks(path):
        digest.update(block.astype("<i2", copy=False).tobytes())
    return digest.hexdigest()
