import argparse
import json
import logging

import pytest

from sinobench.errors import InputError
from sinobench.ld.command import add_arguments, run
from sinobench.ld.rttm import write_rttm, write_uem
from sinobench.ld.turns import named_turns, read_turns
from sinobench.merlion.annotation.tables import read_regions

CASES = ("clean", "jittered", "overlapping", "unsorted", "missing_and_empty", "everything")


def call(*arguments):
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_arguments(parser)
    return run(parser.parse_args([str(argument) for argument in arguments]))


@pytest.fixture
def corpus(tmp_path):
    """corpus(reference, predictions, regions): the options for folders of {recording: text} and a CSV of regions."""

    def corpus(reference, predictions, regions="a,0,100\n"):
        for side, files in (("ref", reference), ("pred", predictions)):
            (tmp_path / side).mkdir()
            for name, text in files.items():
                (tmp_path / side / f"{name}.txt").write_text(text)
        (tmp_path / "regions.csv").write_text(regions)
        places = {"--reference": "ref", "--predictions": "pred", "--regions": "regions.csv"}
        return [word for option, place in places.items() for word in (option, tmp_path / place)]

    return corpus


def options_of(folder):
    return (
        "--reference",
        folder / "ref",
        "--predictions",
        folder / "pred",
        "--regions",
        folder / "evaluated_regions.xlsx",
    )


@pytest.mark.parametrize("case", CASES)
def test_json_of_every_vector(vectors, case):
    folder = vectors / "ld" / case
    found = json.loads(call(*options_of(folder), "--format", "json"))
    expected = json.loads((folder / "expected.json").read_text())
    official = {name.replace("pooled_error_rate", "lder"): value for name, value in expected["official"].items()}
    rows = official.pop("per_recording")
    for protocol, wanted in (("official", official), ("strict", expected["plan"])):
        assert {name: found[protocol][name] for name in wanted} == wanted
    assert found["official_print"]["Total English LDER"] == official["english_error_rate"]
    columns = [f"official_{language}_{what}_ms" for language in ("english", "mandarin") for what in ("error", "time")]
    assert {f"{row['recording']}.txt": [row[name] for name in columns] for row in found["recordings"]} == rows
    assert bool(found["notes"]) == (case in ("unsorted", "missing_and_empty"))


@pytest.mark.parametrize("case", ["overlapping", "everything"])
def test_rttm_and_uem_give_the_same_scores(vectors, tmp_path, case):
    folder = vectors / "ld" / case
    for side in ("ref", "pred"):
        write_rttm(named_turns(read_turns(folder / side)), tmp_path / f"{side}.rttm")
    write_uem(read_regions(folder / "evaluated_regions.xlsx"), tmp_path / "regions.uem")
    options = ("--reference", tmp_path / "ref.rttm", "--predictions", tmp_path / "pred.rttm", "--format", "json")
    found = json.loads(call(*options, "--regions", tmp_path / "regions.uem"))
    wanted = json.loads(call(*options_of(folder), "--format", "json"))
    assert found.pop("signatures") != wanted.pop("signatures") and found == wanted


def test_what_the_published_script_would_do_is_said(vectors):
    text = call(*options_of(vectors / "ld" / "missing_and_empty"))
    assert "1 recording has no prediction; all of their speech is missed, where the published script skips" in text
    assert (
        "1 recording has an empty prediction; all of their speech is missed, where the published script stops" in text
    )
    assert "TTS_P10000TT" in text and "0.601667" in text and "0.629648" in text
    text = call(*options_of(vectors / "ld" / "unsorted"))
    for side in ("reference", "predicted"):
        assert f"3 recordings have unsorted {side} turns, sorted here" in text


def test_redactions_and_non_evaluated_speech_are_left_out_of_strict_alone(corpus, write):
    reference = "0 50 English\n40 60 NON_EVALUATED\n60 100 Mandarin\n"
    options = [*corpus({"a": reference}, {"a": "0 100 English\n"}), "--format", "json"]
    found = json.loads(call(*options))
    assert found["strict"]["scored_ms"] == 80 and found["strict"]["reference_ms"] == 80
    redactions = write("audio_name,start,end,label\na.wav,55,70,BABYNAME\n", "redactions.csv")
    redacted = json.loads(call(*options, "--redactions", redactions))
    assert redacted["strict"]["scored_ms"] == 70 and redacted["strict"]["confusion_ms"] == 30
    assert redacted["official"] == found["official"]
    other = write("audio_name,start,end,label\nb.wav,55,70,BABYNAME\n", "other.csv")
    with pytest.raises(InputError, match="line 2: 'b' is no recording of the reference"):
        call(*options, "--redactions", other)


