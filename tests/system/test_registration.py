"""The steps of CONTRIBUTING for an addition, tried on a copy of the package."""

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.demo import Demo
from tests.support.paths import ROOT

KIND = '''"""Texts by their number of characters."""

from typing import Literal

from duckanon.engine.protocol import Column, Engine
from duckanon.hierarchy.base import Functional
from duckanon.hierarchy.lookup import Lookup, lookup_statement


class Lengths(Functional):
    """Level 1 is the number of characters."""

    WHAT = "texts by their number of characters"

    kind: Literal["lengths"] = "lengths"

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        return Lookup(lookup_statement("lengths", column, top=self.top), 2, top=self.top)
'''

TEMPLATE = """-- builds: lookup_<column>
-- reads: values_<column>
-- one row: value of the data: itself, its length, and the top
select
    text as value,
    text as level_0,
    cast(length(text) as varchar) as level_1,
    {{ top | literal }} as level_2
from {{ ("values_" ~ column) | ident }}
where value is not null and not missing
"""

ALGORITHM = '''"""The top of the lattice, whatever it loses."""

from duckanon.lattice import Lattice
from duckanon.search.evaluate import Evaluator
from duckanon.search.outcome import SearchOutcome

IS_WALK = False


def search(evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    """The top, if it satisfies."""
    top = lattice.top
    return SearchOutcome(top if evaluator.satisfies(top) else None, evaluator.objective.floor(lattice.bottom), proven=False)
'''


def copied(folder: Path) -> tuple[Path, dict[str, str]]:
    """A copy of the package, and the environment in which Python imports it."""
    package = folder / "copy" / "duckanon"
    shutil.copytree(ROOT / "duckanon", package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("sql", "hierarchies"):
        shutil.copytree(ROOT / name, package / name)
    return package, {**os.environ, "PYTHONPATH": str(package.parent)}


def run(folder: Path, environment: dict[str, str], *arguments: str) -> str:
    """What a command of the copy prints to stdout."""
    command = [sys.executable, "-m", "duckanon", *arguments]
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_an_algorithm_is_one_file(tmp_path: Path, demo: Demo) -> None:
    package, environment = copied(tmp_path)
    (package / "search" / "algorithms" / "summit.py").write_text(ALGORITHM, encoding="utf-8")
    demo(tmp_path / "people.parquet", 500)
    arguments = ["anonymize", "people.parquet", "--qi", "age,sex", "--algorithm", "summit", "--json"]
    recoding = json.loads(run(tmp_path, environment, *arguments))["recoding"]
    assert (recoding["algorithm"], recoding["visited"]) == ("summit", 1)
    assert "summit" in run(tmp_path, environment, "job", "schema")


def test_a_hierarchy_kind_is_one_file_and_its_template(tmp_path: Path) -> None:
    package, environment = copied(tmp_path)
    (package / "hierarchy" / "kinds" / "lengths.py").write_text(KIND, encoding="utf-8")
    (package / "sql" / "hierarchy" / "kinds" / "lengths.sql").write_text(TEMPLATE, encoding="utf-8")
    names = ["Ann", "Bob", "Eve", "Zoe", "Mary", "Paul", "Rose", "Carl"]
    (tmp_path / "people.csv").write_text("name,sex\n" + "".join(f"{name},f\n" for name in names), encoding="utf-8")
    (tmp_path / "name.yaml").write_text("kind: lengths\n", encoding="utf-8")
    arguments = ["anonymize", "people.csv", "--qi", "name", "--hierarchies", "name=name.yaml", "--k", "4", "--json"]
    recoding = json.loads(run(tmp_path, environment, *arguments))["recoding"]
    assert recoding["levels"] == {"name": 1}
    with (tmp_path / "people.anonymized.csv").open(encoding="utf-8") as file:
        released = sorted(line["name"] for line in csv.DictReader(file))
    assert released == sorted(str(len(name)) for name in names)
    assert "lengths" in run(tmp_path, environment, "job", "schema")
