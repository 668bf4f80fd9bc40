import re
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from sinobench.csc.readers import READERS as CSC_READERS
from sinobench.errors import InputError
from sinobench.merlion.training.corpora import READERS as TRAINING_READERS
from sinobench.schema import check, load_yaml
from sinobench.selection import resolve
from sinobench.variants import readers

ROOT = Path(__file__).parents[1]
SCHEMAS = ROOT / "config" / "schema"

PIN = {"path": "data/words", "sha256": "0" * 64, "size_bytes": 1}
SOURCES = {
    "zoo": {
        **{"repository": "zoo/words", "commit": "1", "licence": "MIT", "base_url": "http://127.0.0.1:9/"},
        "files": {"words.sent": PIN, "words.lb": PIN},
    }
}
CORPORA = {
    "words": {
        "task": "g2p",
        "title": "Words",
        "reader": "anchored",
        "files": {"sent": {"source": "zoo", "file": "words.sent"}, "lb": "here/words.lb"},
        "licence": "MIT",
    },
    "verse": {"task": "g2p", "title": "Verse", "reader": "dufu", "files": {"text": "verse.txt"}, "licence": "MIT"},
    "law": {"task": "csc", "title": "Law", "reader": "pairs", "files": {"text": "law.tsv"}, "licence": "MIT"},
    "law-train": {
        **{"task": "csc", "title": "Law", "reader": "pairs", "files": {"text": "law.train"}, "licence": "MIT"},
        "role": "training",
    },
    "law-blind": {
        **{"task": "csc", "title": "Law", "reader": "pairs", "files": {"text": "law.txt"}, "licence": "MIT"},
        **{"role": "submission", "columns": ["input"]},
    },
}
MODELS = {
    "trie": {"task": "g2p", "title": "Trie", "kind": "python", "class": "package:Trie"},
    "slow": {"task": "g2p", "title": "Slow", "kind": "python", "class": "package:Slow", "enabled": False},
    "fitted": {"task": "csc", "title": "Fitted", "kind": "python", "class": "own/model.py:Fitted", "fit": True},
    "theirs": {"task": "csc", "title": "Theirs", "kind": "predictions", "files": {"law": "theirs.tsv"}},
}
CONFIG = {
    "g2p": {"corpora": ["words", "verse"], "pools": [{"name": "both", "corpora": ["words", "verse"]}]},
    "csc": {"corpora": ["law", "law-blind"], "training": ["law-train"]},
}


def change(tree, path, value):
    """A copy of the tree with the value at the dotted path."""
    key, _, rest = path.partition(".")
    return {**tree, key: change(tree.get(key, {}), rest, value) if rest else value}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("config.merlion.chunks", {"max_s": float("nan")}, "config, merlion, chunks, max_s is nan; expected a finite"),
        ("config.merlion.chunks", {"overlap_s": float("inf")}, "overlap_s is inf; expected a finite number"),
        ("models.trie.options", {"rate": float("-inf")}, "rate is -inf; expected a finite number"),
        ("config.merlion.shards", 1_000_000_000, "1000000000 is greater than the maximum of 1000 at merlion.shards"),
        ("config.pathvars", {"results": ""}, "'' at pathvars.results does not fit"),
        ("config.pathvars", {"results": "{x}"}, "'{x}' at pathvars.results does not fit"),
        ("config.pathvars", {"results": "a\0b"}, r"'a\x00b' at pathvars.results does not fit"),
        ("corpora.123", None, "key 123 is not a line of text; put it in quotes"),
        ("corpora.law\n", CORPORA["law"], r"key 'law\n' is not a line of text"),
        ("models." + "m" * 250, MODELS["trie"], "does not fit: An id has lower-case letters and digits"),
    ],
)
def test_odd_values_of_settings(resolved, path, value, message):
    with pytest.raises(InputError) as error:
        if path == "corpora.123":
            check({123: CORPORA["law"]}, SCHEMAS / "corpora.schema.yaml", "corpora.yaml")
        resolved(path, value)
    assert message in str(error.value)


