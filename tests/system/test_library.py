"""The library in a separate interpreter: files that it leaves, and modules that it loads."""

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.support.library_tables import PEOPLE


@pytest.fixture(autouse=True)
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files that a test can look into."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.chdir(tmp_path)
    pq.write_table(PEOPLE, tmp_path / "people.parquet")
    return folder


def test_a_process_that_just_ends_leaves_nothing(private: Path) -> None:
    code = "import duckanon; made = duckanon.anonymize('people.parquet', qi='sex', hierarchies={'sex': {'kind': 'flat'}}); made.relation"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert not list(private.iterdir())


def test_a_path_loads_no_package_of_tables() -> None:
    code = (
        "import sys, duckanon; duckanon.anonymize('people.parquet', qi='sex', hierarchies='sex=sex.yaml', overwrite=True);"
        "print(sorted({'pandas', 'polars', 'altair', 'vl_convert', 'pyspark', 'numpy'} & set(sys.modules)))"
    )
    Path("sex.yaml").write_text("kind: flat\n")
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.stdout == "[]\n", ended.stderr
