"""Files that people bring, replaced by others with an older time."""

import os

import pytest

from sinobench import contents
from tests.project import snakemake

WORKFLOW = """
from sinobench.contents import contents

rule copy:
    input: "corpus.txt", "audio"
    output: "copy"
    params: content=lambda wildcards: contents(["corpus.txt", "audio"])
    shell: "cp corpus.txt copy"
"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "Snakefile").write_text(WORKFLOW, encoding="utf-8")
    (tmp_path / "corpus.txt").write_text("one\n" * 50_000, encoding="utf-8")
    (tmp_path / "audio/speaker").mkdir(parents=True)
    (tmp_path / "audio/speaker/one.wav").write_bytes(b"first")
    (tmp_path / "scripts").symlink_to(contents.__file__.rpartition("/")[0].rpartition("/")[0])
    result = snakemake(tmp_path)
    assert result.returncode == 0, result.stderr
    return tmp_path


@pytest.mark.parametrize(("name", "new"), [("corpus.txt", "two\n" * 50_000), ("audio/speaker/one.wav", "other")])
def test_a_file_replaced_by_an_older_one_is_noticed(project, name, new):
    assert "Nothing to be done" in snakemake(project, "-n").stdout
    (project / "new").write_text(new, encoding="utf-8")
    os.utime(project / "new", (0, 0))
    os.rename(project / "new", project / name)
    planned = snakemake(project, "-n").stdout
    assert "rule copy" in planned and "Params have changed" in planned


def test_a_file_rewritten_in_place_with_its_time_is_noticed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "corpus.txt"
    path.write_text("one", encoding="utf-8")
    before, times = contents.contents(["corpus.txt"]), path.stat()
    path.write_text("two", encoding="utf-8")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    contents._digest.cache_clear()
    assert contents.contents(["corpus.txt"]) != before


def test_what_can_not_be_read_as_a_file_is_left_to_its_job(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo")
    os.symlink("nowhere", "broken")
    os.mkdir("folder")
    os.symlink("nowhere", "folder/broken")
    os.symlink(".", "folder/itself")
    assert len(contents.contents(["<results>/made", "absent", "fifo", "broken", "folder"])) == 2
