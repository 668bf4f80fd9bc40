"""Prove that each masked copy is its original but for the tone; search audio that its owner masked for the tone."""

from sinobench.failures import job
from sinobench.merlion.audio.masking import prove_shard, search_shard
from sinobench.merlion.audio.tables import PROOFS, TONE
from sinobench.merlion.intervals import spans_by_recording
from sinobench.results import tables


def main(
    masked: str, audio: str, originals: str, redactions: str, already: bool, peak: float, proofs: str, tone: str
) -> None:
    """Write ``merlion_proofs``, and ``merlion_tone`` (empty but for audio that its owner masked)."""
    recordings = tables.read(masked).to_pylist()
    spans = spans_by_recording(tables.read(redactions).to_pylist())
    tones = search_shard(recordings, spans, originals) if already else []
    if unmentioned := sum(not row["mentioned"] for row in tones):
        print(f"tone that no redaction mentions: {unmentioned} times, in table merlion_tone")
    proven = [] if already else prove_shard(recordings, spans, originals, audio, peak)
    tables.write(PROOFS, proven, proofs)
    tables.write(TONE, tones, tone)


if __name__ == "__main__":
    with job(snakemake):
        main(
            masked=snakemake.input.masked,
            audio=snakemake.input.audio,
            originals=snakemake.input.originals,
            redactions=snakemake.input.redactions,
            already=snakemake.params.already,
            peak=snakemake.params.peak,
            proofs=snakemake.output.proofs,
            tone=snakemake.output.tone,
        )
