import csv
import hashlib
import shutil
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.merlion.annotation.corpus import read_corpus
from sinobench.merlion.annotation.labels import read_labels
from sinobench.merlion.annotation.overlap import overlap_diff_lang
from sinobench.merlion.annotation.tables import read_redactions, read_regions
from sinobench.merlion.pairs import pair_of
from sinobench.merlion.training.corpora import read_manifest
from sinobench.samples.joined.clips import read_clips
from sinobench.samples.joined.corpus import Development, make_development, make_training
from sinobench.samples.joined.making import make_clips
from sinobench.samples.joined.originals import retrieve_listed
from sinobench.samples.joined.pieces import MAX_MS, MIN_MS, pieces
from sinobench.schema import load_yaml

LISTING = Path(__file__).parents[2] / "resources" / "speech_clips.csv"
SOURCES = LISTING.parents[1] / "config" / "sources.yaml"
HEADER = "path,language,speaker,split\n"


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def places(folder):
    names = ("labels.csv", "regions.xlsx", "redactions.csv", "recordings.csv", "turns.csv")
    return Development(folder / "audio", *(folder / name for name in names))


def join(clips, folder):
    make_development(clips, places(folder / "dev"), seed=0)
    make_training(clips, folder / "train", seed=0)


def digests(folder):
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def built(mirror, tmp_path_factory):
    """The clips, the development set ``dev`` and the training corpus ``train``; deleted afterwards, 290 MB."""
    folder = tmp_path_factory.mktemp("joined")
    base_url = load_yaml(SOURCES)["speech-originals"]["base_url"]
    retrieve_listed(LISTING, base_url, mirror, folder / "originals.csv")
    make_clips(folder / "originals.csv", folder / "clips")
    join(folder / "clips", folder)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def turns(built):
    """Rows of turns.csv by recording."""
    found = defaultdict(list)
    for row in rows(built / "dev" / "turns.csv"):
        found[row["audio_name"].removesuffix(".wav")].append(row)
    return found


@pytest.fixture(scope="module")
def heard(built):
    """By recording, its samples as floats."""
    return {
        path.stem: soundfile.read(path, dtype="int16")[0].astype(float)
        for path in (built / "dev" / "audio").glob("*.wav")
    }


def test_clips_are_those_that_were_made_elsewhere(built, mirror):
    """By samples: those that were not resampled exactly, the others within 2 steps of int16."""
    listed = rows(LISTING)
    assert len(listed) == 370
    n_exact = 0
    for row in listed:
        clip, expected = (
            soundfile.read(folder / row["path"], dtype="int16") for folder in (built / "clips", mirror / "speech")
        )
        assert clip[1] == expected[1] == 16_000 and len(clip[0]) == len(expected[0])
        different = np.abs(clip[0].astype(int) - expected[0]).max()
        n_exact += different == 0
        original = soundfile.info(built / "originals" / row["source"].replace("/", "+") / row["source_path"])
        assert different <= (0 if original.samplerate == 16_000 and original.format != "MP3" else 2), row["path"]
    assert n_exact >= 264


def test_development_set_is_read_as_released(built):
    out = places(built / "dev")
    parts = ("audio", "labels", "regions", "redactions")
    corpus = read_corpus({part: str(getattr(out, part)) for part in parts})
    assert len(corpus.audio) >= 12
    assert sum(audio.duration_ms for audio in corpus.audio.values()) >= 40 * 60_000
    assert min(audio.duration_ms for audio in corpus.audio.values()) >= 3 * 60_000
    assert set(corpus.form.values()) == {"released"}
    assert set(corpus.segments["language"]) == {"English", "Mandarin", "NON_SPEECH"}
    assert len({pair_of(name) for name in corpus.audio}) == len(corpus.audio)
    for spans in (corpus.regions, corpus.redactions):
        assert set(Counter(span.recording for span in spans).values()) == {1, 2}
        assert {span.recording for span in spans} == corpus.audio.keys()