@pytest.fixture
def resolved(tmp_path, monkeypatch):
    """resolve() in a folder with small catalogs, each changed at "<catalog>.<path>"."""
    monkeypatch.chdir(tmp_path)

    def resolved(path=None, value=None):
        tree = {"config": CONFIG, "sources": SOURCES, "corpora": CORPORA, "models": MODELS}
        if path:
            tree = change(tree, path, value)
        Path("config").mkdir(exist_ok=True)
        for name in ("sources", "corpora", "models"):
            Path(f"config/{name}.yaml").write_text(yaml.safe_dump(tree[name], allow_unicode=True), encoding="utf-8")
        return resolve(tree["config"], SCHEMAS)

    return resolved


def test_selection_and_defaults(resolved):
    catalog = resolved()
    assert catalog.corpus_ids("g2p", "scored") == ["words", "verse"]
    assert catalog.corpus_ids("csc", "scored", "submission") == ["law", "law-blind"]
    assert catalog.corpus_ids("csc", "training") == ["law-train"]
    assert catalog.model_ids("g2p") == ["trie"]
    assert catalog.model_ids("csc") == catalog.model_ids("csc", "law") == ["fitted", "theirs"]
    assert catalog.model_ids("csc", "law-blind") == ["fitted"]
    assert catalog.pools() == {"both": ["words", "verse"]}
    assert catalog.config["seed"] == 2023 and catalog.config["pathvars"] == {}
    law, trie = catalog.corpora["law"], catalog.models["trie"]
    assert (law["role"], law["columns"], law["delimiter"], law["lenient"]) == ("scored", ["input", "gold"], "\t", False)
    assert (trie["options"], trie["packages"], trie["enabled"]) == ({}, [], True)
    assert catalog.models["fitted"]["fit"] and not {"fit", "files"} & trie.keys()


def test_files_are_where_they_are_or_where_they_are_retrieved(resolved):
    files = resolved().files_of("words", "results/retrieved")
    assert files == {"sent": "results/retrieved/zoo/words.sent", "lb": "here/words.lb"}


def test_nothing_configured_is_nothing_to_do(resolved):
    catalog = resolved("config", {})
    assert catalog.corpora == {} and catalog.pools() == {}
    assert catalog.models == {} and catalog.left_out.keys() == MODELS.keys() and set(catalog.unnamed) == CORPORA.keys()


@pytest.mark.parametrize("origin", ["synthetic", "librispeech", None])
def test_models_fitted_on_synthetic_speech_are_named_where_real_speech_is_evaluated(speech, origin):
    catalog = speech("corpora.read", CORPORA["read"] | ({"origin": origin} if origin else {}))
    said = [line for line in catalog.remarks() if "synthetic" in line]
    assert bool(said) == (origin == "synthetic")
    if said:
        assert said[0].startswith("fitted on synthetic speech: large, mixture, vad+large, vad+mixture:")
        assert said[0].endswith("no closed-track systems for dev, evaluation")


def test_a_spelling_model_is_left_out_where_nothing_is_named_to_fit_it_on(resolved):
    catalog = resolved("config.csc.training", [])
    assert catalog.model_ids("csc") == ["theirs"] and list(catalog.left_out) == ["slow", "fitted"]
    with pytest.raises(InputError, match=r"csc.models names 'fitted', which can't be made: .* csc.training"):
        resolved("config.csc", {"corpora": ["law"], "models": ["fitted"]})


FLAGGED = MODELS["trie"] | {"trust": "flagged", "trust_reason": "a backdoor", "trust_source": "a report"}


def test_a_flagged_model_is_left_out_unless_the_config_allows_it(resolved):
    catalog = resolved("models.trie", FLAGGED)
    said = "it is flagged: a backdoor (a report); the config's key allow_flagged can name it"
    assert catalog.left_out["trie"] == said and f"not run: trie: {said}" in catalog.remarks()


def test_a_flagged_model_that_is_allowed_is_evaluated_as_flagged(resolved, monkeypatch):
    monkeypatch.setitem(MODELS, "trie", FLAGGED)
    assert resolved("config.allow_flagged", ["trie"]).models["trie"]["trust"] == "flagged"
    assert "trie" in resolved("config.g2p.models", ["trie"]).left_out
    with pytest.raises(InputError, match=r"allow_flagged names 'tri', which is not in .*; did you mean 'trie'"):
        resolved("config.allow_flagged", ["tri"])


