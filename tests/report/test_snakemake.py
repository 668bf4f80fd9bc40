"""Snakemake's own report of a run."""

import zipfile

from tests.project import snakemake


def test_it_has_a_description_captions_and_the_pages(finished_run, tmp_path):
    archive = tmp_path / "report.zip"
    result = snakemake(finished_run, "--report", archive, "all")
    assert result.returncode == 0, result.stderr
    with zipfile.ZipFile(archive) as files:
        names = files.namelist()
        page = files.read("report/report.html").decode()
    assert any(name.endswith("/data/headlines.csv") for name in names)
    assert len([name for name in names if name.endswith("/index.html")]) == 1
    for said in ("two tasks of MERLIon CCS", "a diamond a", "Leaderboards under both protocols"):
        assert said in page
