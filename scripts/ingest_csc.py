"""Read a spelling-check corpus into items, and a table of the rows that can't be used."""

import logging
from collections.abc import Mapping

from sinobench.csc.corpus import blank_separated, read_pairs_table, read_sighan
from sinobench.csc.released import read_cged, read_ctc2021, read_lang8, read_mucgec, read_yaclc
from sinobench.csc.tables import INPUTS, ITEMS
from sinobench.failures import job
from sinobench.results import tables

READERS = {
    "sighan": read_sighan,
    "mucgec": read_mucgec,
    "lang8": read_lang8,
    "cged": read_cged,
    "yaclc": read_yaclc,
    "ctc2021": read_ctc2021,
}

log = logging.getLogger(__name__)


def main(corpus: str, entry: dict, files: Mapping[str, str], items: str, inputs: str, set_aside: str) -> None:
    """Write the tables ``csc_items``, ``csc_inputs`` and ``set_aside`` of one corpus."""
    if entry["reader"] == "pairs":
        form = {key: entry[key] for key in ("columns", "delimiter", "lenient", "remove_blanks")}
        found = read_pairs_table(files["text"], **form, golds=files.get("gold"))
    else:
        found = READERS[entry["reader"]](*(files[part] for part in ("text", "truth") if part in files))
    rows = [{"corpus": corpus, **row} for row in found.items]
    tables.write(ITEMS, rows, items)
    tables.write(INPUTS, tables.part(INPUTS, rows), inputs)
    tables.write(tables.SET_ASIDE, [{"task": "csc", "corpus": corpus, **row} for row in found.set_aside], set_aside)
    print(f"{corpus}: {len(found.items)} items, {len(found.set_aside)} set aside")
    if blank_separated(item["input"] for item in found.items):
        log.warning("%s: most characters stand alone between blanks; set remove_blanks to read them as text", corpus)
    if found.wrong_error_counts:
        print(f"{corpus}: the declared count of errors is wrong on lines {found.wrong_error_counts}")


if __name__ == "__main__":
    with job(snakemake):
        output, files = snakemake.output, dict(snakemake.input.items())
        written = (output.item_table, output.inputs, output.set_aside)
        main(snakemake.wildcards.corpus, snakemake.params.entry, files, *written)
