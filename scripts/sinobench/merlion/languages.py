"""The languages of the challenge, and which segments Task 1 scores."""

LANGUAGES = ("English", "Mandarin", "NON_SPEECH", "NON_EVALUATED")
TARGETS = LANGUAGES[:2]


def is_trial(language: str | None, overlap_diff_lang: bool | None) -> bool:
    """Whether a labelled segment is a trial of Task 1: of a target language, and no other language overlaps it.

    Source: plan, "Evaluation metrics", Task 1.
    """
    return language in TARGETS and not overlap_diff_lang
