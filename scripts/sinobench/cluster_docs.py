"""Write the table of docs/cluster.md from the rules: ``python -m sinobench.cluster_docs RULES FILE``."""

import re
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

HEADING = "\n## What each rule asks for\n"
_HEAD = "| rule | where | threads | memory in MB | run time in min | GPUs | tries |\n|---|---|---|---|---|---|---|"
_RULE = re.compile(r"^ *(?:use rule (?P<base>\w+) as (?P<used>\w+) with|rule (?P<name>\w+)):$", re.MULTILINE)
_SIZED = re.compile(r"(?P<kind>\w+)\((?P<base>\d+)(?:, (?P<per_mb>[\d.]+))?(?P<names>(?:, \"\w+\")*)\)")
_KEYS = {"memory_of": "memory_mb", "time_of": "time_min", "fit_time_of": "fit_time_min"}
_THREADS = {"": "1", "threads_at_hand": "`threads`", "every_core": "`threads`"}


def rules_in(folder: Path) -> dict[str, dict[str, str]]:
    """What the rules of a folder, and of those below it, say of where and with what they run, by rule.

    A rule without a script makes nothing and is left out. Raises ValueError for a resource that is written in another
    way than the others.
    """
    found: dict[str, dict[str, str]] = {}
    for path in sorted(folder.rglob("*.smk")):
        text = path.read_text(encoding="utf-8")
        for start in _RULE.finditer(text):
            body = text[start.end() + 1 :].partition("\n\n\n")[0] + "\n"
            body = textwrap.indent(textwrap.dedent(body), " " * 4)  # some stand below an `if`
            if start["used"]:
                found[start["used"]] = found[start["base"]] | {
                    key: value for key, value in _said(body).items() if value
                }
            elif "    script:\n" in body:
                found[start["name"]] = _said(body)
    return found


def table(folder: Path) -> str:
    """The rules of a folder as a Markdown table, by name."""
    rows = [_row(name, said) for name, said in sorted(rules_in(folder).items())]
    return "\n".join([_HEAD, *rows]) + "\n"


def written(document: str, folder: Path) -> str:
    """The document with its table made anew; the table is what follows the words below its last heading."""
    before, heading, after = document.partition(HEADING)
    words = after.partition("\n| rule |")[0]
    return f"{before}{heading}{words.rstrip()}\n\n{table(folder)}"


def _said(body: str) -> dict[str, str]:
    patterns = {
        "local": r"^    localrule: (True)$",
        "group": r"^    group:\n        \"([\w-]+)\"$",
        "threads": r"^    threads: (\w+)$",
        "retries": r"^    retries: (\d+)$",
        **{key: rf"^        {key}=(.+),$" for key in ("mem_mb", "runtime", "gpu")},
    }
    matches = {key: re.search(pattern, body, re.MULTILINE) for key, pattern in patterns.items()}
    return {key: match[1] if match else "" for key, match in matches.items()}


def _row(name: str, said: Mapping[str, str]) -> str:
    if said["local"]:
        cells = ["local", *[""] * 4]
    else:
        where = f"group `{said['group']}`" if said["group"] else "job"
        gpus = "`gpus`" if said["gpu"] else ""
        cells = [where, _THREADS[said["threads"]], _words(name, said["mem_mb"]), _words(name, said["runtime"]), gpus]
    return f"| `{name}` | {' | '.join(cells)} | {'1' if said['retries'] == '0' else '3'} |"


def _words(rule: str, written: str) -> str:
    found = _SIZED.fullmatch(written)
    if not found:
        raise ValueError(f"rule {rule} asks for '{written}': expected one of the functions of rules/lookups/limits.smk")
    names = re.findall(r"\w+", found["names"])
    of = f" of {', '.join(f'`{name}`' for name in names)}" if names else ""
    amount = f"{found['base']} + {found['per_mb']} a MB{of}" if found["per_mb"] else found["base"]
    return f"`{_KEYS[found['kind']]}`, or {amount}" if found["kind"] in _KEYS else amount


def main(rules: str, document: str) -> None:
    path = Path(document)
    path.write_text(written(path.read_text(encoding="utf-8"), Path(rules)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
