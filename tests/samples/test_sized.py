import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from sinobench.csc.predictions import from_file
from sinobench.csc.readers import read_corpus as read_csc
from sinobench.g2p.corpus import read_corpus as read_g2p
from sinobench.ld.turns import read_turns
from sinobench.lid.predictions import read_predictions, read_reference
from sinobench.merlion.annotation.corpus import read_corpus as read_merlion
from sinobench.samples.sized import csc, g2p, merlion
from sinobench.samples.sized.making import PUBLIC_SIZES, make
from sinobench.schema import load_yaml
from sinobench.selection import resolve

ROOT = Path(__file__).parents[2]


def content(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("task", "size"), [("csc", 12_000), ("g2p", 3_000), ("lid", 3), ("ld", 3)])
def test_a_seed_gives_the_same_bytes_and_another_one_others(tmp_path, monkeypatch, task, size):
    made = []
    for place, seed in (("one", 1), ("same", 1), ("other", 2)):
        (tmp_path / place).mkdir()
        monkeypatch.chdir(tmp_path / place)
        make(task, "corpus", size, seed)
        made.append(content(tmp_path / place))
    assert made[0] == made[1] != made[2]


@pytest.mark.parametrize("task", PUBLIC_SIZES)
def test_a_config_comes_with_it_that_has_two_models_to_compare(tmp_path, task):
    make(task, tmp_path, 4)
    config = load_yaml(tmp_path / "config.yaml")
    config["catalogs"]["sources"] = str(ROOT / "config/sources.yaml")
    found = resolve(config, ROOT / "config/schema")
    scored = ["sized-1", "sized-2"] if task == "g2p" else ["sized"]
    assert list(found.corpora) == scored + ["sized-training"] * (task == "csc")
    assert [found.model_ids(task, corpus) for corpus in scored] == [["sized-a", "sized-b"]] * len(scored)


@pytest.mark.parametrize(
    ("maker", "file", "size", "larger"),
    [(csc, "pairs.tsv", 10_000, 20_000), (g2p, "verse.txt", 1_000, 4_000), (merlion, "labels.csv", 2, 5)],
)
def test_a_larger_corpus_begins_with_the_smaller_one(tmp_path, maker, file, size, larger):
    maker.make(tmp_path / "small", size, 0)
    maker.make(tmp_path / "large", larger, 0)
    assert (tmp_path / "large" / file).read_bytes().startswith((tmp_path / "small" / file).read_bytes())


def test_memory_does_not_grow_with_the_size(tmp_path):
    peaks = []
    for size in (10_000, 60_000):
        tracemalloc.start()
        csc.make(tmp_path, size, 0)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # The texts that the second writes take twice the first peak; other threads of the tests have memory, too.
    assert peaks[1] < 1.5 * peaks[0]


def test_spelling_pairs_have_the_shape_of_those_of_nlpcc(tmp_path):
    entry = {"columns": ["input", "gold"], "delimiter": "\t", "lenient": False, "remove_blanks": False}
    made = csc.make(tmp_path, 10_000, 0)
    items = read_csc("sized", entry | made, made["files"]).items
    assert len(items) == 10_000 == len({item["input"] for item in items})
    sizes = [len(item["input"]) for item in items]
    n_errors = np.array([sum(a != b for a, b in zip(item["input"], item["golds"][0], strict=True)) for item in items])
    assert np.median(sizes) == pytest.approx(38, abs=2)
    assert np.mean(sizes) == pytest.approx(45.8, abs=2)
    assert (n_errors == 0).mean() == pytest.approx(0.5, abs=0.08)
    assert n_errors.max() <= 2
    outputs = from_file(tmp_path / "sized-a.txt", [item["input"] for item in items])
    right = [output == item["golds"][0] for output, item in zip(outputs, items, strict=True)]
    assert 0.5 < np.mean(right) < 0.9


def test_verse_has_the_shape_of_du_fu(tmp_path):
    made = g2p.make(tmp_path, 40_000, 0)
    read = read_g2p(made, made["files"])
    assert 40_000 <= len(read.items) < 42_600
    assert not [row for row in read.set_aside if row["reason"] != "not_text"]
    _, n = np.unique([item["unit"] for item in read.items], return_counts=True)
    assert np.median(n) == pytest.approx(62, rel=0.2)
    assert n.mean() == pytest.approx(100, rel=0.25)
    assert len((tmp_path / "sized-a.txt").read_text(encoding="utf-8").splitlines()) == len(read.items)


def test_recordings_have_the_shape_of_merlions(tmp_path):
    made = merlion.make(tmp_path, 30, 0)
    read = read_merlion(made["files"])
    assert len(read.audio) == 30
    assert not read.set_aside
    language, start_ms, end_ms = (np.array(read.segments[name]) for name in ("language", "start_ms", "end_ms"))
    lengths = {tag: (end_ms - start_ms)[language == tag] for tag in ("English", "Mandarin")}
    assert np.mean(lengths["English"]) == pytest.approx(1444, rel=0.1)
    assert np.mean(lengths["Mandarin"]) == pytest.approx(1106, rel=0.1)
    assert sum(map(len, lengths.values())) / 30 == pytest.approx(333, rel=0.25)
    assert sum(path.stat().st_blocks * 512 for path in (tmp_path / "audio").iterdir()) < 30 * 20_000
    trials = read_reference(tmp_path / "labels.csv")
    assert len(read_predictions(tmp_path / "sized-a.txt", trials.ids).english) == len(trials.ids)
    assert set(read_turns(tmp_path / "sized-a.rttm").recordings) == set(read.audio)


def test_from_the_command_line(tmp_path):
    command = [sys.executable, "-m", "sinobench.samples", "csc", tmp_path, "--size", "7"]
    subprocess.run(command, check=True)
    assert len((tmp_path / "sized/pairs.tsv").read_text(encoding="utf-8").splitlines()) == 7
