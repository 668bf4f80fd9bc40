"""A spelling-check corpus by its catalog entry."""

import logging
from collections.abc import Callable, Mapping

from sinobench.csc.corpus import Corpus, blank_separated, read_pairs_table, read_sighan
from sinobench.csc.released import read_cged, read_ctc2021, read_lang8, read_mucgec, read_yaclc

READERS: dict[str, Callable[..., Corpus]] = {
    "sighan": read_sighan,
    "mucgec": read_mucgec,
    "lang8": read_lang8,
    "cged": read_cged,
    "yaclc": read_yaclc,
    "ctc2021": read_ctc2021,
}
_log = logging.getLogger(__name__)


def read_corpus(name: str, entry: Mapping, files: Mapping[str, str]) -> Corpus:
    """The corpus of this name, from its files by part; warns of text that is cut into characters."""
    if entry["reader"] == "pairs":
        form = {key: entry[key] for key in ("columns", "delimiter", "lenient", "remove_blanks")}
        corpus = read_pairs_table(files["text"], **form, golds=files.get("gold"))
    else:
        corpus = READERS[entry["reader"]](*(files[part] for part in ("text", "truth") if part in files))
    if blank_separated(item["input"] for item in corpus.items):
        _log.warning("%s: most characters stand alone between blanks; set remove_blanks to read them as text", name)
    return corpus
