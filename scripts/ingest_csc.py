"""Read a spelling-check corpus into items, and a table of the rows that can't be used."""

from collections.abc import Mapping

from sinobench.csc.corpus import read_mucgec, read_pairs_table, read_sighan
from sinobench.log import job_log
from sinobench.results import tables


def main(corpus: str, entry: dict, files: Mapping[str, str], items: str, set_aside: str) -> None:
    """Write the tables ``csc_items`` and ``set_aside`` of one corpus."""
    if entry["reader"] == "pairs":
        found = read_pairs_table(files["text"], entry["columns"], entry["delimiter"], entry["lenient"])
    elif entry["reader"] == "sighan":
        found = read_sighan(files["text"], files.get("truth"))
    else:
        found = read_mucgec(files["text"])
    tables.write("csc_items", [{"corpus": corpus, **row} for row in found.items], items)
    tables.write("set_aside", [{"task": "csc", "corpus": corpus, **row} for row in found.set_aside], set_aside)
    print(f"{corpus}: {len(found.items)} items, {len(found.set_aside)} set aside")
    if found.wrong_error_counts:
        print(f"{corpus}: the declared count of errors is wrong on lines {found.wrong_error_counts}")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        output, files = snakemake.output, dict(snakemake.input.items())
        main(snakemake.wildcards.corpus, snakemake.params.entry, files, output.item_table, output.set_aside)