@pytest.mark.parametrize("missing", [{"packages": ["no-such-package"]}, {"inputs": ["no/such.lm"]}])
def test_a_model_that_says_how_to_install_it_is_left_out_where_something_is_missing(resolved, missing):
    entry = MODELS["fitted"] | {"install": "`make it`", "packages": ["numpy"], "inputs": ["config"]}
    assert "fitted" in resolved("models.fitted", entry).models
    catalog = resolved("models.fitted", entry | missing)
    [[thing]] = missing.values()
    assert catalog.model_ids("csc") == ["theirs"]
    assert f"not run: fitted: not installed: {thing}; to install: `make it`" in catalog.remarks()
    with pytest.raises(
        InputError, match=r"names 'fitted', which can't be made: not installed: .* to install: `make it`"
    ):
        named = {"csc": CONFIG["csc"] | {"models": ["fitted"]}}
        resolve(CONFIG | named, SCHEMAS)


@pytest.mark.parametrize("task", ["g2p", "csc"])
def test_a_task_without_corpora_has_no_models(resolved, task):
    catalog = resolved(f"config.{task}", {})
    assert catalog.model_ids(task) == [] and catalog.models
    left_out = {
        model for model, reason in catalog.left_out.items() if reason == f"the config names no corpus for {task}"
    }
    assert left_out == {model for model, entry in MODELS.items() if entry["task"] == task}


