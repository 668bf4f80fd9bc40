"""A spelling-check corpus by its catalog entry."""

import logging
from collections.abc import Callable, Mapping

from sinobench.csc.corpus import Corpus, alone_between_blanks, blank_separated, read_pairs_table, read_sighan
from sinobench.csc.released import read_cged, read_ctc2021, read_lang8, read_mucgec, read_yaclc
from sinobench.results.tables import Growing

READERS: dict[str, Callable[..., Corpus]] = {
    "sighan": read_sighan,
    "mucgec": read_mucgec,
    "lang8": read_lang8,
    "cged": read_cged,
    "yaclc": read_yaclc,
    "ctc2021": read_ctc2021,
}
_log = logging.getLogger(__name__)


def read_corpus(
    name: str,
    entry: Mapping,
    files: Mapping[str, str],
    written: Callable[[list[dict]], None] | None = None,
    put_aside: Callable[[list[dict]], None] | None = None,
) -> Corpus:
    """The corpus of this name, from its files by part; warns of text that is cut into characters.

    written, put_aside: take the items, and what is set aside, some at a time; the corpus then keeps none of them.
    """
    counts = []

    def complete(items: list[dict]) -> None:
        counts.append(alone_between_blanks(item["input"] for item in items))
        if written:
            written(items)

    corpus = Corpus(Growing(complete) if written else [], Growing(put_aside) if put_aside else [])
    if entry["reader"] == "pairs":
        form = {key: entry[key] for key in ("columns", "delimiter", "lenient", "remove_blanks")}
        read_pairs_table(files["text"], **form, golds=files.get("gold"), corpus=corpus)
    else:
        READERS[entry["reader"]](*(files[part] for part in ("text", "truth") if part in files), corpus=corpus)
    for rows in (corpus.items, corpus.set_aside):
        if isinstance(rows, Growing):
            rows.finish()
    if not written:
        complete(corpus.items)
    if blank_separated(counts):
        _log.warning("%s: most characters stand alone between blanks; set remove_blanks to read them as text", name)
    return corpus
