"""A wrong import anywhere in the package is told where Snakemake points to."""

from tests.project import snakemake


def test_a_wrong_import_stands_in_the_jobs_log(workflow):
    module = workflow / "scripts/sinobench/g2p/corpus.py"
    with module.open("a", encoding="utf-8") as file:
        file.write("\nimport no_such_module\n")
    result = snakemake(workflow, "results/g2p/items/sample-words.parquet")
    log = "results/logs/ingest_g2p/sample-words.log"
    assert result.returncode == 1 and log in result.stderr
    told = (workflow / log).read_text(encoding="utf-8")
    assert "sinobench/g2p/corpus.py" in told and "ModuleNotFoundError: No module named 'no_such_module'" in told
