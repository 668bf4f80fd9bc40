"""docs/tables.md says what the database says."""

import re
from pathlib import Path

from sinobench import tables_docs
from sinobench.results import registry

DOCUMENT = Path(__file__).parents[1] / "docs/tables.md"


def test_the_data_dictionary_is_written_from_the_comments():
    """Where it is to differ: ``make table-docs``."""
    assert DOCUMENT.read_text(encoding="utf-8") == tables_docs.render()


def test_it_has_every_table_view_and_metric():
    text = DOCUMENT.read_text(encoding="utf-8")
    comments = registry.comments()
    assert all(text.count(f"### `{name}`\n") == 1 for name in comments.relations)
    assert all(f"| `{row['metric']}` | {row['task']} | {row['protocol']} |" in text for row in comments.metric_rows())


def test_the_questions_are_over_all_tasks():
    document = (DOCUMENT.parent / "queries.md").read_text(encoding="utf-8")
    questions = re.findall(r"^(\d+)\. .*\?\n\n +```sql\n((?: +.*\n)+?) +```$", document, re.MULTILINE)
    assert [int(number) for number, _ in questions] == list(range(1, len(questions) + 1))
    asked = " ".join(statement for _, statement in questions)
    assert all(task in asked for task in registry.BOARDS)
