"""`snakemake speed` measures models one at a time; a run takes what it has measured, and measures nothing itself."""

import re

import duckdb

from tests.project import snakemake

MEASURED = "results/speed/g2p/sample-words/tojyutping.parquet"


def planned(folder, target):
    result = snakemake(folder, "-n", target, "--quiet", "progress")
    assert result.returncode == 0, result.stderr
    return re.findall(r"^ *(?:local)?rule (\w+):\n((?: +\w+: .*\n)+)", result.stdout, re.MULTILINE)


def test_speeds_are_measured_alone_and_taken_as_they_are(finished):
    jobs = planned(finished, "speed")
    assert {rule for rule, _ in jobs} == {"measure_g2p", "measure_csc", "measure_lid", "measure_ld", "speed"}
    assert all("    threads: 2\n" in text for rule, text in jobs if rule != "speed")
    assert not any("predictions-from-file" in text for _, text in jobs)

    done = snakemake(finished, MEASURED)
    assert done.returncode == 0, done.stderr
    rules = [rule for rule, _ in planned(finished, "all")]
    assert {"build_database", "build_report"} <= set(rules) and not [rule for rule in rules if "measure" in rule]
    assert snakemake(finished, "database").returncode == 0
    assert planned(finished, "database") == []
    with duckdb.connect(finished / "results/sinobench.duckdb", read_only=True) as connection:
        found = connection.execute("SELECT task, corpus, model, n_repeats, threads FROM speed").fetchall()
        assert found == [("g2p", "sample-words", "tojyutping", 5, 1)]

    with (finished / "scripts/sinobench/g2p/models/tojyutping.py").open("a", encoding="utf-8") as model:
        model.write("\nADDED = 1\n")
    assert "measure_g2p" not in {rule for rule, _ in planned(finished, "all")}
    assert sum(rule == "measure_g2p" for rule, _ in planned(finished, MEASURED)) == 1
