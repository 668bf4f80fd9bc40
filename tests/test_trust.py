"""How far a model is trusted: by its kind, by its entry, by the model that it uses."""

import pytest

from sinobench.errors import InputError
from sinobench.trust import with_trust

NOTHING = {"trust": None, "trust_reason": None, "trust_source": None, "catalog": "models.yaml"}
REPORTED = {"trust": "flagged", "trust_reason": "reported", "trust_source": "a report"}


def entry(kind="python", target="sinobench.x:Y", **others):
    return NOTHING | {"kind": kind, **({"class": target} if target else {})} | others


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (entry(), "bundled"),
        (entry(target="other.package:Model"), "unverified"),
        (entry(target="sinobench.py:Model"), "unverified"),
        (entry(target="models/mine.py:Model"), "unverified"),
        (entry(target="sinobenchmarks:Model"), "unverified"),
        (entry("hub"), "pinned"),
        (entry("predictions", None), "unverified"),
        (entry("chat"), "unverified"),
        (entry(trust="unverified"), "unverified"),
        (entry("hub", **REPORTED), "flagged"),
    ],
)
def test_what_goes_with_a_kind_and_what_an_entry_says(given, expected):
    assert with_trust({"m": given})["m"]["trust"] == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (entry(target="a.py:B", trust="bundled"), "trust: bundled, which goes with classes of this package"),
        (entry("hub", trust="bundled"), "expected pinned at most"),
        (entry("predictions", None, trust="pinned"), "which goes with kind hub; expected unverified at most"),
        (entry("hub", trust="flagged"), "flagged without trust_reason"),
    ],
)
def test_no_entry_claims_more_than_goes_with_it(given, message):
    with pytest.raises(InputError, match=message):
        with_trust({"m": given})


def test_a_model_is_trusted_no_more_than_the_one_that_it_uses():
    models = {
        "own": entry(),
        "theirs": entry("hub", **REPORTED),
        "window+own": entry(lid="own"),
        "window+theirs": entry(lid="theirs"),
    }
    found = with_trust(models)
    assert found["window+own"]["trust"] == "bundled"
    assert {key: found["window+theirs"][key] for key in REPORTED} == REPORTED
