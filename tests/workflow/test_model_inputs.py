"""What a model's results depend on beside its entry: paths that exist, its neighbours, its weights and its packages."""

from tests.project import snakemake

ENTRY = """
mine:
  task: csc
  title: Mine
  kind: python
  class: own/models/mine.py:Mine
  options: {weights: own/weights.txt}
  inputs: [own/tables]
  packages: [numpy]
"""
MODEL = """
import neighbour
from own.models.layers.inner import twice

class Mine:
    def __init__(self, weights):
        self.fix = open(weights).read().strip()

    def predict(self, texts):
        import late
        return [late.same(neighbour.same(twice(text))) for text in texts]
"""
SAME = "def same(text):\n    return text\n"
TARGET = "results/csc/metrics/sample-csc/mine.parquet"


def test_a_model_runs_again_for_what_it_is_made_of_and_never_for_paths_that_are_gone(workflow):
    own = workflow / "own/models"
    (own / "layers").mkdir(parents=True)
    (workflow / "own/tables").mkdir()
    files = {
        own / "mine.py": MODEL,
        own / "neighbour.py": SAME,
        own / "late.py": SAME,
        own / "layers/inner.py": "from .most import twice\n",
        own / "layers/most.py": "def twice(text):\n    return text\n",
        workflow / "own/weights.txt": "的\n",
        workflow / "own/tables/a.txt": "一\n",
    }
    for path, content in files.items():
        path.write_text(content, encoding="utf-8")
    with (workflow / "config/models.yaml").open("a", encoding="utf-8") as catalog:
        catalog.write(ENTRY)
    result = snakemake(workflow, TARGET)
    assert result.returncode == 0, result.stderr
    assert not _planned(workflow)
    for path in [*files][-3:]:
        before = path.read_text(encoding="utf-8")
        path.write_text(before + ("" if path.suffix == ".txt" else "changed = ") + "1\n", encoding="utf-8")
        assert _planned(workflow), path
        path.write_text(before, encoding="utf-8")
    assert not _planned(workflow)
    metadata = workflow / "own/models/sitecustomize.py"
    metadata.write_text(
        "from importlib import metadata\n"
        "installed = metadata.version\n"
        "metadata.version = lambda package: '0.1' if package == 'numpy' else installed(package)\n"
    )
    assert _planned(workflow, PYTHONPATH=f"{workflow}/scripts:{metadata.parent}")

    entry = ENTRY.replace("own/models/mine.py", "own/models/gone.py")
    theirs = "\nmine: {task: csc, title: M, kind: predictions, files: {sample-csc: own/gone.txt}}\n"
    catalog = (workflow / "config/models.yaml").read_text(encoding="utf-8")
    for changed, key in (
        (entry, "class: 'own/models/gone.py'"),
        (ENTRY.replace("own/tables", "own/gone"), "inputs: 'own/gone'"),
        (theirs, "files.sample-csc: 'own/gone.txt'"),
    ):
        (workflow / "config/models.yaml").write_text(catalog.replace(ENTRY, changed), encoding="utf-8")
        result = snakemake(workflow, TARGET)
        assert result.returncode == 1 and "Traceback" not in result.stderr
        assert f"model 'mine', {key} does not exist" in result.stderr


def test_a_corpus_that_is_gone_is_not_hidden_by_its_results(workflow):
    (workflow / "resources/samples/csc/sample.tsv").rename(workflow / "sample.tsv")
    result = snakemake(workflow, "-n", "csc")
    assert result.returncode == 1
    assert "corpus 'sample-csc', files.text: 'resources/samples/csc/sample.tsv' does not exist" in result.stderr


def _planned(folder, **environment):
    result = snakemake(folder, "-n", TARGET, **environment)
    assert result.returncode == 0, result.stdout + result.stderr
    return "Nothing to be done" not in result.stdout + result.stderr