def test_named_models_are_taken_though_not_enabled(resolved):
    assert resolved("config.g2p.models", ["slow"]).model_ids("g2p") == ["slow"]
    assert resolved("config.g2p.models", []).model_ids("g2p") == []


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("config.sed", 1, "config: unknown key 'sed' at top level; did you mean 'seed'?"),
        ("config.g2p.corpus", [], "config: unknown key 'corpus' at g2p; did you mean 'corpora'?"),
        ("config.csc.trainings", [], "config: unknown key 'trainings' at csc; did you mean 'training'?"),
        ("config.pathvars.result", "x", "config: unknown key 'result' at pathvars; did you mean 'results'?"),
        ("config.catalogs.model", "x", "config: unknown key 'model' at catalogs; did you mean 'models'?"),
        ("config.g2p.pools", [{"name": "a", "corpora": ["words", "verse"], "x": 1}], "unknown key 'x' at g2p.pools.0"),
        ("corpora.law.lenientt", True, "corpora.yaml: unknown key 'lenientt' at law; did you mean 'lenient'?"),
        ("corpora.law.files.txt", "a", "corpora.yaml: 'txt' at law.files is not known; did you mean 'text'?"),
        ("sources.zoo.files.x", PIN | {"sha": "1"}, "sources.yaml: unknown key 'sha' at zoo.files.x; did you mean"),
        (
            "corpora.words.files.sent",
            {"sorce": "zoo", "file": "words.sent"},
            "corpora.yaml: unknown key 'sorce' at words.files.sent; did you mean 'source'?",
        ),
        ("models.trie.clas", "a:B", "models.yaml: unknown key 'clas' at trie; did you mean 'class'?"),
    ],
)
def test_unknown_key_at_each_level(resolved, path, value, message):
    with pytest.raises(InputError) as error:
        resolved(path, value)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "config.g2p.corpora",
            ["word"],
            "g2p.corpora names 'word', which is not in config/corpora.yaml; did you mean 'words'?",
        ),
        ("config.g2p.corpora", ["law"], "g2p.corpora names 'law', which is not in"),
        (
            "config.csc.models",
            ["fited"],
            "csc.models names 'fited', which is not in config/models.yaml; did you mean 'fitted'?",
        ),
        ("config.csc.models", ["trie"], "csc.models names 'trie', which is not in"),
        (
            "corpora.words.files.sent.source",
            "zo",
            "source 'zo', which is not in config/sources.yaml; did you mean 'zoo'?",
        ),
        (
            "corpora.words.files.sent.file",
            "word.sent",
            "file 'word.sent', which is not in config/sources.yaml, zoo; did",
        ),
        (
            "models.theirs.files",
            {"laws": "a"},
            "model 'theirs', files: corpus 'laws', which is not in config/corpora.yaml; did",
        ),
        (
            "config.g2p.pools",
            [{"name": "a", "corpora": ["words", "wörds"]}],
            "pool 'a' names 'wörds', which g2p.corpora does",
        ),
        ("corpora.law.reader", "pear", "'pear' at law.reader is not known; did you mean 'pairs'?"),
        ("models.trie.kind", "pyton", "'pyton' at trie.kind is not known; did you mean 'python'?"),
    ],
)
def test_unknown_names(resolved, path, value, message):
    with pytest.raises(InputError) as error:
        resolved(path, value)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "config.csc.corpora",
            ["law-train"],
            "csc.corpora names 'law-train', whose role is 'training'; expected scored or",
        ),
        ("config.csc.training", ["law"], "csc.training names 'law', whose role is 'scored'; expected training"),
        ("corpora.words.role", "training", "'training' at words.role does not go with task: g2p; expected scored"),
        ("corpora.words.task", "csc", "'anchored' at words.reader goes with task: g2p; expected pairs or"),
        (
            "corpora.law.files",
            {"text": "a", "truth": "b"},
            "'truth' at law.files goes with reader: sighan or ctc2021; expected text or gold",
        ),
        ("corpora.words.files", {"sent": "a"}, "key 'lb' is missing at words.files"),
        (
            "corpora.law.columns",
            ["input"],
            "corpus 'law' has columns ['input']; a gold column goes with every role but",
        ),
        ("corpora.law-blind.columns", ["input", "gold"], "corpus 'law-blind' has columns"),
        ("corpora.law.columns", ["gold", "errors"], "law.columns"),
        ("models.trie", {"task": "g2p", "title": "Trie", "kind": "python"}, "key 'class' is missing at trie"),
        ("models.theirs", {"task": "csc", "title": "T", "kind": "predictions"}, "key 'files' is missing at theirs"),
        ("models.trie.class", "package.Trie", "trie.class"),
        ("config.seed", "one", "'one' is not of type 'integer' at seed"),
        ("config.g2p", None, "None is not of type 'object' at g2p"),
        ("config.g2p.corpora", ["words", "words"], "at g2p.corpora"),
        ("config.g2p.pools", [{"name": "a", "corpora": ["words"]}], "at g2p.pools.0.corpora"),
        ("config.g2p.pools", [{"name": "a", "corpora": ["words", "verse"]}] * 2, "two of g2p.pools are named 'a'"),
        ("sources.zoo", {"licence": "MIT", "base_url": "x", "listing": "l.csv"}, "source 'zoo' has no files"),
        ("sources.zoo", None, "sources.yaml: None is not of type 'object' at zoo"),
    ],
)
def test_what_does_not_fit(resolved, path, value, message):
    with pytest.raises(InputError) as error:
        resolved(path, value)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "file.yaml, line 3: key 'a' stands twice"),
        ("a:\n  b: 1\n  b: 2\n", "file.yaml, line 3: key 'b' stands twice"),
        ("a: [1, 2\nb: 3\n", "file.yaml, line 2: "),
        ("- a\n- b\n", "file.yaml: expected a mapping of keys to values"),
        ("", "file.yaml: expected a mapping"),
        (b"a: \xff\n", "file.yaml: can't be read"),
    ],
)
def test_wrong_yaml(write, text, message):
    with pytest.raises(InputError) as error:
        load_yaml(write(text, "file.yaml"))
    assert message in str(error.value)


