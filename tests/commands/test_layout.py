"""Tables of the commands: what stands in a cell stays in it."""

from sinobench.commands.layout import Layout, render

TABLE = Layout("A & B", ("system", "F1"), [("甲_一|x", "-1.50"), ("a\tb\\", "12.25")], frozenset({"F1"}))


def test_text_is_aligned_by_the_columns_of_a_terminal():
    assert render([TABLE], "table").splitlines() == ["A & B", "system      F1", "甲_一|x  -1.50", r"a\tb\    12.25"]


def test_markdown_cells_do_not_end_early():
    assert render([TABLE], "markdown").splitlines()[2:] == [
        "| system | F1 |",
        "| --- | ---: |",
        r"| 甲\_一\|x | -1.50 |",
        r"| a\\tb\\ | 12.25 |",
    ]


def test_latex_needs_no_package_and_escapes():
    lines = render([TABLE, TABLE], "latex").split("\n\n")[1].splitlines()
    assert lines[1:5] == [r"\begin{tabular}{lr}", r"\hline", r"system & F1 \\", r"\hline"]
    assert lines[5] == r"甲\_一\textbar{}x & $-$1.50 \\" and lines[-1] == r"\end{tabular}"
    assert r"a\textbackslash{}tb\textbackslash{} & 12.25 \\" in lines
