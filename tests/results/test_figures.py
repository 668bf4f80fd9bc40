import json
import logging
import re

import duckdb
import pytest

from sinobench.results import database, drawing, figures
from sinobench.results.runtime import place_labels

POOLS = {"small": ["words", "verse"]}
PICTURES = {
    "g2p": figures.g2p_leaderboard,
    "runtime": lambda connection, names: figures.g2p_runtime(connection, POOLS, names),
    "csc": figures.csc_leaderboard,
}


def metric_rows(task, corpus, model, values, subset="all"):
    key = {"task": task, "corpus": corpus, "model": model, "subset": subset, "n": 20, "coverage": 0.9999}
    return [
        key | {"protocol": protocol, "metric": metric, "value": value}
        for protocol in ("strict", "official")
        for metric, value in values.items()
    ]


def g2p_rows(title):
    found = {"corpora": [], "models": [], "metrics": [], "runs": [], "published": []}
    for model, name in (("first", title), ("second", "Second"), ("file", "From a file")):
        found["models"].append({"task": "g2p", "model": model, "title": name})
    for corpus in ("words", "verse"):
        found["corpora"].append({"task": "g2p", "corpus": corpus, "title": f"The {corpus}", "role": "scored"})
    for corpus in ("words", "verse", "pooled-small"):
        for place, model in enumerate(("first", "second", "file")):
            values = {"accuracy": 0.9 - place / 10, "per": 0.03 + place / 100}
            found["metrics"] += metric_rows("g2p", corpus, model, values)
            found["metrics"] += metric_rows("g2p", corpus, model, values, "register=classical")
            if corpus != "pooled-small" and model != "file":
                run = {"task": "g2p", "corpus": corpus, "model": model, "load_s": 0.5, "predict_s": 2.0, "n_texts": 100}
                found["runs"].append(run | {"items_per_s": 50.0, "threads": 1})
    for corpus in ("pooled-small", "pooled-other"):
        for metric, value in (("accuracy", 0.95), ("per", 0.01)):
            row = {"task": "g2p", "corpus": corpus, "model": "Second (published)", "protocol": "official"}
            found["published"].append(row | {"metric": metric, "value": value})
    return found


def csc_rows():
    """Only a model that changes nothing: no precision, no F1."""
    nothing = {"correction_recall": 0.0, "sentence_fpr": 0.0, "correction_precision": None}
    return {
        "corpora": [{"task": "csc", "corpus": "pairs", "title": "Pairs", "role": "scored"}],
        "models": [{"task": "csc", "model": "do-nothing", "title": "Do nothing"}],
        "metrics": metric_rows("csc", "pairs", "do-nothing", nothing),
    }


@pytest.fixture
def connect(tmp_path):
    def opened(*parts):
        rows = {}
        for part in parts:
            for table, added in part.items():
                rows.setdefault(table, []).extend(added)
        database.build({}, rows, tmp_path / "test.duckdb")
        return duckdb.connect(tmp_path / "test.duckdb", read_only=True)

    return opened


def drawn(chart):
    return json.dumps(chart.to_dict(), ensure_ascii=False)


@pytest.mark.parametrize("picture", PICTURES)
def test_same_database_gives_the_same_bytes(connect, tmp_path, picture):
    with connect(g2p_rows("First"), csc_rows()) as connection:
        for attempt in "ab":
            names = figures.read_names(connection, None)
            chart = PICTURES[picture](connection, names)
            figures.save(chart, tmp_path / f"{attempt}.png", tmp_path / f"{attempt}.svg")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_leaderboard_names_registers_pools_published_rows_and_gaps(connect):
    with connect(g2p_rows("First")) as connection:
        text = drawn(figures.g2p_leaderboard(connection, figures.read_names(connection, None)))
    assert "Pooled (small)" in text and "register classical, 20 labelled characters" in text
    assert "Second, published" in text and "published (official protocol)" in text
    assert "First (99.9 % covered)" in text
    assert '"90.0"' in text and '"3.00"' in text
    assert "other" not in text, "a published row of a corpus that was not run is no panel"


def test_run_time_of_a_pool_is_that_of_all_its_texts_and_a_file_has_none(connect):
    with connect(g2p_rows("First")) as connection:
        text = drawn(PICTURES["runtime"](connection, figures.read_names(connection, None)))
    titles = ["Pooled (small)", "The words", "The verse", "Load time (median of the jobs)"]
    assert sorted(titles, key=text.index) == titles
    assert set(re.findall(r'"speed": ([0-9.]+)', text)) == {"50.0"}
    assert "From a file" not in text


