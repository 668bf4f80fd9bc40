"""Collect every table of the run into one DuckDB file."""

from collections.abc import Mapping, Sequence

from sinobench.failures import job
from sinobench.results import database, reasons, run_info
from sinobench.results.catalog_rows import collected
from sinobench.results.registry import comments


def main(
    files: Mapping[str, Sequence[str]],
    corpora: Mapping[str, Mapping],
    models: Mapping[str, Mapping],
    sources: Mapping[str, Mapping],
    pools: Mapping[str, Sequence[str]],
    configs: Sequence[str],
    config: Mapping,
    path: str,
) -> None:
    """Write the database from the files by table, notes of failures among them, entries of catalogs, and the config
    with the names of its files."""
    made, rows = collected(files, corpora, models, sources)
    parts = [{"corpus": f"pooled-{pool}", "part": part} for pool, corpora in pools.items() for part in corpora]
    rows |= {"reasons": reasons.rows(), "pools": parts}
    rows |= {"metric_info": comments().metric_rows(), "run_info": [run_info.row(configs, config)]}
    database.build(made, rows, path)
    print(f"{path}: {len(rows['corpora'])} corpora, {len(rows['models'])} models")


if __name__ == "__main__":
    with job(snakemake, despite=list(snakemake.input.keys())):
        params = snakemake.params
        main(
            files={name: [found] if isinstance(found, str) else list(found) for name, found in snakemake.input.items()},
            corpora=params.corpora,
            models=params.models,
            sources=params.sources,
            pools=params.pools,
            configs=params.configs,
            config=snakemake.config,
            path=snakemake.output[0],
        )
