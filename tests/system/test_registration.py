"""What CONTRIBUTING says of adding something, tried on a copy of the package."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.demo import Demo
from tests.support.paths import ROOT

TOY = '''"""The top of the lattice, whatever it loses."""

from duckanon.lattice import Lattice
from duckanon.search.evaluation.evaluator import Evaluator
from duckanon.search.evaluation.outcome import SearchOutcome

IS_WALK = False


def search(evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    """The top, if it satisfies."""
    top = lattice.top
    return SearchOutcome(top if evaluator.satisfies(top) else None, evaluator.objective.floor(lattice.bottom), proven=False)
'''


def test_an_algorithm_is_one_file(tmp_path: Path, demo: Demo) -> None:
    package = tmp_path / "copy" / "duckanon"
    shutil.copytree(ROOT / "duckanon", package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("sql", "hierarchies"):
        shutil.copytree(ROOT / folder, package / folder)
    (package / "search" / "algorithms" / "summit.py").write_text(TOY, encoding="utf-8")
    demo(tmp_path / "people.parquet", 500)
    duckanon = [sys.executable, "-m", "duckanon"]
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    command = [*duckanon, "anonymize", "people.parquet", "--qi", "age,sex", "--algorithm", "summit", "--json"]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    recoding = json.loads(run.stdout)["recoding"]
    assert (recoding["algorithm"], recoding["visited"]) == ("summit", 1)
    schema = subprocess.run(
        [*duckanon, "job", "schema"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert "summit" in schema.stdout
