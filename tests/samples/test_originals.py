"""The originals of the clips: where they come from, what is kept, and what is no clip."""

import csv
import shutil

import numpy as np
import pytest
import soundfile

from sinobench.errors import InputError
from sinobench.retrieve import RetrievalError
from sinobench.samples.joined.conversion import clip_of
from sinobench.samples.joined.originals import COLUMNS, read_originals, retrieve_originals
from tests.conftest import ROOT
from tests.loopback import public

REPOSITORIES = ("foamliu/Speech-Transformer", "wenet-e2e/wenet", "hugolpz/audio-cmn")


@pytest.fixture
def few(tmp_path):
    """A listing of twelve files of three repositories."""
    with (ROOT / "resources/speech_clips.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["source"] in REPOSITORIES]
    chosen = [row for repository in REPOSITORIES for row in [r for r in rows if r["source"] == repository][:4]]
    path = tmp_path / "listing.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, chosen[0].keys())
        writer.writeheader()
        writer.writerows(chosen)
    return path


def test_from_the_network_as_from_the_mirror(few, mirror, tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with public(ROOT, mirror) as server:
        base = f"http://127.0.0.1:{server.http.server_port}/{{repository}}/{{commit}}/"
        originals = read_originals(few)
        assert retrieve_originals(originals, base, tmp_path / "network", None) == len(originals) == 10
        assert retrieve_originals(originals, base, tmp_path / "copied", mirror) == len(originals) == len(server.asked)
    for original in originals:
        content = (tmp_path / "network" / original.file).read_bytes()
        assert content == (tmp_path / "copied" / original.file).read_bytes()


def test_what_is_there_is_kept_where_others_can_not_be_had(few, mirror, tmp_path):
    part = tmp_path / "mirror"
    originals, nobody = read_originals(few), "http://127.0.0.1:9/{repository}/{commit}/"
    for original in originals[:3]:
        (part / "speech-originals" / original.file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(mirror / "speech-originals" / original.file, part / "speech-originals" / original.file)
    with pytest.raises(RetrievalError) as error:
        retrieve_originals(originals, nobody, tmp_path / "out", part, attempts=1, wait_s=0)
    assert "127.0.0.1:9" in str(error.value) and "$SINOBENCH_MIRROR/speech-originals/" in str(error.value)
    assert "Missing of speech-originals are 7 of 10 files" in str(error.value)
    kept = tmp_path / "out" / originals[0].file
    before = kept.stat().st_mtime_ns
    assert retrieve_originals(originals, nobody, tmp_path / "out", mirror) == 7
    assert kept.stat().st_mtime_ns == before


FACTS = {
    **{"path": "a.flac", "source": "owner/name", "commit": "0" * 40, "source_path": "a.wav", "sha256": "0" * 64},
    **{"size_bytes": "10", "end_sample": ""},
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source_path": "../a.wav"}, "without '..'"),
        ({"source_path": "/etc/passwd"}, "without '..'"),
        ({"source_path": "a\x01.wav"}, "expected a path inside the repository"),
        ({"source": "../.."}, "source is '../..'"),
        ({"source": "name"}, "source is 'name'"),
        ({"commit": "main"}, "commit is 'main'"),
        ({"sha256": "0"}, "expected 64 lower-case hexadecimal digits"),
        ({"size_bytes": "20000000"}, "expected at most 16000000"),
        ({"size_bytes": "1e3"}, "size_bytes is '1e3'"),
        ({"end_sample": "-1"}, "end_sample is '-1'"),
    ],
)
def test_wrong_facts_are_refused(write, change, message):
    cells = FACTS | change
    listing = write(",".join(COLUMNS) + "\n" + ",".join(cells[name] for name in COLUMNS) + "\n", "listing.csv")
    with pytest.raises(InputError, match=r"line 2: ") as error:
        read_originals(listing)
    assert message in str(error.value)


@pytest.mark.parametrize("base", ["", "file:///{repository}/", "ftp://example.org/"])
def test_an_address_that_is_none_is_refused(write, base):
    listing = write(",".join(COLUMNS) + "\n" + ",".join(FACTS.values()) + "\n", "listing.csv")
    with pytest.raises(InputError, match="base_url"):
        read_originals(listing)[0].pin(base)


@pytest.mark.parametrize(
    ("seconds", "rate_hz", "channels", "end_sample", "message"),
    [
        (1, 16_000, 2, None, "2 channels at 16000 Hz"),
        (1, 4_000, 1, None, "one at 8000 to 192000 Hz"),
        (61, 16_000, 1, None, "longer than 60 s"),
        (61, 16_000, 1, 61 * 16_000, "longer than 60 s"),
        (0, 16_000, 1, None, "0 samples"),
        (0.001, 16_000, 1, None, "16 samples; expected an utterance"),
        (1, 16_000, 1, 16_001, "16000 samples; expected 16001"),
    ],
)
def test_audio_that_is_no_clip_is_refused(tmp_path, seconds, rate_hz, channels, end_sample, message):
    path = tmp_path / "original.wav"
    soundfile.write(path, np.zeros((round(seconds * rate_hz), channels)), rate_hz, subtype="PCM_16")
    with pytest.raises(InputError, match=message):
        clip_of(path, end_sample)


def test_what_is_no_audio_is_refused(write):
    with pytest.raises(InputError, match="can't be decoded"):
        clip_of(write("no audio", "original.wav"))


def test_a_clip_is_cut_at_the_originals_rate_resampled_and_low_passed(tmp_path):
    """A tone below and one above the limit, at 48 kHz; only the lower is left, at its level."""
    time_s = np.arange(48_000 * 2) / 48_000
    tones = 0.3 * np.sin(2 * np.pi * 1_000 * time_s) + 0.3 * np.sin(2 * np.pi * 7_900 * time_s)
    soundfile.write(tmp_path / "original.wav", tones, 48_000, subtype="PCM_16")
    clip = clip_of(tmp_path / "original.wav", 48_000)
    assert clip.dtype == np.int16 and len(clip) == 16_000
    level = np.abs(np.fft.rfft(clip * np.hanning(16_000))) / 32768 / 4000
    assert level[1_000] == pytest.approx(0.3, abs=0.003) and level[7_900] < 0.01


def test_what_is_too_loud_after_resampling_is_scaled(tmp_path):
    square = np.sign(np.sin(2 * np.pi * 300 * np.arange(44_100) / 44_100)) * 0.999
    soundfile.write(tmp_path / "original.wav", square, 44_100, subtype="PCM_16")
    assert np.abs(clip_of(tmp_path / "original.wav").astype(int)).max() <= 32767
