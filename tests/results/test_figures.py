import json
import logging
import re
from collections import defaultdict
from functools import partial

import duckdb
import pytest
import yaml

from sinobench.results import curves, drawing, figures
from sinobench.results.registry import BOARDS
from sinobench.results.runtime import place_labels
from tests.conftest import ROOT

POOLS = {"small": ["words", "verse"]}
PICTURES = {
    "runtime": lambda connection, names: figures.g2p_runtime(connection, POOLS, names),
    "det": curves.det_curves,
    "collars": curves.collar_curves,
} | {
    task: partial(lambda board, *found: figures.leaderboard(found[0], board, found[1]), board)
    for task, board in BOARDS.items()
}


def metric_rows(task, corpus, model, values, subset="all", official=None):
    key = {"task": task, "corpus": corpus, "model": model, "subset": subset, "n_items": 20, "coverage": 0.9999}
    return [
        key | {"protocol": protocol, "metric": metric, "value": value}
        for protocol, found in (("strict", values), ("official", official or values))
        for metric, value in found.items()
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


def speech_rows():
    """Two models on two development sets; the set ``published`` has published figures only, without a number."""
    models = {"lid": ("gmm", "majority"), "ld": ("vad+gmm", "window+gmm")}
    found = {"corpora": [], "models": [], "metrics": [], "published": [], "lid_det": [], "ld_collars": []}
    for corpus in ("one", "two", "published"):
        found["corpora"].append({"task": "merlion", "corpus": corpus, "title": corpus.title(), "role": "scored"})
    for task, names in models.items():
        found["models"] += [{"task": task, "model": model, "title": f"The {model}"} for model in names]
    for size, corpus in enumerate(("one", "two"), start=1):
        for place, (lid, ld) in enumerate(zip(*models.values(), strict=True), start=1):
            eer = {"eer": 0.12 * place, "balanced_accuracy": 0.9 - place / 10}
            found["metrics"] += metric_rows("lid", corpus, lid, eer)
            rates = {f"{name}_error_rate": 0.1 * place for name in ("english", "mandarin")}
            found["metrics"] += metric_rows("ld", corpus, ld, {"lder": 0.45 * place, **rates})
            for false_alarm, miss in ((0.0, 1.0), (0.0, 0.3), (0.12 * place, 0.12 * place), (1.0, 0.0)):
                row = {"corpus": corpus, "model": lid, "protocol": "strict", "false_alarm": false_alarm, "miss": miss}
                found["lid_det"].append(row)
            for collar in (0, 250):
                row = {"corpus": corpus, "model": ld, "collar_ms": collar, "lder": 0.2 * place * size}
                found["ld_collars"].append(row)
    for task, metric, value in (("lid", "eer", 0.22), ("ld", "lder", 0.866), ("ld", "english_error_rate", 0.84)):
        for corpus in ("one", "published"):
            row = {"task": task, "corpus": corpus, "model": "Baseline (published)", "protocol": "official"}
            found["published"].append(row | {"metric": metric, "value": value})
    return found


@pytest.fixture
def connect(database_of, tmp_path):
    def opened(*parts):
        rows = {}
        for part in parts:
            for table, added in part.items():
                rows.setdefault(table, []).extend(added)
        return duckdb.connect(database_of(rows, tmp_path / "test.duckdb"), read_only=True)

    return opened


@pytest.fixture(scope="module")
def pictures(database_of, tmp_path_factory):
    """Each picture of a database with results of all tasks."""
    rows = defaultdict(list)
    for part in (g2p_rows("First"), csc_rows(), speech_rows()):
        for table, added in part.items():
            rows[table] += added
    path = tmp_path_factory.mktemp("pictures") / "test.duckdb"
    with duckdb.connect(database_of(rows, path), read_only=True) as connection:
        names = figures.read_names(connection, None)
        return {name: described(draw(connection, names)) for name, draw in PICTURES.items()}


def described(chart):
    """As Vega-Lite has it."""
    return chart if isinstance(chart, dict) else chart.to_dict(validate=False)


def drawn(chart):
    return json.dumps(described(chart), ensure_ascii=False)


def data(chart, *columns):
    """The data of the marks that have these columns."""
    return [rows for rows in parts(chart, "values") if isinstance(rows[0], dict) and set(columns) <= set(rows[0])]


def parts(chart, key):
    """All values that stand under a key, however deep."""

    def walk(part):
        if isinstance(part, dict):
            found.extend(part[key] for _ in (0,) if key in part)
            part = list(part.values())
        for inner in part if isinstance(part, list) else ():
            walk(inner)

    found = []
    walk(described(chart))
    return found


@pytest.mark.parametrize("picture", PICTURES)
def test_same_database_gives_the_same_bytes(connect, tmp_path, picture):
    with connect(g2p_rows("First"), csc_rows(), speech_rows()) as connection:
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
        text = drawn(PICTURES["g2p"](connection, figures.read_names(connection, None)))
    assert "Pooled (small)" in text and "register classical, 20 labelled characters" in text
    assert "Second, published" in text and "published, official protocol" in text
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
        assert names.colour("Nobody (published)") == names.colour("nobody") == "#777777"
        for picture in ("g2p", "runtime"):
            assert names.colour("first") in drawn(PICTURES[picture](connection, names))


def test_a_colour_depends_on_no_other_model(connect):
    alone = csc_rows()
    with connect(g2p_rows("First"), alone, speech_rows()) as connection:
        of_all = figures.read_names(connection, None).colour("do-nothing")
    with connect(alone) as connection:
        assert figures.read_names(connection, None).colour("do-nothing") == of_all


def test_the_models_of_the_catalog_are_told_apart_within_a_task():
    catalog = yaml.safe_load((ROOT / "config/models.yaml").read_text(encoding="utf-8"))
    names = figures.Names(dict.fromkeys(catalog, ""), {}, None)
    colours = defaultdict(list)
    for model, entry in catalog.items():
        colours[entry["task"]].append(names.colour(model))
    assert set(colours) == {"g2p", "csc", "lid", "ld"}
    assert all(len(set(own)) == len(own) for own in colours.values())


def test_lines_of_one_colour_are_told_apart_by_dashes(connect, monkeypatch):
    monkeypatch.setattr(drawing, "_COLOURS", ("#332288",))
    with connect(speech_rows()) as connection:
        for picture in ("det", "collars"):
            chart = PICTURES[picture](connection, figures.read_names(connection, None))
            first, second = parts(chart, "strokeDash")[0]["scale"]["range"]
            assert first != second


def test_published_figures_stand_beside_official_ones_and_are_not_ranked(connect):
    """By ``strict`` the first model leads, by ``official`` the second; what was published lies between."""
    found = g2p_rows("First")
    found["metrics"] = [
        row
        for place, model in enumerate(("first", "second"), start=1)
        for row in metric_rows("g2p", "words", model, {"per": 0.1 * place}, official={"per": 0.1 * (3 - place)})
    ]
    theirs = {"task": "g2p", "corpus": "words", "model": "A (published)", "metric": "per", "value": 0.15}
    found["published"] = [theirs]
    with connect(found) as connection:
        chart = PICTURES["g2p"](connection, figures.read_names(connection, None))
    lines = next(scale["domain"] for scale in parts(chart, "scale") if scale and "first" in scale.get("domain", ()))
    assert lines == ["first", "second", "A (published)"]
    of_per = data(chart, "line", "number")[-1]
    assert [(row["line"], row["number"], row["text"]) for row in of_per] == [
        ("first", "definition", "10.00"),
        ("first", "official", "20.00"),
        ("second", "definition", "20.00"),
        ("second", "official", "10.00"),
        ("A (published)", "official", "15.00"),
    ]


def test_published_figures_without_a_number_are_of_no_zero_recordings(pictures):
    for task in ("lid", "ld"):
        text = json.dumps(pictures[task])
        assert "Published" in text and "Baseline, published" in text and "20 " in text
        assert not re.search(r"\b0 (recordings|segments)|None", text)


@pytest.mark.parametrize("picture", PICTURES)
def test_every_axis_of_a_score_says_which_way_is_better(pictures, picture):
    titles = [" ".join(title) if isinstance(title, list) else title for title in parts(pictures[picture], "title")]
    scores = [title for title in titles if isinstance(title, str) and re.search("%|second", title) and " is " in title]
    assert scores
    for title in titles:
        if isinstance(title, str) and re.search(", %|[Ss]econd", title) and "(published)" not in title:
            assert "er is better" in title


@pytest.mark.parametrize("picture", PICTURES)
def test_panels_of_one_unit_share_an_axis(pictures, picture):
    found = defaultdict(set)
    for encoding in parts(pictures[picture], "encoding"):
        for channel in ("x", "y"):
            axis = encoding.get(channel, {})
            if axis.get("type") == "quantitative" and axis.get("scale"):
                low, high = axis["scale"]["domain"]
                found[axis["field"]].add(high - low if axis["field"] == "value" else (low, high))
    assert found and all(len(domains) == 1 for domains in found.values()), found


def test_det_curves_have_the_diagonal_and_the_eer_on_it(pictures):
    chart = pictures["det"]
    points = [row for rows in data(chart, "text", "miss") for row in rows]
    assert [(row["text"], row["miss"] == row["false_alarm"]) for row in points[:2]] == [
        ("The gmm  12.0", True),
        ("The majority  24.0", True),
    ]
    diagonals = [rows for rows in data(chart, "miss", "false_alarm") if len(rows[0]) == 2]
    assert diagonals and all(row["miss"] == row["false_alarm"] for ends in diagonals for row in ends)


def test_a_failed_model_is_named_without_a_figure(connect):
    found = g2p_rows("First")
    for table in ("metrics", "runs"):
        found[table] = [row for row in found[table] if row["model"] != "second"]
    found["runs"].append({"task": "g2p", "corpus": "words", "model": "second", "status": "failed", "reason": "no room"})
    with connect(found) as connection:
        names = figures.read_names(connection, None)
        board = PICTURES["g2p"](connection, names)
        times = next(rows for rows in data(PICTURES["runtime"](connection, names), "load_s"))
    assert "Second, failed" in drawn(board)
    lines = [(row["number"], row["text"]) for rows in data(board, "line") for row in rows if row["line"] == "second"]
    assert set(lines) == {("definition", "–"), ("official", "–")}
    assert [(row["model"], row["load_s"], row["text"]) for row in times] == [
        ("first", 0.5, "0.5 s"),
        ("second", None, "failed"),
    ]


def test_null_values_are_a_dash(connect, tmp_path):
    with connect(csc_rows()) as connection:
        chart = PICTURES["csc"](connection, figures.read_names(connection, None))
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
        text = drawn(PICTURES["g2p"](connection, names))
    assert names.model("first") == "first" and "粵" not in text
    assert len(caplog.records) == 1
    assert "fonts-noto-cjk" in caplog.text and "first" in caplog.text


def test_with_a_font_chinese_titles_are_drawn_in_it(connect, caplog):
    with connect(g2p_rows("粵拼")) as connection:
        text = drawn(PICTURES["g2p"](connection, figures.read_names(connection, "Some Sans HK")))
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


def test_ranks_and_their_ties_stand_before_the_models(connect):
    found = g2p_rows("First")
    key = {"task": "g2p", "corpus": "words", "protocol": "strict", "subset": "all", "metric": "per"}
    places = (("file", 3, None), ("second", 1, "first"), ("first", 1, "second"))
    found["ranks"] = [key | {"model": model, "rank": rank, "tied_with": tied} for model, rank, tied in places]
    with connect(found) as connection:
        text = drawn(PICTURES["g2p"](connection, figures.read_names(connection, None)))
    labels = ("1= First", "1= Second", "3. From a file")
    assert sorted(labels, key=text.index) == list(labels)
    assert "= marks those that differ by no more than chance" in text