MISPLACED = {
    "corpora": {
        **{f"law.{key}": "reader: merlion" for key in ("masked", "lenient_recoding")},
        **{f"law.{key}": "task: merlion" for key in ("origin", "confidential", "compressed")},
        "law.register": "task: g2p",
        **{f"dev.{key}": "reader: pairs" for key in ("lenient", "columns", "delimiter", "remove_blanks")},
        **{f"mucgec.{key}": "reader: pairs" for key in ("lenient", "columns", "delimiter", "remove_blanks")},
        **{f"read.{key}": "reader: merlion" for key in ("masked", "lenient_recoding")},
        **{f"{corpus}.ignored_characters": "task: csc" for corpus in ("words", "dev")},
    },
    "models": {
        **{f"theirs.{key}": "kind: python" for key in ("class", "inputs", "install", "packages")},
        "theirs.options": "kind: python, or kind: hub",
        **{f"theirs.{key}": "kind: python or hub or chat" for key in ("threads", "limits", "gpus")},
        **{
            f"theirs.{key}": "task: csc, kind: chat"
            for key in ("endpoint", "chat_model", "prompt", "key_variable", "max_tokens", "at_once", "price")
        },
        **{f"theirs.{key}": "kind: hub" for key in ("hub", "revision")},
        "theirs.loader": "task: g2p, kind: hub, or task: csc, kind: hub, or task: lid, kind: hub",
        **{
            f"{model}.fit": "task: lid, kind: hub, or task: csc or lid or ld, kind: python"
            for model in ("theirs", "trie")
        },
        "fitted.files": "kind: hub, or kind: predictions",
        "trie.prior_data": "task: csc",
        **{f"{model}.training": "task: lid, kind: hub, or task: lid, fit: true" for model in ("floor", "fitted")},
        **{f"{model}.lid": "task: ld, kind: python" for model in ("floor", "trie", "theirs")},
        **{f"{model}.{key}": "task: lid or ld" for model in ("trie", "fitted") for key in ("track", "pretrained")},
    },
    "sources": {**{f"list.{key}": "files" for key in ("repository", "commit")}},
}
SAMPLES = {
    "corpora": CORPORA
    | {
        "mucgec": CORPORA["law"] | {"reader": "mucgec"},
        "dev": CORPORA["law"] | {"task": "merlion", "reader": "merlion", "files": {"audio": "dev"}},
        "read": CORPORA["law"] | {"task": "merlion", "reader": "nsc", "files": {"audio": "read"}},
    },
    "models": MODELS | {"floor": {"task": "lid", "title": "Floor", "kind": "python", "class": "package:Floor"}},
    "sources": {"list": {"licence": "MIT", "base_url": "http://127.0.0.1:9/", "listing": "list.csv"}},
}


@pytest.mark.parametrize(
    ("catalog", "place", "where"),
    [(catalog, place, where) for catalog, keys in MISPLACED.items() for place, where in keys.items()],
)
def test_a_misplaced_key_is_refused_with_what_it_goes_with(catalog, place, where):
    schema = SCHEMAS / f"{catalog}.schema.yaml"
    check(SAMPLES[catalog], schema, "x.yaml")
    entry, _, key = place.partition(".")
    wrong = change(SAMPLES[catalog], place, 1)
    with pytest.raises(InputError, match=re.escape(f"x.yaml: key '{key}' at {entry} goes with {where}") + "$"):
        check(wrong, schema, "x.yaml")
    # So says any validator that knows the schema alone.
    assert not Draft202012Validator(load_yaml(schema)).is_valid(wrong)


@pytest.mark.parametrize("catalog", SAMPLES)
def test_keys_that_only_some_entries_have_are_each_misplaced_somewhere(catalog):
    entry = load_yaml(SCHEMAS / f"{catalog}.schema.yaml")["additionalProperties"]
    own = {key for branch in entry["allOf"] for key in branch["then"]["properties"]} - entry["properties"].keys()
    assert own - {"files", "listing"} == {place.partition(".")[2] for place in MISPLACED[catalog]} - {"files"}


def test_the_kind_of_an_entry_is_right_before_a_key_is_misplaced():
    for change_of, message in (({"kind": "pyton"}, "did you mean 'python'"), ({"clas": "a:B"}, "did you mean 'class'")):
        with pytest.raises(InputError, match=message):
            check({"trie": MODELS["trie"] | change_of}, SCHEMAS / "models.schema.yaml", "models.yaml")


def test_readers_of_training_data_need_no_role():
    checked = check(SAMPLES["corpora"], SCHEMAS / "corpora.schema.yaml", "x.yaml")
    assert (checked["read"]["role"], checked["dev"]["role"]) == ("training", "scored")
    assert "columns" in checked["law"] and "columns" not in checked["dev"] and "origin" not in checked["law"]


def test_each_reader_of_the_schema_is_one_of_the_code():
    found = {}
    for names, task, _ in readers(load_yaml(SCHEMAS / "corpora.schema.yaml")):
        found.setdefault(task, []).extend(names)
    assert sorted(found["csc"]) == sorted(["pairs", *CSC_READERS])
    assert sorted(found["merlion"]) == sorted(["merlion", *TRAINING_READERS])
    assert sorted(found["g2p"]) == ["anchored", "dufu"]


