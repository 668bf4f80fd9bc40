"""The error browser: what it shows of small corpora in Chromium, from disk and with the network off."""

import numpy as np
import pytest
import soundfile
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from sinobench.report import site
from sinobench.report.browser import media
from sinobench.report.browser.pages import PAGE
from sinobench.results import database
from tests.conftest import ROOT

HOSTILE = "</script><script>window.taken=1</script><img src=x onerror=window.taken=1>"
N = PAGE + 300
WORDS = ("未来", "银行", "天气", "火车")


def spelling():
    """N sentences, the second of every four with an error that ``good`` alone corrects, the third one to be left."""
    items, outcomes, edits = [], [], []
    for i in range(N):
        tail = f"第{i}句{HOSTILE if i == 5 else WORDS[i % 4]}"
        text, gold = f"我{'门' if i % 4 == 1 else '们'}{tail}", f"我们{tail}"
        item = {"corpus": "pairs", "item_id": f"{i:06}{HOSTILE if i == 5 else ''}"}
        items.append(item | {"line": i + 1, "input": text, "golds": [gold]})
        for model in ("bad", "good"):
            prediction, kind = (gold, None) if model == "good" else (text, "under-correction")
            if model == "bad" and i % 4 == 2:
                prediction, kind = gold.replace("我", "你"), "over-correction"
            key = item | {"model": model}
            outcomes.append(key | {"input": text, "gold": gold, "prediction": prediction, "covered": True})
            if kind and prediction != gold:
                kind_of = "near-pinyin" if kind == "under-correction" else None
                edits.append(key | {"position": 1, "outcome": kind, "error_type": kind_of})
    return {"csc_items": items, "csc_outcomes": outcomes, "csc_edits": edits}


def readings():
    """One character, read wrongly by one model in tone and nucleus."""
    item = {"corpus": "words", "item_id": "000001"}
    outcome = item | {"prediction": "hong6", "nearest_label": "hang4", "strict_correct": False}
    return {
        "g2p_items": [item | {"line": 1, "text": "一行人", "position": 1, "labels": ["hang4"], "pos": "NOUN"}],
        "g2p_outcomes": [
            outcome | {"model": "bad"},
            item | {"model": "good", "prediction": "hang4", "nearest_label": "hang4", "strict_correct": True},
        ],
    }


def speech(corpus):
    """A recording of ten seconds: English to 4 s, Mandarin to 8 s, the second from 6 s to 7 s redacted."""
    key = {"corpus": corpus, "recording": "one"}
    turn = lambda start, end, language, **more: key | more | {"start_ms": start, "end_ms": end, "language": language}  # noqa: E731
    regions = [("official", 0, 10_000), ("strict", 0, 6000), ("strict", 7000, 10_000)]
    segments = [(f"one_a{i}_{start}_{end}", start, end, language) for i, (start, end, language) in enumerate(TURNS)]
    return {
        "merlion_recordings": [key | {"pair": "P1", "duration_ms": 10_000}],
        "merlion_redactions": [key | {"start_ms": 6000, "end_ms": 7000, "label": "BABYNAME"}],
        "merlion_regions": [
            key | {"protocol": name, "start_ms": start, "end_ms": end} for name, start, end in regions
        ],
        "ld_turns": [turn(*each) for each in TURNS],
        "ld_predictions": [turn(500, 5000, "English", model="vad"), turn(5000, 9000, "Mandarin", model="vad")],
        "ld_recordings": [key | {"model": "vad"}],
        "lid_segments": [
            key | {"segment_id": name, "start_ms": start, "end_ms": end, "language": language}
            for name, start, end, language in segments
        ],
        "lid_outcomes": [
            key | {"segment_id": name, "model": "majority", "language": language, "predicted": "English",
                   "correct": language == "English", "score": 1.0}
            for name, _, _, language in segments
        ],
    }  # fmt: skip


