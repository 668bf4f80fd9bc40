"""What the pages load: own style and script, DataTables as itables carries it, Vega as vl-convert carries it.

The two libraries are read out of the installed packages when a report is made. Browsers load no JavaScript modules from
disk, so each becomes a plain script.
"""

from __future__ import annotations

import re
import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from sinobench.errors import InputError

OWN = Path(__file__).parent / "assets/"
FOLDER = "assets"


def write(folder: Path) -> None:
    """Write all of it into the report's folder ``assets``. Raises InputError where itables is not installed."""
    target = folder / FOLDER
    target.mkdir(parents=True, exist_ok=True)
    for file in sorted(OWN.iterdir()):
        shutil.copyfile(file, target / file.name)
    (target / "tables.js").write_text(_tables_script(), encoding="utf-8")
    (target / "tables.css").write_text(_bundle("dt_bundle.css"), encoding="utf-8")
    (target / "charts.js").write_text(_charts_script(), encoding="utf-8")


def _bundle(name: str) -> str:
    # Found without being imported, which loads pandas.
    package = find_spec("itables")
    if not package:
        raise InputError("the package itables is not installed; pip install --requirement envs/requirements.txt")
    return Path(package.origin).with_name("html").joinpath(name).read_text(encoding="utf-8")


def _tables_script() -> str:
    """DataTables' bundle with its exports as properties of ``sinobench_tables``."""
    script = _bundle("dt_bundle.js")
    exports = re.findall(r"\bexport\{([^}]*)\};?", script)
    if len(exports) != 1:
        raise InputError("exports something else than this version of sinobench knows", "itables/html/dt_bundle.js")
    pairs = (item.split(" as ") for item in exports[0].split(","))
    names = ",".join(f'"{shown}":{own}' for own, shown in pairs)
    body = re.sub(r"\bexport\{[^}]*\};?", lambda _: f"window.sinobench_tables={{{names}}};", script)
    return f'(()=>{{"use strict";{body}\n}})();\n'


@cache
def _charts_script() -> str:
    import vl_convert

    return f"(()=>{{{vl_convert.javascript_bundle('window.vegaEmbed = vegaEmbed;')}\n}})();\n"
