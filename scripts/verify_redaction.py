"""Prove that each masked copy is its original but for the tone; search audio that its owner masked for the tone."""

from pathlib import Path

from sinobench.failures import job
from sinobench.merlion.audio.redact import detect_tone, verify
from sinobench.merlion.audio.tables import PROOFS, TONE
from sinobench.merlion.intervals import difference, length_ms
from sinobench.results import tables

TOLERANCE_MS = 10  # annotations and tone may differ by this much


def main(
    masked: str, audio: str, originals: str, redactions: str, already: bool, peak: float, proofs: str, tone: str
) -> None:
    """Write ``merlion_proofs``, and ``merlion_tone`` (empty but for audio that its owner masked)."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for row in tables.read(redactions).to_pylist():
        spans.setdefault(row["recording"], []).append((row["start_ms"], row["end_ms"]))
    proof_rows, tone_rows = [], []
    for row in tables.read(masked).to_pylist():
        key = {"corpus": row["corpus"], "recording": row["recording"]}
        original = Path(originals, row["original"])
        listed = spans.get(row["recording"], [])
        if already:
            for start_ms, end_ms in detect_tone(original):
                rest = length_ms(difference([(start_ms, end_ms)], listed)) if listed else end_ms - start_ms
                mentioned = rest <= TOLERANCE_MS
                tone_rows.append(key | {"start_ms": start_ms, "end_ms": end_ms, "mentioned": mentioned})
                if not mentioned:
                    print(f"{row['recording']}: tone at {start_ms}–{end_ms} ms that no redaction mentions")
        elif row["path"]:
            proof = verify(original, Path(audio, row["path"]), listed, peak)
            counts = {"n_redacted_samples": proof.n_redacted, "n_regions": proof.n_regions}
            proof_rows.append(key | {"n_samples": proof.n_samples} | counts)
    tables.write(PROOFS, proof_rows, proofs)
    tables.write(TONE, tone_rows, tone)


if __name__ == "__main__":
    with job(snakemake):
        input, output, params = snakemake.input, snakemake.output, snakemake.params
        files = (input.masked, input.audio, input.originals, input.redactions)
        main(*files, params.already, params.peak, output.proofs, output.tone)