TURNS = [(0, 4000, "English"), (4000, 8000, "Mandarin")]
UNSCORED = ("merlion_recordings", "merlion_regions", "ld_predictions")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of all four tasks; the corpus ``open`` may be heard, ``private`` may not, ``secret`` is not shown."""
    folder = tmp_path_factory.mktemp("browser")
    rows = {"corpora": []}
    evaluation = {name: rows for name, rows in speech("evaluation").items() if name in UNSCORED}
    parts = [spelling(), readings(), *map(speech, ("open", "private", "secret")), evaluation]
    for table, added in ((table, added) for part in parts for table, added in part.items()):
        rows[table] = rows.get(table, []) + added
    confidential = {"pairs": None, "words": None, "open": "nothing", "private": "speech", "secret": "everything"}
    for corpus, level in confidential.items():
        rows["corpora"].append({"corpus": corpus, "title": f"Corpus {corpus}", "confidential": level})
    rows["corpora"].append(
        {"corpus": "evaluation", "title": "Evaluation", "role": "submission", "confidential": "speech"}
    )
    database.build({}, rows, folder / "sinobench.duckdb")
    tone = np.sin(np.arange(320_000) / 10) * 9000
    soundfile.write(folder / "one.wav", tone.astype(np.int16), 32_000)
    media.render([("open", "one", folder / "one.wav")], folder / "rendered")
    with database.reading(folder / "sinobench.duckdb") as connection:
        site.build(connection, folder / "report", "r", (), ROOT / "CITATION.cff", folder / "rendered")
    return folder / "report"


class Opened:
    """The page in a browser."""

    def __init__(self, driver, report):
        self.driver, self.page = driver, f"file://{report}/errors.html"

    def go(self, address):
        """Open an address; what is counted."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.page}#{address}")
        return self.count()

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def count(self):
        """The line that says how many items there are, once it does."""
        return self.until(lambda _: self._counted())

    def until(self, condition):
        """Wait for a condition; what it looks at may be replaced meanwhile."""
        gone = (StaleElementReferenceException, IndexError)
        return WebDriverWait(self.driver, 30, 0.1, gone).until(condition)

    def _counted(self):
        if any(each.get_attribute("aria-busy") == "true" for each in self.all(".results")):
            return None
        [*lines] = [each.text for each in self.all(".status")]
        return lines[0] if lines and ("of" in lines[0] or "confidential" in lines[0]) and "…" not in lines[0] else None

    def choose(self, name, value):
        before = self.driver.current_url
        Select(self.driver.find_element(By.ID, f"by-{name}")).select_by_value(value)
        self.until(lambda _: self.driver.current_url != before)
        return self.settled()

    def settled(self):
        self.driver.execute_async_script("const done = arguments[0]; setTimeout(done, 150);")
        return self.count()

    def errors(self):
        return [line["message"] for line in self.driver.get_log("browser") if line["level"] == "SEVERE"]


@pytest.fixture
def opened(driver, report):
    page = Opened(driver, report)
    yield page
    assert page.errors() == []


def test_filters_by_kind_and_model_stand_in_the_address(opened):
    assert opened.go("task=csc&model=bad") == f"1,150 of {N:,} items"
    assert opened.choose("kind", "over-correction") == f"575 of {N:,} items"
    address = opened.driver.current_url.split("#")[1]
    assert "kind=over-correction" in address and "model=bad" in address
    assert opened.go(address) == f"575 of {N:,} items"
    assert opened.go("task=csc&model=bad&kind=under-correction") == f"575 of {N:,} items"
    assert opened.choose("model", "good") == f"0 of {N:,} items"
    assert opened.choose("show", "all") == f"{N:,} of {N:,} items"


def test_two_models_side_by_side(opened):
    assert opened.go("task=csc&model=bad&other=good") == f"1,150 of {N:,} items"
    for show, n in (("only", 1150), ("other", 0), ("both", 0), ("differ", 1150)):
        assert opened.choose("show", show) == f"{n:,} of {N:,} items"
    first = opened.all(".item")[0]
    bad, good = first.find_elements(By.CSS_SELECTOR, ".answer")
    assert [each.get_attribute("data-model") for each in (bad, good)] == ["bad", "good"]
    assert bad.find_element(By.CSS_SELECTOR, "mark.miss").text == "门"
    assert good.find_element(By.CSS_SELECTOR, "mark.good").text == "们"
    assert first.find_element(By.CSS_SELECTOR, "mark.error").text == "门"
    assert "under-correction: near-pinyin" in bad.text and "right" in good.text
    over = opened.all(".item")[1].find_elements(By.CSS_SELECTOR, ".answer")[0]
    assert over.find_element(By.CSS_SELECTOR, "mark.bad").text == "你"


