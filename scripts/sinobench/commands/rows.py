"""Rows of a database for other programs."""

import csv
import io
import json
import sys
from collections.abc import Iterable, Mapping


def as_json(rows: Iterable[Mapping]) -> str:
    """A list of objects."""
    return json.dumps(list(rows), ensure_ascii=sys.stdout.encoding.lower() != "utf-8", indent=1)


def as_csv(rows: Iterable[Mapping]) -> str:
    """Lines with a header; the parts of a list stand between slashes."""
    rows = list(rows)
    lines = io.StringIO()
    writer = csv.DictWriter(lines, list(dict.fromkeys(name for row in rows for name in row)), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: "/".join(map(str, v)) if isinstance(v, list) else v for k, v in row.items()})
    return lines.getvalue().rstrip("\n")