@pytest.mark.parametrize("name", ["Law", "law_1", "-law", "a--b", "law ", "法"])
def test_an_id_is_refused_in_words(resolved, name):
    with pytest.raises(InputError) as error:
        resolved(f"corpora.{name}", CORPORA["law"])
    assert "An id has lower-case letters and digits with single hyphens between" in str(error.value)
    assert "such as `nlpcc2023-dev`" in str(error.value) and "[a-z" not in str(error.value)


@pytest.mark.parametrize("catalog", ["corpora", "models", "sources"])
def test_shipped_catalogs_are_right_by_the_schema_alone(catalog):
    entries = load_yaml(ROOT / f"config/{catalog}.yaml")
    schema = SCHEMAS / f"{catalog}.schema.yaml"
    assert not list(Draft202012Validator(load_yaml(schema)).iter_errors(entries))
    assert check(entries, schema, catalog).keys() == entries.keys()


def test_merged_keys_may_be_overridden(write):
    text = "\ufeffa: &a {x: 1, y: 2}\nb:\n  <<: *a\n  x: 3\n"
    assert load_yaml(write(text)) == {"a": {"x": 1, "y": 2}, "b": {"x": 3, "y": 2}}


def test_missing_catalog_is_named(resolved):
    with pytest.raises(InputError, match=r"no/models\.yaml: can't be read"):
        resolved("config.catalogs.models", "no/models.yaml")


def test_filled_defaults_are_nobody_elses(resolved):
    first = resolved()
    first.models["trie"]["options"]["size"] = 1
    assert resolved().models["trie"]["options"] == first.models["fitted"]["options"] == {}


@pytest.mark.parametrize("name", ["config.yaml", "full.yaml", "speech.yaml"])
def test_shipped_configs_resolve(monkeypatch, name):
    monkeypatch.chdir(ROOT)
    catalog = resolve(load_yaml(f"config/{name}"), SCHEMAS)
    text, speech = name != "speech.yaml", name != "full.yaml"
    for task in ("g2p", "csc"):
        assert bool(catalog.corpus_ids(task, "scored")) == bool(catalog.model_ids(task)) == text
    assert bool(catalog.corpus_ids("csc", "submission")) == bool(catalog.corpus_ids("csc", "training")) == text
    assert bool(catalog.corpus_ids("merlion", "scored")) == bool(catalog.model_ids("ld")) == speech
    expected = (
        *("its entry says enabled: false", "the config's key disabled", "the config names no corpus for"),
        "not installed: ",
    )
    assert all(reason.startswith(expected) for reason in catalog.left_out.values())
    retrieved = [file for i in catalog.corpora for file in catalog.files_of(i, "RETRIEVED").values()]
    local = [file for file in retrieved if not file.startswith(("RETRIEVED/", "<shared>/"))]
    assert all(Path(file).exists() for file in local)
    assert bool(local) == (name == "config.yaml")


@pytest.mark.parametrize("schema", sorted(SCHEMAS.glob("*.yaml")), ids=lambda path: path.name.split(".")[0])
def test_every_key_of_a_schema_is_closed_and_described(schema):
    def walk(node, place):
        for key, sub in node.get("properties", {}).items():
            if place != "oneOf":
                assert sub.get("description"), f"{key} at {place} has no description"
            walk(sub, key)
        if "properties" in node:
            closed = "unevaluatedProperties" if "allOf" in node else "additionalProperties"
            assert node.get(closed) is False, place
        for branch in node.get("allOf", ()):
            for key, sub in branch["then"]["properties"].items():
                assert key in node["properties"] or sub.get("description"), f"{key} has no description"
            assert set(branch["if"]) <= {"required", "properties"} and branch["if"]["required"]
            assert all(
                len(of.keys() & {"const", "enum"}) == len(of) == 1 for of in branch["if"].get("properties", {}).values()
            )
        for key in ("additionalProperties", "items"):
            if isinstance(node.get(key), dict):
                walk(node[key], place)
        for sub in node.get("oneOf", ()):
            walk(sub, "oneOf")

    walk(load_yaml(schema), "top level")


def test_check_leaves_what_it_was_given_as_it_was():
    given = {"g2p": {"corpora": ["words"]}}
    assert check(given, SCHEMAS / "config.schema.yaml", "config")["g2p"]["pools"] == []
    assert given == {"g2p": {"corpora": ["words"]}}


