import subprocess
import sys

from sinobench.dependencies import data_files, installed_versions


def test_files_that_options_name_and_inputs_with_all_that_is_in_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.bin", "b.bin", "weights/deep/c.bin", "free/d.bin"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    options = {
        "one": "a.bin",
        "many": [{"two": "b.bin"}],
        "no": ["的", "x" * 5000, "\0", 3, None, True],
        "free": "free",
    }
    assert data_files({"options": options, "inputs": ["weights"]}) == [
        "a.bin",
        "b.bin",
        "weights",
        "weights/deep/c.bin",
    ]


def test_packages_that_are_not_installed_are_no_error_yet():
    assert installed_versions(["no-such-package-at-all"]) == {"no-such-package-at-all": "not installed"}


def test_neighbours_of_two_models_do_not_take_each_others_place(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "helper.py").write_text(f"NAME = '{folder}'\n")
        (tmp_path / folder / "model.py").write_text("import helper\n\nclass M:\n    name = helper.NAME\n")
    load = "from sinobench.models import load_class\nprint(load_class('{}/model.py:M').name)\n"

    def run(*folders):
        command = "".join(load.format(tmp_path / folder) for folder in folders)
        return subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False)

    assert run("one", "one").stdout.split() == ["one", "one"]
    assert run("two").stdout.split() == ["two"]
    both = run("one", "two")
    assert both.returncode == 1 and "'helper' is already imported from" in both.stderr
