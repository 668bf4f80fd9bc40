"""How the run was made: version, commit, config, packages, machine, and how long each rule took."""

from __future__ import annotations

from sinobench.report.material import Column, Material, Page, Section, Table


def pages(material: Material) -> list[Page]:
    """One page."""
    info = material.ask("run_info")
    run = Table(
        "The run",
        info,
        [
            Column("version", "sinobench"),
            Column("commit", "Commit", "code"),
            Column("configs", "Config files", "list"),
            Column("built_at", "Database made", "time"),
            Column("python", "Python"),
            Column("system", "System"),
            Column("n_cores", "Cores", "count"),
            Column("memory_mb", "Memory, MB", "count"),
        ],
        "The database does not say how it was made.",
    )
    machines = Table(
        "Machines and packages of the models",
        material.ask("packages"),
        [
            Column("task", "Task", "task"),
            Column("models", "Models", "list"),
            Column("host", "Machine"),
            Column("threads", "Threads", "count"),
            Column("versions", "Versions", "long"),
        ],
        "No model has run.",
    )
    packages = Table(
        "Packages of the environment",
        material.ask("environment"),
        [Column("package", "Package"), Column("version", "Version", "code")],
        "The database does not name them.",
    )
    times = Table(
        "Time of each rule",
        material.ask("job_times", files=material.measured),
        [
            Column("rule", "Rule"),
            Column("jobs", "Jobs", "count"),
            Column("total_s", "All jobs, s", "number"),
            Column("longest_s", "The longest, s", "number"),
            Column("most_memory_mb", "Most memory, MB", "count"),
        ],
        "No rule of this run was measured.",
    )
    sections = [
        Section("run", "Version and machine", blocks=[run, machines]),
        Section(
            "times", "Time", ("Of rules that are measured; what an earlier run made is counted with it.",), [times]
        ),
        Section("config", "Config", template="config.html", values={"config": [row["config"] for row in info.rows]}),
        Section("packages", "Packages", blocks=[packages]),
    ]
    lead = "What it takes to make these figures again."
    return [Page("run.html", "How the run was made", lead, sections, menu="The run")]
