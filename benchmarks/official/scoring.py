"""The module that compute_eer_bac.py of MERLIon CCS's baseline imports, and its repository lacks.

A line of a trial file says of a segment and a language whether the language is the segment's.
"""


def get_trials(valid: str, n_languages: int, trial: str) -> None:
    """Write the trials of the segments in ``valid``, lines of id and language: all with language 0, then with 1."""
    with open(valid, encoding="utf-8") as file:
        segments = [line.split() for line in file]
    with open(trial, "w", encoding="utf-8") as file:
        for language in map(str, range(n_languages)):
            file.writelines(
                f"{name} {language} {'target' if own == language else 'nontarget'}\n" for name, own in segments
            )
