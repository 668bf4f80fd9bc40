import csv
import hashlib
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import openpyxl
import pytest
import soundfile

from sinobench.samples.synthesis import compressed
from sinobench.samples.synthesis.script import Scene, scenes, visits

pytest.importorskip("espeakng_loader")

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "merlion"
SITUATIONS = {
    *("R1", "R1-between", "R2", "R2-run", "R3", "R4", "R4-part", "R5-first", "R5-last", "R5-between", "R6", "R6-tie"),
    *("R7-first", "R7-last", "R7-between", "R7-longest", "R8", "R8-tie-grains", "R8-tie-file", "R8-no-target", "R9"),
    *("R9-text", "P-part", "P-across", "P-chunks", "P1-equal", "P1-different", "P1-tie", "P1-first", "P1-last"),
    *("P1-only", "switch", "overlap-same", "overlap-different", "overlap-non-evaluated", "overlap-non-speech"),
}


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def spans(table):
    """(start, end, row) by recording."""
    found = defaultdict(list)
    for row in table:
        found[row["audio_name"]].append((int(row["start"]), int(row["end"]), row))
    return found


def labels_folder(part):
    return SAMPLE / f"MERLIon-CCS-Challenge_{part}-Set_v001" / "_CONFIDENTIAL" / "_labels"


def labels():
    return rows(next(labels_folder("Development").glob("*_labels.csv")))


def regions():
    found = defaultdict(list)
    for part in ("Development", "Evaluation"):
        sheet = openpyxl.load_workbook(next(labels_folder(part).glob("*.xlsx"))).active
        for name, start, end in sheet.values:
            if name != "file":
                found[name].append((start, end))
    return found


def eaf(path):
    """(utterances, grains, redactions) of an ELAN file, each (speaker, start, end, value)."""
    from pympi import Eaf

    document = Eaf(str(path))
    found = {"Utterance": [], "Chunk": [], "Sensitive_Masking": []}
    for tier in document.tiers:
        speaker, kind = tier.removesuffix(")").split(" (")
        if kind in found:
            found[kind] += [(speaker, *each[:3]) for each in document.get_annotation_data_for_tier(tier)]
    return found["Utterance"], found["Chunk"], found["Sensitive_Masking"]


def durations():
    return {row["audio_name"]: int(row["duration_ms"]) for row in rows(SAMPLE / "recordings.csv")}