def test_strict_regions_give_both_protocols_in_one_call(corpus, write):
    options = [*corpus({"a": "0 50 English\n60 100 Mandarin\n"}, {"a": "0 100 English\n"}), "--format", "json"]
    found = json.loads(call(*options, "--strict-regions", write("a 1 0 0.055\na 1 0.07 0.09\n", "strict.uem")))
    assert found["strict"]["scored_ms"] == 75 and found["strict"]["confusion_ms"] == 20
    assert found["official"] == json.loads(call(*options))["official"]
    assert not any("whole" in note for note in found["notes"])


def test_labels_as_released_are_a_reference(corpus, write):
    rows = ("a.wav,a1,0,50,English,False", "a.wav,a2,40,60,Non-Evaluated-Speech,False", "b.wav,a1,0,9,NON_SPEECH,False")
    header = "audio_name,utt_id,start,end,language_tag,overlap_diff_lang"
    labels = write("\n".join([header, *rows]) + "\n", "labels.csv")
    options = [*corpus({}, {"a": "0 50 English\n", "c": "3 9 English\n"}, "a,0,100\nb,0,100\nc,0,10\n")]
    found = json.loads(call(*options[2:], "--reference", labels, "--format", "json"))
    assert found["strict"]["scored_ms"] == 80 + 100 + 10 and found["strict"]["english_ms"] == 40
    assert found["strict"]["false_alarm_ms"] == 6  # in the recording that only the regions name
    assert [(row["recording"], row["prediction"]) for row in found["recordings"]] == [
        ("a", "given"),
        ("b", "missing"),
        ("c", "given"),
    ]


def test_collar(corpus):
    options = corpus({"a": "20 50 English\n"}, {"a": "22 45 English\n"})
    found = json.loads(call(*options, "--format", "json", "--collar-ms", "5"))
    assert found["strict"]["scored_ms"] == 80 and found["strict"]["miss_ms"] == 0
    assert found["official"]["english_error_ms"] == 7
    assert found["notes"][-1] == "strict leaves out 5 ms on both sides of each bound of a reference turn"
    for wrong in ("-1", "0.5", "nan", "9999999"):
        with pytest.raises(argparse.ArgumentError, match="no whole number of ms"):
            call(*options, f"--collar-ms={wrong}")


def test_a_language_that_is_not_spoken_is_undefined_with_a_warning(corpus, caplog):
    options = corpus({"a": "20 50 English\n"}, {"a": "20 50 English\n"})
    with caplog.at_level(logging.WARNING):
        found = json.loads(call(*options, "--format", "json"))
    assert found["official"]["mandarin_error_rate"] is found["strict"]["mandarin_error_rate"] is None
    assert found["strict"]["lder"] == 0 and found["switches"]["switch_f1"] is None
    assert "strict mandarin_error_rate is undefined" in caplog.text
    assert len(found["notes"]) == 3 and found["notes"][0] in caplog.text
    assert found["notes"][2].startswith("strict scores the evaluated regions whole")
    (row,) = [line.split() for line in call(*options).splitlines() if line.startswith("mandarin_error_rate")]
    assert row[1:] == ["-", "-"]


def test_a_reference_without_speech_is_scored_and_named(corpus):
    options = corpus({"a": "", "b": "0 9 English"}, {"a": "5 10 English\n"}, "a,0,100\nb,0,100\n")
    found = json.loads(call(*options, "--format", "json"))
    assert found["strict"]["false_alarm_ms"] == 5 and found["strict"]["miss_ms"] == 9
    assert any("no English or Mandarin turn in the reference" in note and ": a" in note for note in found["notes"])


def test_turns_in_seconds_are_refused(corpus):
    turns = [(1.17, 2.75, "English"), (60, 61.4, "Mandarin"), (178.25, 181.5, "English")]
    seconds, milliseconds = ("".join(f"{a * k} {b * k} {x}\n" for a, b, x in turns) for k in (1, 1000))
    options = corpus({"a": milliseconds}, {"a": seconds}, "a,0,190000\n")
    for _ in range(2):  # in the predictions, then in the reference
        with pytest.raises(InputError, match=r"pred: the last turn of '.' ends at 182 ms of .*seconds"):
            call(*options)
        options[1], options[3] = options[3], options[1]


@pytest.mark.parametrize(
    ("reference", "predictions", "regions", "message"),
    [
        ({"a": ""}, {"b": ""}, "a,0,9\n", "pred: has 'b', which the reference does not have"),
        ({"a": ""}, {}, "b,0,9\n", "line 1: 'b' is no recording of the reference"),
        ({"a": "", "b": ""}, {}, "a,0,9\n", "has no region for 'b'"),
        ({"a": "9 1 English"}, {}, "a,0,9\n", "end 1 is before start 9"),
        ({}, {}, "a,0,9\n", "ref: holds no recording"),
    ],
)
def test_wrong_input(corpus, reference, predictions, regions, message):
    with pytest.raises(InputError, match=message):
        call(*corpus(reference, predictions, regions))