def test_search_reads_all_pages_and_pages_turn(opened):
    opened.go("task=csc&model=bad&show=all")
    opened.driver.find_element(By.TAG_NAME, "body").send_keys("/")
    opened.driver.switch_to.active_element.send_keys(f"第{N - 1}句")
    assert opened.settled() and opened.until(lambda _: len(opened.all(".item")) == 1)
    assert opened.count() == f"1 of {N:,} items" and "text=" in opened.driver.current_url
    assert opened.go("task=csc&model=bad&show=all&page=2") == f"{N:,} of {N:,} items"
    assert opened.all(".item h3")[0].text == "000020"
    opened.driver.find_element(By.TAG_NAME, "body").send_keys("n")
    opened.until(lambda _: opened.all(".item h3")[0].text == "000040")
    opened.driver.find_element(By.TAG_NAME, "body").send_keys("jj")
    assert opened.driver.switch_to.active_element.get_attribute("data-item") == "41"
    opened.driver.find_element(By.CSS_SELECTOR, "[aria-label='last page']").click()
    opened.until(lambda _: opened.all(".item h3")[-1].text == f"{N - 1:06}")


def test_a_link_to_an_item_shows_it_alone(opened):
    opened.go("task=csc&model=bad&show=all&page=3")
    link = opened.all(".item h3 a")[2].get_attribute("href")
    opened.driver.get(link)
    opened.until(lambda _: [each.text for each in opened.all(".item h3")] == ["000042"])
    opened.all(".status button")[0].click()
    opened.until(lambda _: len(opened.all(".item")) == 20)


def test_a_tasks_page_links_to_a_models_errors_of_a_kind(opened, report):
    opened.driver.get(f"file://{report}/csc.html")
    [link] = [each for each in opened.all("#items a") if "model=bad&kind=under" in each.get_attribute("href")]
    link.click()
    assert opened.count() == f"575 of {N:,} items"


def test_nothing_of_an_item_is_executed(opened):
    opened.go("task=csc&model=bad&item=5")
    assert HOSTILE in opened.all(".item")[0].text
    assert opened.all(".item h3")[0].text == f"000005{HOSTILE}"
    assert opened.driver.execute_script("return window.taken") is None


def test_nor_does_a_script_hold_the_end_of_one(report):
    scripts = list((report / "browser").rglob("*.js"))
    assert len(scripts) > 10
    data = [path for path in scripts if path.parent != report / "browser" or path.name == "index.js"]
    assert [path for path in data if b"<" in path.read_bytes()] == []


def test_components_of_a_reading_are_marked(opened):
    assert opened.go("task=g2p&model=bad&kind=tone") == "1 of 1 items"
    [item] = opened.all(".item")
    assert item.find_element(By.CSS_SELECTOR, "mark.target").text == "行"
    answer = item.find_element(By.CSS_SELECTOR, "[data-model=bad]")
    assert [mark.text for mark in answer.find_elements(By.TAG_NAME, "mark")] == ["o", "6"]
    assert "tone: 4 → 6" in answer.text and "nucleus: a → o" in answer.text


def test_stretches_of_diarization_are_those_of_the_scorer(opened):
    """English missed to 0.5 s and Mandarin heard as English to 5 s, Mandarin heard where none is from 8 s."""
    assert opened.go("task=ld&corpus=open&model=vad&order=time") == "3 of 6 items, 0:02.50 in all"
    kinds = [each.text.removeprefix("✗ ") for each in opened.all(".verdict.wrong")]
    assert kinds == ["miss: English", "confusion: Mandarin heard as English", "false alarm: Mandarin"]
    times = [each.text for each in opened.all(".item h3")]
    assert times == ["one 0:00.00–0:00.50", "one 0:04.00–0:05.00", "one 0:08.00–0:09.00"]


def spans(opened, lane):
    """The [start, end, name] stretches of a lane of the timeline, as it holds and as it draws them."""
    names = [each.text for each in opened.all(".timeline .names span")]
    bar = opened.all(".timeline .lane")[names.index(lane)]
    left, width = bar.rect["x"], bar.rect["width"]
    found = []
    for span in bar.find_elements(By.CSS_SELECTOR, ".span"):
        start, end = (int(span.get_attribute(f"data-{name}")) for name in ("start", "end"))
        drawn = (
            (span.rect["x"] - left) / width * 10_000,
            (span.rect["x"] + span.rect["width"] - left) / width * 10_000,
        )
        assert drawn == pytest.approx((start, end), abs=30)
        found.append((start, end, span.get_attribute("data-name")))
    return found


