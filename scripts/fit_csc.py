"""Fit a spelling-check model on the training corpora, less every pair whose gold stands in a scored corpus."""

from sinobench.csc.training import training_pairs_without_leaks
from sinobench.errors import InputError
from sinobench.failures import job, parted
from sinobench.models import guarded, load_class
from sinobench.results import tables


def main(
    model: str,
    entry: dict,
    seed: int,
    training: list[str],
    set_aside: list[str],
    scored: list[str],
    fitted: str,
    sets: str,
) -> None:
    """Write the fitted model, and the table ``training_sets`` that says on what it was fitted."""
    golds = {gold for path in scored for options in tables.read(path)["golds"].to_pylist() for gold in options}
    pairs, rows = [], []
    for path, aside in zip(training, set_aside, strict=True):
        table = tables.read(path).to_pydict()
        corpus_pairs = [(source, gold[0]) for source, gold in zip(table["input"], table["golds"], strict=True)]
        kept, removed = training_pairs_without_leaks(corpus_pairs, golds)
        pairs += kept
        counts = {"n_pairs": len(kept), "n_removed_scored": removed, "n_set_aside": tables.read(aside).num_rows}
        rows.append({"task": "csc", "model": model, "corpus": table["corpus"][0], **counts})
    if not pairs:
        raise InputError(f"model '{model}' is to be fitted, but no training pair is left; name corpora in csc.training")
    cls = load_class(entry["class"])
    instance = guarded(model, "being made", lambda: cls(**entry["options"]))
    guarded(model, "being fitted", lambda: instance.fit(pairs, seed))
    guarded(model, "being saved", lambda: instance.save(fitted))
    tables.write(tables.TRAINING_SETS, rows, sets)
    print(f"{model}: fitted on {len(pairs)} pairs, {sum(row['n_removed_scored'] for row in rows)} removed as scored")


if __name__ == "__main__":
    with job(snakemake, guarded=True, despite=["scored"]):
        input, output, params = snakemake.input, snakemake.output, snakemake.params
        files = (
            list(input.training),
            list(input.set_aside),
            parted(input.scored)[0],
            output.fitted,
            output.training_sets,
        )
        main(snakemake.wildcards.model, params.entry, params.seed, *files)
