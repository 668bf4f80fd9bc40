"""What is known of files is kept where that can be, and costs no run where not."""

from sinobench.known import Known


def test_kept_until_the_file_changes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".snakemake").mkdir()
    file = tmp_path / "file"
    file.write_text("one", encoding="utf-8")
    first = Known("sizes")
    assert first.of(file, lambda: 3) == 3
    first.keep()
    assert Known("sizes").of(file, lambda: 4) == 3
    file.write_text("three", encoding="utf-8")
    assert Known("sizes").of(file, lambda: 5) == 5


def test_what_can_not_be_written_is_found_anew(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".snakemake/sizes.json").mkdir(parents=True)
    found = Known("sizes")
    assert found.of(__file__, lambda: 3) == 3
    found.keep()
    assert [path.name for path in (tmp_path / ".snakemake").iterdir()] == ["sizes.json"]