def digests(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def overlapping_pairs(tags):
    """Pairs of rows of one recording that share time, with both language tags in ``tags``."""
    for of_recording in spans(labels()).values():
        for i, (start, end, row) in enumerate(of_recording):
            for other_start, other_end, other in of_recording[:i]:
                if start < other_end and other_start < end and {row["language_tag"], other["language_tag"]} <= tags:
                    yield row, other


def test_sample_is_small_and_long_enough():
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < 12_000_000
    assert len(durations()) >= 8 and 8 <= sum(durations().values()) / 60_000 <= 12
    training = [soundfile.info(path).duration for path in (SAMPLE / "training").rglob("*.ogg")]
    assert sum(training) >= 600


def test_sample_audio_has_the_length_that_the_table_says():
    for name, duration_ms in durations().items():
        (path,) = SAMPLE.rglob(f"{name}.ogg")
        header = soundfile.info(path)
        assert (header.samplerate, header.channels, header.frames) == (32_000, 1, duration_ms * 32)


def test_pairs_of_the_two_sets_are_disjoint():
    pairs = defaultdict(set)
    for row in rows(SAMPLE / "recordings.csv"):
        pairs[row["set"]].add(row["audio_name"].split("_")[1])
    assert len(pairs) == 2 and not set.intersection(*pairs.values())


def test_raw_annotation_has_both_forms():
    forms = {row["audio_name"]: row["raw_form"] for row in rows(SAMPLE / "recordings.csv")}
    assert Counter(forms.values()) == {"eaf": 4, "table": 4, "": 2}
    assert {name for name, form in forms.items() if form == "table"} == set(spans(rows(SAMPLE / "raw" / "grains.csv")))
    files = {f"{path.stem}.wav" for path in (SAMPLE / "raw" / "eaf").glob("*.eaf")}
    assert files == {name for name, form in forms.items() if form == "eaf"}


def test_grains_of_the_table_divide_their_utterances_without_gaps():
    reached = {}
    for row in rows(SAMPLE / "raw" / "grains.csv"):
        start, end = int(row["start"]), int(row["end"])
        utterance = row["audio_name"], row["speaker"], row["utterance"]
        assert reached.get(utterance, start) == start < end <= durations()[row["audio_name"]]
        reached[utterance] = end


def test_chunks_and_redactions_of_elan_files_lie_in_their_utterances():
    n_redactions = 0
    for path in (SAMPLE / "raw" / "eaf").glob("*.eaf"):
        utterances, chunks, redactions = eaf(path)
        n_redactions += len(redactions)
        for speaker, start, end, _ in utterances:
            assert 0 <= start < end <= durations()[f"{path.stem}.wav"]
            inside = sorted(c for c in chunks if c[0] == speaker and start <= c[1] < end)
            borders = [start, *(c[2] for c in inside)]
            assert [c[1] for c in inside] == borders[:-1] and borders[-1] == end
        for speaker, start, end, _ in redactions:
            assert start < end
            assert any(u[0] == speaker and u[1] <= start and end <= u[2] for u in utterances)
    assert n_redactions >= 5


def test_redactions_of_the_table_begin_and_end_in_utterances_and_some_go_across():
    utterances = defaultdict(dict)
    for row in rows(SAMPLE / "raw" / "grains.csv"):
        key = row["speaker"], row["utterance"]
        start, _ = utterances[row["audio_name"]].get(key, (int(row["start"]), 0))
        utterances[row["audio_name"]][key] = start, int(row["end"])
    redactions = rows(SAMPLE / "raw" / "redactions.csv")
    inside = 0
    for row in redactions:
        start, end = int(row["start"]), int(row["end"])
        bounds = utterances[row["audio_name"]].values()
        assert start < end and any(a <= start < b for a, b in bounds) and any(a < end <= b for a, b in bounds)
        inside += any(a <= start and end <= b for a, b in bounds)
    assert 0 < inside < len(redactions)


def test_redactions_are_labelled_in_several_ways():
    found = Counter(row["label"] for row in rows(SAMPLE / "raw" / "redactions.csv"))
    for path in (SAMPLE / "raw" / "eaf").glob("*.eaf"):
        found.update(value for *_, value in eaf(path)[2])
    assert set(found) == {"BABYNAME", "ADULTNAME", "CONFIDENTIAL", ":PROTECTION-CHECK"}


def test_every_situation_is_present():
    found = Counter(tag for row in rows(SAMPLE / "situations.csv") for tag in row["situations"].split())
    assert set(found) == SITUATIONS
    assert {tag for scene in (*scenes(), *visits()) for tag in scene.situations} == SITUATIONS
    assert found["switch"] >= 40 and min(found[f"R{number}"] for number in (1, 2, 3, 4, 6, 8, 9)) >= 2


def test_every_scene_that_shows_a_rule_is_in_the_raw_annotation():
    said = {row["text"] for row in rows(SAMPLE / "raw" / "grains.csv")}
    for path in (SAMPLE / "raw" / "eaf").glob("*.eaf"):
        said.update(value for *_, value in eaf(path)[1])
    spoken = [scene for scene in (*scenes(), *visits()) if set(scene.situations) - {"switch"}]
    assert {grain.text for scene in spoken for each in scene.utterances for grain in each.grains} <= said


def test_released_labels_lie_in_regions_and_regions_in_audio():
    assert Counter(map(len, regions().values())).keys() == {1, 2}
    for name, of_recording in regions().items():
        times = [0, *(time for region in of_recording for time in region), durations()[name]]
        assert times == sorted(times)
    borders = regions()
    for row in labels():
        start, end = int(row["start"]), int(row["end"])
        assert int(row["length"]) == end - start > 0
        assert any(a <= start and end <= b for a, b in borders[row["audio_name"]])


def test_released_labels_are_numbered_by_time():
    for of_recording in spans(labels()).values():
        assert [row["utt_id"] for *_, row in of_recording] == [f"a{i + 1}" for i in range(len(of_recording))]
        assert [span[:2] for span in of_recording] == sorted(span[:2] for span in of_recording)


def test_both_kinds_of_overlap_are_present():
    languages = {"English", "Mandarin", "Non-Evaluated-Speech"}
    kinds = Counter()
    for row, other in overlapping_pairs(languages):
        differ = row["language_tag"] != other["language_tag"]
        assert not differ or (row["overlap_diff_lang"], other["overlap_diff_lang"]) == ("True", "True")
        kinds["-".join(sorted({row["language_tag"], other["language_tag"]}))] += 1
    assert {"English", "Mandarin", "English-Mandarin", "English-Non-Evaluated-Speech"} <= set(kinds)
    assert all(row["overlap_diff_lang"] == "False" for row in labels() if row["language_tag"] == "NON_SPEECH")


def test_evaluation_timestamps_have_no_labels():
    stamps = rows(next(labels_folder("Evaluation").glob("*_timestamps.csv")))
    assert list(stamps[0]) == ["audio_name", "utt_id", "start", "end"] and len(spans(stamps)) == 2


def test_expanding_gives_the_formats_of_the_layouts(tmp_path):
    written = {path.relative_to(tmp_path) for path in compressed.expand(SAMPLE, tmp_path)}
    assert not [path for path in written if path.suffix == ".ogg"]
    for name, duration_ms in durations().items():
        (path,) = tmp_path.rglob(name)
        header = soundfile.info(path)
        assert (header.samplerate, header.subtype, header.frames) == (32_000, "PCM_16", duration_ms * 32)
        assert soundfile.read(path, dtype="int16")[0].std() > 300
    formats = Counter((p.parts[1], p.suffix) for p in written if p.parts[0] == "training")
    for corpus, suffix in (("librispeech", ".flac"), ("aishell", ".wav"), ("nsc", ".wav"), ("seame", ".flac")):
        assert formats[corpus, suffix] >= 4
    grids = [path.read_bytes() for path in (tmp_path / "training" / "nsc").glob("*.TextGrid")]
    assert sum(grid.startswith(b"\xff\xfe") for grid in grids) == 1


def test_scenes_without_labels_are_refused():
    from sinobench.samples.synthesis.script import _scene

    assert isinstance(_scene("P E look | L oh > E # R5-last"), Scene)
    with pytest.raises(ValueError, match="neutral without its label"):
        _scene("P E look | L oh")


@pytest.fixture(scope="module")
def small_corpora(tmp_path_factory):
    """The same three recordings, made in two runs with one and with two processes."""
    made = []
    for processes in ("1", "2"):
        out = tmp_path_factory.mktemp("corpus")
        command = [sys.executable, "-m", "sinobench.samples.synthesis", "corpus", out, "--recordings", "3"]
        command += ["--hours", "0.02", "--seed", "3", "--evaluation", "1", "--processes", processes]
        subprocess.run(command, check=True)
        made.append(out)
    return made


def test_two_runs_at_different_process_counts_are_byte_identical(small_corpora):
    one, two = map(digests, small_corpora)
    assert one == two and len([name for name in one if name.endswith(".wav")]) == 3


def test_corpus_has_the_hours_asked_for_to_the_millisecond(small_corpora):
    lengths = [soundfile.info(path).frames for path in small_corpora[0].rglob("*.wav")]
    assert sum(lengths) == 72_000 * 32