SPEECH = {
    "corpora": {
        "dev": {"task": "merlion", "reader": "merlion", "files": {"audio": "dev"}},
        "evaluation": {"task": "merlion", "reader": "merlion", "files": {"audio": "new"}, "role": "submission"},
        "newer": {"task": "merlion", "reader": "merlion", "files": {"audio": "newer"}, "role": "submission"},
        "read": {"task": "merlion", "reader": "librispeech", "files": {"audio": "read"}, "role": "training"},
    },
    "models": {
        "floor": {"task": "lid", "kind": "python", "class": "package:Floor"},
        "mixture": {"task": "lid", "kind": "python", "class": "package:Mixture", "fit": True},
        "large": {"task": "lid", "kind": "python", "class": "package:Large", "fit": True, "training": "all"},
        "vad+mixture": {"task": "ld", "kind": "python", "class": "package:Vad", "lid": "mixture"},
        "vad+large": {"task": "ld", "kind": "python", "class": "package:Vad", "lid": "large"},
    },
    "config": {
        "merlion": {
            "corpora": ["dev", "evaluation"],
            "training": ["read"],
            "partitions": [
                {"name": "small", "parts": [{"corpus": "read", "hours": 1}]},
                {"name": "all", "track": "open", "parts": [{"corpus": "read"}], "pretrained": []},
            ],
        },
        "lid": {"training": "small"},
    },
}
PRETRAINED = {"name": "wav2vec 2.0", "version": "base", "url": "https://example.org/w2v", "public": True}


@pytest.fixture
def speech(resolved, monkeypatch):
    """resolve() of a config with speech tasks, changed as that of ``resolved``."""
    entries = {
        name: {
            i: {"title": i, **({"licence": "MIT"} if name == "corpora" else {}), **e} for i, e in SPEECH[name].items()
        }
        for name in ("corpora", "models")
    }
    monkeypatch.setitem(globals(), "CORPORA", entries["corpora"])
    monkeypatch.setitem(globals(), "MODELS", entries["models"])
    monkeypatch.setitem(globals(), "CONFIG", SPEECH["config"])
    return resolved


def test_a_speech_model_has_the_partition_and_track_it_is_fitted_on(speech):
    catalog = speech()
    partitions = {model: catalog.partition_of(model) for model in catalog.models}
    assert partitions == {"floor": None} | {
        m: "all" if "large" in m else "small" for m in SPEECH["models"] if m != "floor"
    }
    tracks = {model: catalog.track_of(model) for model in catalog.models}
    assert tracks == {m: "open" if "large" in m else "closed" for m in SPEECH["models"]}


def test_pretrained_models_are_inherited_from_the_lid_model(speech):
    catalog = speech("models.large.pretrained", [PRETRAINED])
    assert catalog.pretrained_of("vad+large") == catalog.pretrained_of("large") == [PRETRAINED]
    assert catalog.pretrained_of("vad+mixture") == []


def test_diarization_follows_the_selected_lid_models(speech):
    assert speech("config.lid.models", ["floor", "mixture"]).model_ids("ld") == ["vad+mixture"]


def test_models_that_need_training_are_left_out_where_the_config_names_none(speech):
    catalog = speech("config", {"merlion": {"corpora": ["dev"]}})
    assert catalog.model_ids("lid") == ["floor"] and catalog.model_ids("ld") == []
    assert catalog.left_out == {
        "mixture": "it is to be fitted, but neither lid.training nor its entry names a partition",
        "large": "it is to be fitted on partition 'all', not in merlion.partitions; none is known",
        "vad+mixture": "its lid model 'mixture' is not evaluated",
        "vad+large": "its lid model 'large' is not evaluated",
    }


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "models.vad+large.lid",
            "larg",
            "lid: model 'larg', which is not in config/models.yaml; did you mean 'large'?",
        ),
        (
            "config.lid.training",
            "al",
            "lid.training names 'al', which is not in merlion.partitions; did you mean 'all'?",
        ),
        ("config.lid", {"models": ["large"], "training": "al"}, "did you mean 'all'?"),
        (
            "config.lid",
            {"models": ["mixture"]},
            "lid.models names 'mixture', which can't be made: it is to be fitted, but neither lid.training",
        ),
        ("config.lid", {"models": ["floor"], "training": "small"}, None),
        ("config.merlion.corpora", ["dev", "evaluation", "newer"], "names the evaluation sets evaluation, newer"),
        ("models.large.pretrained", [{"name": "x"}], "'version' is missing at large.pretrained.0"),
        ("models.large.track", "closd", "'closd' at large.track is not known; did you mean 'closed'?"),
    ],
)
def test_speech_models_that_do_not_fit(speech, path, value, message):
    if message is None:
        assert speech(path, value).model_ids("ld") == []
        return
    with pytest.raises(InputError, match=re.escape(message)):
        speech(path, value)


