import sys
import time

import pytest

from sinobench import models
from sinobench.errors import InputError


def anything(text, output):
    return None


class Echo:
    calls = 0

    def predict(self, texts):
        self.calls += 1
        return list(texts)


def run(make=Echo, texts=("一", "二"), check=anything):
    running = models.Running("echo", make, check)
    running.outputs(texts)
    return running


def test_distinct_texts_go_in_once_in_their_order():
    seen = []
    found = run(lambda: lambda texts: seen.append(texts) or list(texts), ["二", "一", "二", "三"])
    assert seen == [["二", "一", "三"]] and found.outputs("二一三") == {"二": "二", "一": "一", "三": "三"}


def test_texts_of_the_part_before_are_not_asked_again():
    seen = []
    running = models.Running("echo", lambda: lambda texts: seen.append(texts) or list(texts), anything)
    assert [running.outputs(part) for part in ("一二", "二三", "二三")][1:] == [{"二": "二", "三": "三"}] * 2
    assert seen == [["一", "二"], ["三"]]
    assert running.row("csc", "corpus", 1, [])["n_texts"] == 3


REORDERS = {
    "sorts": lambda texts: texts.sort() or [text.upper() for text in texts],
    "sorts-and-returns-in-order": lambda texts: [[text.upper() for text in texts], texts.sort()][0],
    "reverses": lambda texts: texts.reverse() or [text.upper() for text in texts],
}


@pytest.mark.parametrize("predict", REORDERS.values(), ids=REORDERS.keys())
def test_outputs_of_a_model_that_reorders_its_list_stand_on_no_text(predict):
    with pytest.raises(InputError, match="model 'echo' reordered the list that it was given"):
        run(lambda: predict, ["b", "a"])


ALTERS = {
    "takes-from-it": lambda texts: [texts.pop(0).upper() for _ in range(len(texts))],
    "adds-to-it": lambda texts: [[text.upper() for text in texts], texts.append("")][0],
    "replaces": lambda texts: texts.__setitem__(slice(None), [text.upper() for text in texts]) or texts,
}


@pytest.mark.parametrize("predict", ALTERS.values(), ids=ALTERS.keys())
def test_a_model_may_alter_its_list_in_place(predict):
    assert run(lambda: predict, ["b", "a", "b"]).outputs("ba") == {"b": "B", "a": "A"}


def test_predict_goes_before_call():
    class Both(Echo):
        def __call__(self, texts):
            raise AssertionError("not the way in")

    assert run(Both).outputs("一二") == {"一": "一", "二": "二"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: 1 / 0, "model 'echo' failed while being loaded: ZeroDivisionError: division by zero"),
        (lambda: lambda texts: texts[9], "model 'echo' failed while predicting: IndexError: list index out of range"),
        (lambda: lambda texts: texts[:1], "model 'echo' returned 1 outputs for 2 texts; expected one a text"),
        (lambda: lambda texts: [*texts, ""], "model 'echo' returned 3 outputs for 2 texts"),
        (lambda: lambda texts: "一二", "model 'echo' returned str; expected a list of 2 outputs"),
        (lambda: lambda texts: (text for text in texts), "model 'echo' returned generator"),
        (object, "model 'echo' failed while predicting: TypeError: 'object' object is not callable"),
    ],
)
def test_misbehaving_models_are_named(make, message):
    with pytest.raises(InputError) as error:
        run(make)
    assert str(error.value).startswith(message)


def test_traceback_of_a_model_goes_to_the_log(capfd):
    with pytest.raises(InputError):
        run(lambda: 1 / 0)
    assert "ZeroDivisionError: division by zero" in capfd.readouterr().err


def test_failed_check_names_model_and_text():
    with pytest.raises(InputError, match="model 'echo', text '二': too bad"):
        run(check=lambda text, output: "too bad" if text == "二" else None)


def test_interrupt_is_no_wrong_input():
    def stop(texts):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(lambda: stop)


def test_run_is_measured():
    row = run(texts=["一", "二", "一"]).row("csc", "corpus", 2, ["numpy"])
    assert row["n_texts"] == 2 and row["threads"] == 2
    assert row["load_s"] >= 0 and row["predict_s"] > 0
    assert row["items_per_s"] == pytest.approx(2 / row["predict_s"])
    assert 1 < row["peak_memory_mb"] < 1e6
    assert row["versions"].startswith("python 3.") and ", numpy " in row["versions"]


def test_load_and_prediction_are_measured_apart():
    slow_to_predict = run(lambda: lambda texts: time.sleep(0.05) or list(texts))
    slow_to_load = run(lambda: time.sleep(0.05) or Echo())
    assert slow_to_predict.load_s < slow_to_predict.predict_s >= 0.05
    assert slow_to_load.predict_s < slow_to_load.load_s >= 0.05


def test_package_that_is_not_installed():
    with pytest.raises(InputError, match="package 'no-such-package' is not installed"):
        models.versions(["no-such-package"])


def test_class_of_a_module():
    assert models.load_class("sinobench.csc.models.do_nothing:DoNothing")().predict(["一"]) == ["一"]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (
            "sinobench.csc.models.nothing:DoNothing",
            "No module named 'sinobench.csc.models.nothing'; install its package",
        ),
        ("sinobench.csc.models.do_nothing:Nothing", "sinobench.csc.models.do_nothing has no class 'Nothing'"),
        ("sinobench.csc.models.do_nothing:__doc__", "has no class '__doc__'"),
        ("absent/model.py:Model", "absent/model.py: no such file"),
    ],
)
def test_class_that_is_not_there(target, message):
    with pytest.raises(InputError) as error:
        models.load_class(target)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import no_such_package", "No module named 'no_such_package'"),
        ("raise RuntimeError('broken')", "RuntimeError: broken"),
        ("class Model", "SyntaxError"),
        ("class Other: pass", "has no class 'Model'"),
    ],
)
@pytest.mark.parametrize("kind", ["file", "module"])
def test_broken_code_is_named(write, monkeypatch, kind, source, message):
    path = write(source, f"broken_{kind}.py")
    monkeypatch.syspath_prepend(path.parent)
    monkeypatch.delitem(sys.modules, "broken_module", raising=False)
    with pytest.raises(InputError) as error:
        models.load_class("broken_module:Model" if kind == "module" else f"{path}:Model")
    assert message in str(error.value) and f"broken_{kind}" in str(error.value)


def test_file_may_hold_dataclasses(write):
    source = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n"
        "@dataclass\nclass Model:\n    size: int = 1\n"
    )
    assert models.load_class(f"{write(source, 'with_dataclass.py')}:Model")().size == 1


def test_two_files_of_one_name_stay_apart(write, tmp_path):
    (tmp_path / "other").mkdir()
    paths = [write(f"class Model: number = {n}", name) for n, name in enumerate(("model.py", "other/model.py"))]
    classes = [models.load_class(f"{path}:Model") for path in paths]
    assert [cls.number for cls in classes] == [0, 1]


def test_what_the_source_of_a_class_tells_is_read_without_running_it(write, monkeypatch):
    mine = "class Mine:\n    'Says so.'\n    takes: str = 'audio'\n"
    path = write(f"import nowhere\nraise SystemExit\n{mine}class Other:\n    pass\n", "package/__init__.py")
    monkeypatch.syspath_prepend(path.parents[1])
    assert models.told_of(f"{path}:Mine") == models.told_of("package:Mine") == ("Says so.", "audio")
    assert models.told_of(f"{path}:Other") == models.told_of("absent.module:Mine") == ("", None)
    assert models.told_of("sinobench.csc.models.do_nothing:DoNothing")[0].startswith("Alters nothing")