def test_a_pool_without_a_run_time_of_each_corpus_has_no_panel(connect):
    rows = g2p_rows("First")
    rows["runs"] = [run for run in rows["runs"] if run["corpus"] == "words"]
    with connect(rows) as connection:
        text = drawn(PICTURES["runtime"](connection, figures.read_names(connection, None)))
    assert "The words" in text and "Pooled" not in text and "The verse" not in text


def test_a_model_has_one_colour_and_published_rows_share_it(connect):
    with connect(g2p_rows("First"), csc_rows()) as connection:
        names = figures.read_names(connection, None)
        assert names.colour("second") == names.colour("Second (published)") != names.colour("first")
        assert names.colour("Nobody (published)") not in names.colours.values()
        for picture in ("g2p", "runtime"):
            assert names.colour("first") in drawn(PICTURES[picture](connection, names))


def test_null_values_are_a_dash(connect, tmp_path):
    with connect(csc_rows()) as connection:
        chart = figures.csc_leaderboard(connection, figures.read_names(connection, None))
    assert '"–"' in drawn(chart)
    figures.save(chart, tmp_path / "csc.png", tmp_path / "csc.svg")


@pytest.mark.parametrize("picture", PICTURES)
def test_nothing_selected_is_a_picture_that_says_so(connect, tmp_path, picture):
    with connect() as connection:
        chart = PICTURES[picture](connection, figures.read_names(connection, None))
    figures.save(chart, tmp_path / "empty.png", tmp_path / "empty.svg")
    assert "No results" in (tmp_path / "empty.svg").read_text(encoding="utf-8")


def test_without_a_font_ids_stand_for_chinese_titles_and_one_warning_names_the_package(connect, caplog):
    with connect(g2p_rows("粵拼")) as connection, caplog.at_level(logging.WARNING):
        names = figures.read_names(connection, None)
        text = drawn(figures.g2p_leaderboard(connection, names))
    assert names.model("first") == "first" and "粵" not in text
    assert len(caplog.records) == 1
    assert "fonts-noto-cjk" in caplog.text and "first" in caplog.text


def test_with_a_font_chinese_titles_are_drawn_in_it(connect, caplog):
    with connect(g2p_rows("粵拼")) as connection:
        text = drawn(figures.g2p_leaderboard(connection, figures.read_names(connection, "Some Sans HK")))
    assert "粵拼" in text and '"font": "Some Sans HK, Liberation Sans' in text
    assert not caplog.records


def test_pictures_without_chinese_do_not_depend_on_the_fonts(connect):
    with connect(g2p_rows("First")) as connection:
        assert figures.read_names(connection, None) == figures.read_names(connection, "Some Sans HK")


def test_models_of_one_title_are_told_apart(connect):
    with connect(g2p_rows("Second")) as connection:
        names = figures.read_names(connection, None)
    assert names.model("first") == "Second (first)" and names.model("second") == "Second (second)"


def test_fontconfig_names_a_sans_for_hong_kong_first(monkeypatch, tmp_path):
    listing = tmp_path / "fc-list"
    listing.write_text(
        "#!/bin/sh\nprintf 'Song Serif\\nNoto Sans Mono CJK HK\\nNoto Sans CJK HK,Noto Sans\\nA Sans TC\\n'\n"
    )
    listing.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert figures.cjk_font() == "Noto Sans CJK HK"


def test_font_folders_are_searched_without_fontconfig(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(drawing, "_FONT_FOLDERS", (str(tmp_path),))
    assert figures.cjk_font() is None
    (tmp_path / "wqy-zenhei.ttc").touch()
    assert figures.cjk_font() == "WenQuanYi Zen Hei"


def test_svg_numbers_differ_by_no_rounding_error():
    svg = '<path transform="translate(121.62464985994396,-4.3e-15)" fill="#117733"/><text>0.12345678</text>'
    assert drawing._rounded(svg) == ('<path transform="translate(121.62465,0)" fill="#117733"/><text>0.12345678</text>')


def test_labels_stay_apart_and_inside():
    points = [(100 + 3 * i, 100 + 2 * i) for i in range(8)] + [(318, 5)]
    boxes = []
    for x, y, align in place_labels(points, ["Some model"] * 9, 320, 230):
        left = {"left": x, "center": x - 30, "right": x - 60}[align]
        assert left >= 0 and left + 60 <= 320 and 7 <= y <= 223
        assert all(left >= other + 60 or left + 60 <= other or abs(y - height) >= 14 for other, height in boxes)
        boxes.append((left, y))
