"""The imports of a process: no heavy package without work, and templates from a cache."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.demo import Demo
from tests.support.paths import ROOT

HEAVY = {"duckdb", "jinja2", "pyarrow", "pydantic", "yaml"}


@pytest.mark.parametrize(
    "code",
    ["import duckanon", "import duckanon.cli"]
    + [
        f"import sys; sys.argv[1:] = {arguments!r}; from duckanon.cli import main; main()"
        for arguments in ([], ["--help"], ["--version"], ["--no-such-option"])
    ],
)
def test_what_does_no_work_loads_nothing_heavy(code: str) -> None:
    watched = f"import atexit, sys\natexit.register(lambda: print(*sys.modules, file=sys.stderr))\n{code}"
    finished = subprocess.run(
        [sys.executable, "-c", watched], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    loaded = set(finished.stderr.splitlines()[-1].split())
    assert "duckanon" in loaded
    assert HEAVY & loaded == set()


def loaded_by(*arguments: str, cwd: Path) -> set[str]:
    """The packages that a whole process of the command line imports."""
    script = "import atexit, sys; atexit.register(lambda: print('LOADED', *{name.partition('.')[0] for name in sys.modules}, file=sys.stderr))"
    code = f"{script}; sys.argv = ['duckanon', *{list(arguments)!r}]; from duckanon.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=True)
    [line] = [line for line in done.stderr.splitlines() if line.startswith("LOADED")]
    return set(line.split())


def test_help_imports_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    heavy = {"duckdb", "pyarrow", "numpy", "pandas", "pydantic", "jinja2", "yaml", "altair", "vl_convert", "sqlglot"}
    assert not loaded_by("--help", cwd=tmp_path) & heavy
    assert not loaded_by("--version", cwd=tmp_path) & heavy


def test_a_run_imports_no_library_that_it_does_not_need(tmp_path: Path, demo: Demo) -> None:
    demo(tmp_path / "adult.parquet", 1_000)
    names = "age,sex,race,marital-status"
    run = ("anonymize", "adult.parquet", "--qi", names, "--hierarchies", "adult/five-year", "-o", "out.parquet")
    loaded = loaded_by(*run, cwd=tmp_path)
    assert {"duckdb", "jinja2"} <= loaded
    assert not loaded & {"pyarrow", "numpy", "pandas", "altair", "vl_convert", "sqlglot", "markdown_it", "pygments"}


def test_templates_are_compiled_anew_where_they_cannot_be_kept(tmp_path: Path, demo: Demo) -> None:
    demo(tmp_path / "adult.parquet", 1_000)
    (tmp_path / "file").write_text("no folder")
    code = "import sys; sys.argv = ['duckanon', 'anonymize', 'adult.parquet', '-q']; from duckanon.cli import main; main()"
    for cache in (tmp_path / "cache", tmp_path / "cache", tmp_path / "file"):
        environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
        (tmp_path / "adult.anonymized.parquet").unlink()
        (tmp_path / "adult.anonymized.parquet.manifest.json").unlink()
        (tmp_path / "adult.anonymized.parquet.job.yaml").unlink()
    assert len(list((tmp_path / "cache" / "duckanon").iterdir())) > 20