def test_a_named_diarization_model_needs_its_lid_model(speech):
    with pytest.raises(InputError, match=r"'vad\+large', whose lid model 'large' is not in lid.models"):
        speech(
            "config", SPEECH["config"] | {"lid": {"models": [], "training": "small"}, "ld": {"models": ["vad+large"]}}
        )


def test_entries_of_ones_own_stand_in_a_file_of_their_own(resolved):
    Path("mine.yaml").write_text(yaml.safe_dump({"mine": MODELS["trie"]}), encoding="utf-8")
    catalog = resolved("config.catalogs.models", ["config/models.yaml", "mine.yaml"])
    assert catalog.model_ids("g2p") == ["trie", "mine"]
    Path("mine.yaml").write_text(yaml.safe_dump({"trie": MODELS["trie"]}), encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.yaml: 'trie' stands in config/models\.yaml already"):
        resolved("config.catalogs.models", ["config/models.yaml", "mine.yaml"])


def test_what_the_command_line_gives_as_text_is_what_it_is(resolved):
    resolved()
    given = {
        "seed": "7",
        "merlion": {"shards": "4", "tone_peak": "0.5", "corpora": []},
        "csc": {"models": "null"},
        "g2p": {"corpora": ["verse"], "models": ["trie"], "pools": []},
        "lid": {"training": "null"},
        "mirror": "123",
    }
    config = resolve(CONFIG | given, SCHEMAS, given).config
    assert (config["seed"], config["merlion"]["shards"], config["merlion"]["tone_peak"]) == (7, 4, 0.5)
    assert config["csc"]["models"] is None and config["lid"]["training"] is None
    assert config["mirror"] == "123"
    with pytest.raises(InputError, match=r"'many' is not of type 'integer' at merlion\.shards"):
        resolve(CONFIG, SCHEMAS, {"merlion": {"shards": "many"}})
    with pytest.raises(InputError, match="'4' is not of type 'integer'"):
        resolve(CONFIG | {"merlion": {"shards": "4"}}, SCHEMAS)


def test_what_a_run_leaves_out_is_said_by_reason(resolved):
    catalog = resolved("models.mine", {**MODELS["trie"], "title": "Mine"})
    assert catalog.model_ids("g2p") == ["mine", "trie"]
    assert catalog.remarks() == ["not run: slow: its entry says enabled: false"]
    catalog = resolved("config", CONFIG | {"disabled": ["trie"], "csc": {"corpora": ["law"], "models": ["theirs"]}})
    assert catalog.remarks() == [
        "not run: slow: its entry says enabled: false",
        "not run: trie: the config's key disabled names it",
        "not run: fitted: csc.models does not name it",
        "corpora that the config does not name: law-blind, law-train",
    ]
    with pytest.raises(
        InputError, match=r"disabled names 'tri', which is not in config/models\.yaml; did you mean 'trie'"
    ):
        resolved("config.disabled", ["tri"])


@pytest.mark.parametrize("name", ["config.yaml", "full.yaml", "speech.yaml"])
def test_shipped_configs_hide_no_entry_of_ones_own(monkeypatch, name):
    monkeypatch.chdir(ROOT)
    config = load_yaml(f"config/{name}")
    assert not [task for task in ("g2p", "csc", "lid", "ld") if "models" in config.get(task, {})]


def test_the_order_of_keys_in_a_file_changes_no_entry(resolved):
    def turned(tree):
        return {key: turned(tree[key]) for key in reversed(tree)} if isinstance(tree, dict) else tree

    before = resolved()
    after = resolved("models", {name: turned(MODELS[name]) for name in MODELS})
    assert repr(after.models) == repr(before.models)
    law = resolved("corpora.law", turned(CORPORA["law"])).corpora["law"]
    assert repr(law) == repr(before.corpora["law"])