@pytest.mark.parametrize("corpus", ["open", "private"])
def test_the_timeline_shows_the_stretches(opened, corpus):
    assert opened.go(f"task=ld&corpus={corpus}&model=vad&recording=one")
    assert spans(opened, "reference") == [(0, 4000, "English"), (4000, 8000, "Mandarin")]
    assert spans(opened, "vad") == [(500, 5000, "English"), (5000, 9000, "Mandarin")]
    assert spans(opened, "redacted") == [(6000, 7000, "BABYNAME")]
    assert sorted(spans(opened, "evaluated")) == [
        (0, 6000, "strict"),
        (0, 10_000, "official"),
        (7000, 10_000, "strict"),
    ]
    assert spans(opened, "majority (segments)") == [(0, 4000, "English"), (4000, 8000, "English")]


def test_an_evaluation_set_has_a_timeline_of_predictions_alone(opened):
    opened.driver.get("about:blank")
    opened.driver.get(f"{opened.page}#task=ld&corpus=evaluation")
    opened.until(lambda _: opened.all(".timeline"))
    assert spans(opened, "vad") == [(500, 5000, "English"), (5000, 9000, "Mandarin")]
    assert "reference" not in [each.text for each in opened.all(".timeline .names span")]
    assert not opened.all(".item") and "no gold" in opened.all(".status")[0].text


def test_sound_and_spectrogram_are_there_where_the_corpus_may_be_heard(opened):
    opened.go("task=lid&corpus=open&model=majority&recording=one")
    [picture], [sound] = opened.all("img.spectrogram"), opened.all("audio")
    wait = WebDriverWait(opened.driver, 20)
    wait.until(lambda driver: driver.execute_script("return arguments[0].naturalWidth", picture) > 200)
    opened.driver.execute_script("arguments[0].load()", sound)
    length = wait.until(lambda driver: driver.execute_script("return arguments[0].duration", sound))
    assert length == pytest.approx(10, abs=0.2)
    opened.go("task=lid&corpus=private&model=majority&recording=one")
    assert not opened.all("img.spectrogram") and not opened.all("audio")
    assert "its speech is confidential" in opened.all(".timeline")[0].text


def test_a_confidential_corpus_has_figures_alone(opened, report):
    assert "confidential" in opened.go("task=lid&corpus=secret")
    assert "Mandarin taken for English: 1" in opened.all(".results")[0].text
    assert not opened.all(".timeline") and not list((report / "browser").rglob("*secret*"))


def test_what_the_address_says_of_nothing_here_is_chosen(opened):
    for address in ("", "task=none&model=none&page=0&item=99999999", "kind=%00&page=-1"):
        assert opened.go(address)


@pytest.mark.parametrize("n", [1, 100, 48_000])
@pytest.mark.filterwarnings("ignore:n_fft=512 is too large")
def test_spectrogram_is_librosas(n):
    import librosa

    samples = (np.random.default_rng(n).standard_normal(n) * np.linspace(0, 9000, n)).astype(np.int16)
    mel = librosa.feature.melspectrogram(
        y=samples / np.float32(32_768), sr=16_000, n_fft=512, hop_length=640, n_mels=64
    )
    db = librosa.power_to_db(mel, ref=np.max, top_db=60)
    np.testing.assert_array_equal(media.spectrogram(samples), np.round((db[::-1] - db.max() + 60) * 31 / 60))


def test_what_is_beyond_the_limit_is_said(tmp_path, monkeypatch):
    soundfile.write(tmp_path / "a.wav", np.zeros(32_000, np.int16), 32_000)
    monkeypatch.setattr(media, "LIMIT_S", 1.5)
    listing = media.render([("c", "a", tmp_path / "a.wav"), ("c", "b", tmp_path / "a.wav")], tmp_path / "out")
    assert listing["c"]["a"] == {"image": "0.png", "sound": "0.mp3"} and "minutes" in listing["c"]["b"]["note"]
    assert media.listed(tmp_path / "out") == listing and len(list((tmp_path / "out/c").iterdir())) == 2
