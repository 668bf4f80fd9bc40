"""A checkout may lie anywhere."""

import shutil
import subprocess
import sys
import sysconfig

TARGETS = ("results/csc/metrics/sample-csc/do-nothing.parquet", "results/merlion/recordings/sample-merlion.parquet")


def test_a_path_with_blanks_brackets_and_chinese(source, tmp_path):
    folder = shutil.copytree(source, tmp_path / "a b 中文 (1)'s")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True)
    own = sysconfig.get_path("purelib", vars={"base": str(folder / ".venv")})
    paths = [path for path in sys.path if path.endswith("site-packages")]
    with open(f"{own}/packages.pth", "w", encoding="utf-8") as file:
        file.write("\n".join([str(folder / "scripts"), *paths]))
    result = subprocess.run(
        [folder / ".venv/bin/python", "-m", "snakemake", "--cores", "2", *TARGETS],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr
