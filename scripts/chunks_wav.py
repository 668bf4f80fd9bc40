"""Write the chunks of a shard as WAV files, named by segment and number."""

from pathlib import Path

import pyarrow.parquet as pq
import soundfile

from sinobench.log import job_log


def main(chunks: str, folder: str) -> None:
    """Write ``<segment id>_<chunk>.wav``, 16-bit mono at the audio's own rate."""
    Path(folder).mkdir(parents=True)
    source = pq.ParquetFile(chunks)
    for group in range(source.num_row_groups):
        for row in source.read_row_group(group).to_batches(max_chunksize=64):
            audio = row["audio"]
            for i in range(row.num_rows):
                name = f"{row['segment_id'][i]}_{row['chunk'][i]}.wav"
                samples = audio[i].values.to_numpy()
                soundfile.write(Path(folder, name), samples, row["sample_rate_hz"][i].as_py(), subtype="PCM_16")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input[0], snakemake.output[0])
