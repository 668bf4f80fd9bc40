"""Confidential data where the documentation names it never reaches a commit."""

import re
import subprocess

import pytest

from tests.conftest import ROOT

NAMED = re.findall(
    r"(?:audio|labels|regions): ([^\s{}]+/[^{}\n]*?)(?:}.*)?$",
    (ROOT / "docs/merlion.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize("path", NAMED)
def test_git_ignores_the_paths_that_the_documentation_names(path):
    result = subprocess.run(["git", "-C", ROOT, "check-ignore", "-q", "--", f"{path}/file.wav"], check=False)
    assert result.returncode == 0, f"{path} is not ignored"


def test_the_bundled_sample_of_the_same_form_is_no_confidential_data():
    sample = "resources/samples/merlion/MERLIon-CCS-Challenge_Development-Set_v001/_CONFIDENTIAL/_audio/new.ogg"
    assert len(NAMED) >= 7
    assert subprocess.run(["git", "-C", ROOT, "check-ignore", "-q", sample], check=False).returncode == 1
