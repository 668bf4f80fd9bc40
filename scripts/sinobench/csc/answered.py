"""From what a chat model says to the corrected text: frames come off, another length is aligned if one way is best."""

import re
from collections.abc import Iterator

_THOUGHT = re.compile(r"\s*<think>.*?(</think>|\Z)", re.DOTALL)
_FENCED = re.compile(r"```[^\n`]*\n(.*?)\n?```", re.DOTALL)
_FRAMES = ("“”", "‘’", '""', "''", "「」", "『』", "《》", "``", ("**", "**"))
MOST_DIFFERENT = 0.25  # of the characters compared


def corrected(text: str, answer: str) -> tuple[str, bool | None]:
    """The corrected text, and whether the answer had its length (None), was aligned (True), or could not be (False).

    Of the forms that `_forms` names the first with the text's length is taken as it is; without one, the first form is
    aligned. What can't be aligned leaves the text as it is. An empty answer is for the caller.
    """
    forms = list(_forms(text, answer))
    for form in forms:
        if len(form) == len(text):
            return form, None
    aligned = align(text, forms[0])
    return (text, False) if aligned is None else (aligned, True)


def bare(answer: str) -> str:
    """The answer without the thoughts before it and the blanks around it; "" where it has nothing else."""
    return _THOUGHT.sub("", answer, count=1).strip() if answer.lstrip().startswith("<think>") else answer.strip()


def align(text: str, answer: str) -> str | None:
    """The answer brought to the text's length, where exactly one outcome is best; None elsewhere.

    One run of characters, as long as the lengths differ, is dropped from a longer answer, or put back from the text
    into a shorter one. The best places are those that leave the fewest characters different from the text, at most a
    quarter of those compared; all of them have to give the same outcome.
    """
    run = abs(len(answer) - len(text))
    longer, shorter = (answer, text) if len(answer) > len(text) else (text, answer)
    # Differences before each place, and from each place on where the run has been left out.
    before, after = [0], [0]
    for i, character in enumerate(shorter):
        before.append(before[-1] + (character != longer[i]))
    for i in range(len(shorter) - 1, -1, -1):
        after.append(after[-1] + (shorter[i] != longer[i + run]))
    after.reverse()
    different = [before[i] + after[i] for i in range(len(shorter) + 1)]
    fewest = min(different)
    if not shorter or fewest > MOST_DIFFERENT * len(shorter):
        return None
    places = [i for i, n in enumerate(different) if n == fewest]
    if len(answer) > len(text):
        outcomes = {answer[:i] + answer[i + run :] for i in places}
    else:
        outcomes = {answer[:i] + text[i : i + run] + answer[i:] for i in places}
    return outcomes.pop() if len(outcomes) == 1 else None


def _forms(text: str, answer: str) -> Iterator[str]:
    """What in an answer may be the corrected text, likeliest first.

    The answer without thoughts, a fence of code around it, and one pair of quotes or emphasis that the text itself does
    not stand in; where it has several lines, its only line of the text's length; and what follows its first colon. The
    blanks at the ends are those of the text.
    """
    start = re.match(r"\s*", text)[0]
    end = re.search(r"\s*\Z", text[len(start) :])[0]
    whole = bare(answer)
    if fenced := _FENCED.fullmatch(whole):
        whole = fenced[1].strip()
    framed = [f"{start}{form}{end}" for form in _unframed(text, whole)]
    yield framed[-1]
    yield from framed[:-1]
    if len(lines := whole.splitlines()) > 1 and not len(text.splitlines()) > 1:
        found = [f"{start}{form}{end}" for line in lines for form in _unframed(text, line.strip())]
        if len(fitting := {form for form in found if len(form) == len(text)}) == 1:
            yield fitting.pop()
    if colon := re.match(r"[^:：]{0,40}[:：]\s*", whole):
        yield from (f"{start}{form}{end}" for form in _unframed(text, whole[colon.end() :].strip()))


def _unframed(text: str, answer: str) -> Iterator[str]:
    """The answer, and the answer without the pair that it stands in."""
    yield answer
    for opening, closing in _FRAMES:
        inside = answer[len(opening) : -len(closing)]
        framed = answer.startswith(opening) and answer.endswith(closing) and len(answer) > len(opening + closing)
        if framed and not (text.strip().startswith(opening) and text.strip().endswith(closing)):
            yield inside
            return
