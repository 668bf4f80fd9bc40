import pytest

from sinobench.errors import InputError
from sinobench.merlion.training.tracks import check_track, counted_as

LISTED = [("librispeech", 100.6), ("aishell", 200.3), ("nsc", 100.2), ("seame", 192.0)]
WAVLM = {"name": "WavLM", "version": "base-plus", "url": "https://example.org/wavlm", "public": True}


@pytest.mark.parametrize("track", ["closed", "open"])
def test_listed_corpora_are_free(track):
    assert check_track(track, LISTED, []) == 0
    assert check_track(track, [], []) == 0


def test_closed_refuses_other_data_with_sum_and_limit():
    with pytest.raises(InputError, match=r"closed track: 12.75 h .*\(talcs 10.50 h, ascend 2.25 h\).* limit is 0 h"):
        check_track("closed", [*LISTED, ("talcs", 10.5), ("ascend", 2.25)], [])


def test_synthetic_speech_alone_is_tried_with_a_warning_and_never_mixed(caplog):
    assert check_track("closed", [("synthetic", 0.1), ("synthetic", 0.2)], []) == 0
    assert "synthetic speech only: no system of the closed track" in caplog.text
    with pytest.raises(InputError, match=r"closed track: 3.00 h .*\(synthetic 3.00 h\)"):
        check_track("closed", [*LISTED, ("synthetic", 3)], [])
    assert check_track("open", [("synthetic", 3)], []) == 3


@pytest.mark.parametrize(
    ("origin", "expected"),
    [("librispeech", "librispeech"), ("seame", "seame"), ("synthetic", "synthetic"), ("other", "mine")],
)
def test_a_corpus_is_what_its_entry_says(origin, expected):
    assert counted_as("mine", origin) == expected


def test_closed_refuses_any_pretrained_model():
    with pytest.raises(InputError, match="pretrained models are not allowed, found WavLM"):
        check_track("closed", LISTED, [WAVLM])


def test_rest_of_a_listed_corpus_is_additional():
    with pytest.raises(InputError, match=r"50.00 h .*nsc 50.00 h"):
        check_track("closed", [("nsc", 90), ("nsc", 60)], [])
    assert check_track("open", [("nsc", 150), ("other", 50)], []) == 100


def test_open_counts_up_to_100_hours():
    assert check_track("open", [*LISTED, ("talcs", 60), ("ascend", 40)], [WAVLM]) == 100
    with pytest.raises(
        InputError, match=r"open track: 100.50 h .*\(talcs 60.00 h, ascend 40.50 h\), the limit is 100 h"
    ):
        check_track("open", [*LISTED, ("talcs", 60), ("ascend", 40.5)], [])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"public": False}, "WavLM is not public"),
        ({"public": "yes"}, "WavLM is not public"),
        ({"public": None}, "WavLM is not public"),
        ({"version": ""}, "WavLM: version is missing"),
        ({"version": None}, "WavLM: version is missing"),
        ({"url": " "}, "WavLM: url is missing"),
        ({"name": ""}, "name is missing"),
        ({"licence": "MIT"}, "unknown key 'licence'"),
    ],
)
def test_open_refuses_undocumented_models(change, message):
    with pytest.raises(InputError, match=message):
        check_track("open", LISTED, [WAVLM | change])


@pytest.mark.parametrize("hours", [float("nan"), float("inf"), -1])
def test_hours_must_be_a_number(hours):
    with pytest.raises(InputError, match="expected a number from 0"):
        check_track("open", [("talcs", hours)], [])


def test_unknown_track():
    with pytest.raises(InputError, match="did you mean 'closed'"):
        check_track("close", [], [])