def test_same_clips_and_seed_give_the_same_bytes(built, tmp_path):
    try:
        join(built / "clips", tmp_path)
        for part in ("dev", "train"):
            assert digests(tmp_path / part) == digests(built / part)
    finally:
        shutil.rmtree(tmp_path)


def test_no_speaker_is_in_both_corpora(built, turns):
    split_of = {row["speaker"]: row["split"] for row in rows(LISTING)}
    spoken = {row["speaker"] for of_recording in turns.values() for row in of_recording} - {""}
    trained = {utterance.speaker for utterance in read_manifest(built / "train")}
    assert {split_of[speaker] for speaker in spoken} == {"test"}
    assert {split_of[speaker] for speaker in trained} == {"train"}


def test_two_overlaps_of_each_kind_in_every_recording(built):
    by_recording = defaultdict(list)
    for segment in read_labels(built / "dev" / "labels.csv"):
        if segment.language != "NON_SPEECH":
            by_recording[segment.recording].append(segment)
    for segments in by_recording.values():
        meeting = [
            (a, b) for i, a in enumerate(segments) for b in segments[i + 1 :] if b.start_ms < a.end_ms > a.start_ms
        ]
        differing = [{a.utt_id, b.utt_id} for a, b in meeting if a.language != b.language]
        assert (len(differing), len(meeting)) == (2, 4)
        assert {s.utt_id for s in segments if s.overlap_diff_lang} == set.union(*differing)
        assert [s.overlap_diff_lang for s in segments] == overlap_diff_lang(segments)


def test_speakers_who_overlap_in_one_language_differ(turns):
    for of_recording in turns.values():
        for one, other in pairwise(of_recording):
            if int(other["start"]) < int(one["end"]):
                assert one["speaker"] != other["speaker"]


def test_noise_is_as_far_below_speech_as_stated(built, turns, heard):
    ratios = set()
    for row in rows(built / "dev" / "recordings.csv"):
        name = row["audio_name"].removesuffix(".wav")
        samples, active = heard[name], np.zeros(len(heard[name]), dtype=bool)
        spoken = active.copy()
        for turn in turns[name]:
            place = slice(int(turn["start"]) * 32, int(turn["end"]) * 32)
            active[place] = True
            spoken[place] |= turn["language_tag"] != "NON_SPEECH"
        noise = (samples[~active] ** 2).mean()
        measured = 10 * np.log10((samples[spoken] ** 2).mean() / noise - 1)
        assert measured == pytest.approx(float(row["snr_db"]), abs=0.3)
        ratios.add(row["snr_db"])
    assert len(ratios) == 4


def test_every_turn_is_its_clip_at_its_place(built, turns, heard):
    """The clip's own samples, found again at the switch point: half a millisecond beside it they fit worse."""
    import soxr

    speech = [t for t in turns[min(turns)] if t["speaker"]]
    alone = [b for a, b, c in zip(speech, speech[1:], speech[2:], strict=False) if int(a["end"]) <= int(b["start"])]
    for turn in alone[:12]:
        clip = soxr.resample(soundfile.read(built / "clips" / turn["clip"])[0], 16_000, 32_000)
        start, length = int(turn["start"]) * 32, (int(turn["end"]) - int(turn["start"])) * 32 // 2
        said = clip[int(turn["clip_start"]) * 32 :][:length]
        fits = {lag: float(said @ heard[min(turns)][start + lag :][:length]) for lag in range(-16, 17)}
        assert max(fits, key=fits.get) == 0


