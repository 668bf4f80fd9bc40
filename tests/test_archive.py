import zipfile

from sinobench.archive import write_zip


def test_zip_has_the_same_bytes_whenever_it_is_written(tmp_path):
    members = {"set.txt": "天\t天\n" * 50, "README.md": "# 說明\n", "code/config.yaml": "seed: 1\n"}
    for name in ("one.zip", "two.zip"):
        write_zip(tmp_path / name, members)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == members
        assert archive.testzip() is None
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
