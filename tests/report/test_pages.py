"""What the report says and holds, without a browser."""

import csv
from html.parser import HTMLParser

import pytest

from sinobench.report import downloads
from sinobench.report.assets import FOLDER
from sinobench.report.material import DATA, QUERIES
from tests.conftest import ROOT
from tests.report.material import HOSTILE, KINDS


class Parts(HTMLParser):
    """The links, ids, tags and text of a page."""

    def __init__(self, page):
        super().__init__()
        self.links, self.ids, self.tags, self.text = [], set(), [], []
        self.feed(page.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append((tag, found))
        self.links += [found[name] for name in ("href", "src") if name in found]
        self.ids |= {found["id"]} if "id" in found else set()

    def handle_data(self, data):
        self.text.append(data)

    def says(self, text):
        return text in " ".join("".join(self.text).split())


def pages(report):
    return {page.name: Parts(page) for page in sorted(report.glob("*.html"))}


@pytest.mark.parametrize("kind", ["whole", *KINDS])
def test_every_link_leads_to_a_file_of_the_folder(whole, small, kind):
    report = whole if kind == "whole" else small(kind)
    found = pages(report)
    assert {"index.html", "g2p.html", "csc.html", "lid.html", "ld.html", "methods.html", "run.html"} <= found.keys()
    for name, page in found.items():
        for link in page.links:
            target, _, part = link.partition("#")
            if not link.startswith("data:,"):  # the empty icon
                assert (report / (target or name)).is_file(), f"{name}: {link}"
                assert not part or "=" in part or part in found[target or name].ids, f"{name}: {link}"


def test_models_that_learnt_of_a_corpus_are_told_with_their_figures_without_it(small):
    found = pages(small("a model that learnt of the corpus"))
    task, catalog = found["csc.html"], found["corpora.html"]
    assert task.says("Mine contaminated") and not task.says("Other contaminated")
    assert catalog.says("a book, other books") and catalog.says("not declared")
    assert catalog.says("What models learnt of these items") and catalog.says("31.25")


def test_what_a_served_model_cost_is_shown(small):
    page = pages(small("one model on one corpus"))["csc.html"]
    assert (
        page.says("What served models were asked") and page.says("4,321") and page.says("0.0123") and page.says("EUR")
    )


def test_each_query_of_the_project_is_shown_and_its_rows_are_there(whole):
    text = "".join(page.read_text(encoding="utf-8") for page in whole.glob("*.html"))
    for query in QUERIES.glob("*.sql"):
        assert query.read_text(encoding="utf-8").partition("\n")[0].replace("'", "&#39;") in text, query.name
        assert list((whole / DATA).glob(f"{query.stem}*.csv")), query.name


def test_the_first_page_names_the_leaders_of_the_leaderboard(whole, finished_run):
    import duckdb

    with duckdb.connect(finished_run / "results/sinobench.duckdb", read_only=True) as connection:
        query = (
            "SELECT title, 100 * value, 100 * ci_low, 100 * ci_high FROM leaderboard JOIN models USING (task, model) "
            "WHERE rank = 1 AND tied_with IS NULL"
        )
        leaders = connection.execute(query).fetchall()
    page = pages(whole)["index.html"]
    assert leaders
    for title, value, low, high in leaders:
        assert page.says(f"{title} {value:.2f} % {low:.2f} to {high:.2f}")


def test_the_signatures_of_the_leaderboard_are_there_to_copy(whole, finished_run):
    import duckdb

    with duckdb.connect(finished_run / "results/sinobench.duckdb", read_only=True) as connection:
        found = connection.execute("SELECT signature FROM leaderboard WHERE signature IS NOT NULL").fetchall()
    page = pages(whole)["downloads.html"]
    assert found and all(page.says(signature) for (signature,) in found)


def test_libraries_and_pages_stay_small(whole):
    files = [*whole.glob("*.html"), *(whole / FOLDER).rglob("*")]
    assert sum(file.stat().st_size for file in files if file.is_file()) < 3e6


def test_a_csv_file_has_the_rows_of_its_table(small):
    report = small("one model on one corpus")
    with (report / DATA / "headlines.csv").open(encoding="utf-8", newline="") as stream:
        [row] = csv.DictReader(stream)
    assert (row["model"], row["value"], row["ci_low"]) == ("mine", "0.5", "0.4")


@pytest.mark.parametrize(
    ("kind", "page", "said"),
    [
        ("published rows alone", "index.html", "No model of this run has a figure."),
        ("published rows alone", "csc.html", "published"),
        ("one model on one corpus", "index.html", "Mine 50.00 %"),
        ("nothing", "downloads.html", "No figure of this run has a signature."),
        ("one model on one corpus", "g2p.html", "No model of this run has been scored in Cantonese G2P"),
        ("one model on one corpus", "csc.html", "once, beside other jobs"),
        ("one model on one corpus", "csc.html", "It was measured once, on the whole corpus"),
        ("one model measured alone", "csc.html", "alone, 3 times"),
        ("one model measured alone", "csc.html", "125 100 200"),
        ("one model measured alone", "csc.html", "the point is the median"),
        ("a flagged model", "index.html", "Mine 50.00 % flagged"),
        ("a flagged model", "index.html", "theirs published flagged"),
        ("a flagged model", "csc.html", "Mine flagged"),
        ("a flagged model", "csc.html", "Hub inspected"),
        ("a flagged model", "csc.html", "Own unverified"),
        ("a flagged model", "corpora.html", "Hub inspected vocab.txt text"),
        ("a flagged model", "corpora.html", "flagged a backdoor a report"),
        ("a model that failed", "index.html", "MemoryError in other.py"),
        ("a model that failed", "csc.html", "Mine 50.00 %"),
        ("speech that is not as it was made", "corpora.html", "Talk syn synthetic"),
        ("speech that is not as it was made", "corpora.html", "Talk joi joined clips"),
        ("nothing", "index.html", "No model has been scored on a corpus of this run"),
        ("nothing", "corpora.html", "The run has no corpus."),
        ("nothing", "run.html", "No rule of this run was measured."),
    ],
)
def test_a_page_says_what_there_is_and_why_a_part_is_empty(small, kind, page, said):
    assert pages(small(kind))[page].says(said)


def test_speech_as_it_was_made_has_no_badge(small):
    assert pages(small("speech that is not as it was made"))["corpora.html"].says("Talk oth other")  # title, then id


def test_nothing_from_the_database_becomes_a_tag(small):
    for name, page in pages(small("hostile names")).items():
        assert not [tag for tag in page.tags if tag[0] == "img" or "onerror" in tag[1]], name
        assert "<script>window.taken" not in page.text, name
    assert pages(small("hostile names"))["csc.html"].says(HOSTILE)


def test_bibtex_of_the_tool_and_each_benchmark():
    entries = downloads.entries(ROOT / "CITATION.cff")
    assert len(entries) > 1 and all(entry.startswith("@") and entry.count("{") == entry.count("}") for entry in entries)
    assert entries[0].startswith("@software{sinobench")
    assert len({entry.partition(",")[0] for entry in entries}) == len(entries)
    [article] = [entry for entry in entries if entry.startswith("@article")]
    assert "  volume = {22},\n  number = {5},\n  pages = {1--18},\n  doi = {10.1145/3564271}," in article


def test_a_person_is_cited_by_family_name():
    entry = {
        "title": "On Tones",
        "type": "article",
        "year": 2024,
        "authors": [{"family-names": "Li", "given-names": "A."}],
    }
    assert (
        downloads.bibtex(entry)
        == "@article{on-tones,\n  title = {{On Tones}},\n  author = {Li, A.},\n  year = {2024},\n}"
    )


def test_each_time_is_of_a_rule(whole):
    with (whole / DATA / "job_times.csv").open(encoding="utf-8", newline="") as stream:
        rules = [row["rule"] for row in csv.DictReader(stream)]
    assert {"predict_g2p", "render_recordings"} <= set(rules) and "" not in rules