def test_speech_is_louder_at_its_edges_than_the_pause_beside_it(built, turns, heard):
    """Bounds are honest: the clips' own silence is no part of a turn."""
    quiet = [
        r["audio_name"].removesuffix(".wav") for r in rows(built / "dev" / "recordings.csv") if r["snr_db"] == "30"
    ]
    louder = []
    for name in quiet:
        energy = (heard[name][: len(heard[name]) // 3200 * 3200] ** 2).reshape(-1, 3200)
        noise = np.percentile(energy.mean(axis=1), 5)
        for one, other in pairwise(turns[name]):
            end, start = int(one["end"]) * 32, int(other["start"]) * 32
            if start > end:
                assert (heard[name][end:start] ** 2).mean() < 2 * noise
                edges = [(one, slice(end - 4800, end)), (other, slice(start, start + 4800))]
                louder += [(heard[name][edge] ** 2).mean() > 4 * noise for turn, edge in edges if turn["speaker"]]
    assert np.mean(louder) > 0.98


def test_turns_follow_after_pauses_and_some_switches_without(turns):
    gaps = [
        (int(b["start"]) - int(a["end"]), a["language_tag"] != b["language_tag"])
        for of_recording in turns.values()
        for a, b in pairwise(of_recording)
    ]
    assert all(gap <= 0 or 200 <= gap <= 2000 for gap, _ in gaps)
    assert sum(gap == 0 for gap, switches in gaps if switches) >= 12
    assert all(switches for gap, switches in gaps if gap == 0)


def test_clips_come_back_with_other_partners(turns):
    partners = defaultdict(set)
    for of_recording in turns.values():
        said = [(t["clip"], t["clip_start"]) for t in of_recording]
        for before, piece, after in zip(said, said[1:], said[2:], strict=False):
            partners[piece].add((before, after))
    again = [piece for piece, found in partners.items() if len(found) > 1]
    assert len(again) > len(partners) / 2
    for of_recording in turns.values():
        spoken = [(t["clip"], t["clip_start"]) for t in of_recording if t["speaker"]]
        assert len(spoken) == len(set(spoken))


def test_languages_and_speakers_are_balanced(turns):
    spoken = defaultdict(Counter)
    for of_recording in turns.values():
        here = defaultdict(set)
        for turn in of_recording:
            spoken[turn["language_tag"]][turn["speaker"]] += int(turn["end"]) - int(turn["start"])
            here[turn["language_tag"]].add(turn["speaker"])
        assert min(len(here["English"]), len(here["Mandarin"])) >= 3
    english, mandarin = spoken["English"].total(), spoken["Mandarin"].total()
    assert 0.25 < mandarin / (english + mandarin) < 0.75
    # Of the clips it is 64 %.
    assert spoken["Mandarin"].most_common(1)[0][1] < mandarin / 2


def test_redactions_lie_inside_the_speech_of_one_person(built, turns):
    for redaction in read_redactions(built / "dev" / "redactions.csv"):
        touched = [
            turn
            for turn in turns[redaction.recording]
            if int(turn["start"]) < redaction.end_ms and redaction.start_ms < int(turn["end"])
        ]
        assert len(touched) == 1
        assert touched[0]["speaker"]
        assert int(touched[0]["start"]) < redaction.start_ms < redaction.end_ms < int(touched[0]["end"])


def test_regions_hold_all_turns_but_the_one_between_two(built, turns):
    regions = defaultdict(list)
    for region in read_regions(built / "dev" / "regions.xlsx"):
        regions[region.recording].append(region)
    for name, of_recording in turns.items():
        inside = [
            any(r.start_ms <= int(t["start"]) and int(t["end"]) <= r.end_ms for r in regions[name])
            for t in of_recording
        ]
        assert inside.count(False) == len(regions[name]) - 1


def test_training_corpus_has_each_clip_plain_and_in_noise(built):
    utterances = read_manifest(built / "train")
    clips = {clip.path: clip for clip in read_clips(built / "clips", "train")}
    by_kind = defaultdict(list)
    for utterance in utterances:
        by_kind[utterance.path.split("/")[0]].append(utterance)
        assert soundfile.info(built / "train" / utterance.path).samplerate == 16_000
    assert len({u.path for u in by_kind["plain"]}) == len({u.path for u in by_kind["noisy"]}) == len(clips)
    facts = [[(u.start_ms, u.end_ms, u.language, u.speaker) for u in by_kind[kind]] for kind in ("plain", "noisy")]
    assert sorted(facts[0]) == sorted(facts[1])
    assert {u.recording for u in by_kind["plain"]}.isdisjoint(u.recording for u in by_kind["noisy"])
    assert {u.language for u in utterances} == {"English", "Mandarin"}


def bursts(lengths, rate_hz=16_000):
    """Noise and silence in turns, each of so many ms, noise first."""
    rng = np.random.default_rng(0)
    parts = [rng.normal(0, 3000 if i % 2 == 0 else 3, ms * rate_hz // 1000) for i, ms in enumerate(lengths)]
    return np.concatenate(parts).astype(np.int16)


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ((1000,), [(0, 1000)]),
        ((0, 300, 1000, 500), [(260, 1340)]),
        ((800, 300, 800), [(0, 1900)]),
        ((800, 600, 800), [(0, 840), (1360, 2200)]),
        ((800, 600, 300), [(0, 840)]),
        ((4000, 300, 4000), [(0, 4040), (4260, 8300)]),
        ((9000,), [(0, 4500), (4500, 9000)]),
        ((0, 2000), []),
    ],
    ids=["whole", "trimmed", "short silence", "split", "too short", "too long", "no silence", "nothing"],
)
def test_pieces(lengths, expected):
    samples = bursts(lengths) if lengths != (0, 2000) else np.zeros(32_000, np.int16)
    assert pieces(samples, 16_000) == expected


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 7000), min_size=1, max_size=6))
def test_pieces_are_disjoint_and_of_an_utterances_length(lengths):
    samples = bursts(lengths)
    found = pieces(samples, 16_000)
    assert all(MIN_MS <= end - start <= MAX_MS for start, end in found)
    assert all(one[1] <= other[0] for one, other in pairwise(found))
    assert not found or (found[0][0] >= 0 and found[-1][1] <= len(samples) // 16)


@pytest.fixture
def clips(tmp_path):
    """clips(rows, header=HEADER): a folder with two clips, ``a.wav`` and ``b.wav``, and a manifest of these rows."""

    def clips(text, header=HEADER):
        folder = tmp_path / "clips"
        folder.mkdir()
        for name in "ab":
            soundfile.write(folder / f"{name}.wav", bursts((1000,)), 16_000)
        soundfile.write(tmp_path / "outside.wav", bursts((1000,)), 16_000)
        (folder / "link.wav").symlink_to(tmp_path / "outside.wav")
        (folder / "manifest.csv").write_text(header + text)
        return folder

    return clips


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("../outside.wav,English,s1,test", "leaves the folder"),
        ("/etc/passwd,English,s1,test", "leaves the folder"),
        ("link.wav,English,s1,test", "leaves the folder"),
        ("c.wav,English,s1,test", "names no file"),
        ("a.wav,Englsh,s1,test", "did you mean 'English'"),
        ("a.wav,English,s1,dev", "split 'dev' is not known"),
        ("a.wav,English,,test", "speaker is empty"),
        ("a.wav,English,s1,test\n./a.wav,English,s1,test", "line 3: a second clip is named 'a'"),
        ("a.wav,English,s1,test\nb.wav,English,s1,train", "line 3: speaker 's1' is in both splits"),
        ("a.wav,English,s1,train", "no clip of the split 'test'"),
    ],
)
def test_a_wrong_manifest_is_refused(clips, text, message):
    with pytest.raises(InputError, match=message):
        read_clips(clips(text + "\n"), "test")


def test_too_few_clips_for_the_recordings_are_refused(clips, tmp_path):
    folder = clips("a.wav,English,s1,test\nb.wav,Mandarin,s2,test\n")
    with pytest.raises(InputError, match=r"too little .* speech"):
        make_development(folder, places(tmp_path / "dev"), seed=0)


@pytest.mark.parametrize(
    ("samples", "rate_hz", "message"),
    [
        (bursts((1000,)), 8000, "sample rate of 8000"),
        (np.zeros(16_000, np.int16), 16_000, "no half second of speech"),
        (np.zeros(61 * 16_000, np.int16), 16_000, "at most 60 s"),
    ],
)
def test_a_clip_that_is_no_utterance_is_refused(clips, tmp_path, samples, rate_hz, message):
    folder = clips("a.wav,English,s1,test\n")
    soundfile.write(folder / "a.wav", samples, rate_hz)
    with pytest.raises(InputError, match=message):
        make_development(folder, places(tmp_path / "dev"), seed=0)
