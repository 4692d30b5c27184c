"""A privacy model of another package: loaded by its entry point, evaluated by its own SQL, and verified like other models."""

import json
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.support.command_line import Finished
from tests.support.rows import read_rows, write_parquet, write_table

MODEL = '''"""A toy."""

from typing import Annotated, Literal

from pydantic import Field

from duckanon.privacy.base import Parameter, SensitiveModel


class Balance(SensitiveModel):
    """In every class the most frequent value has at most so many times the rows of the rarest; not monotone."""

    SQL = "balance"
    NAMES = {"balance": {}}
    PARAMETERS = ("ratio",)
    WORST = "most"

    model: Literal["balance"] = "balance"
    ratio: Annotated[Parameter, Field(ge=1)]

    @property
    def under_generalization(self) -> bool:
        return False

    @property
    def reason(self) -> str:
        return f"{self.column} out of balance"
'''

TEMPLATE = """-- builds: judged
-- reads: value_counts
-- one row: class, which fails where one value has too many times the rows of another
with measures as (
    select
        _class,
        max(_value_rows) as most,
        min(_value_rows) as least
    from {{ model.value_counts }}
    group by
        _class
)

select
    _class,
    cast(most as double) / least as _achieved,
    most * {{ model.ratio.denominator }} > least * {{ model.ratio.numerator }} as _fails
from measures
"""

CHANCE = random.Random(11)
ROWS = [{"age": 20 + number % 9, "sex": CHANCE.choice("FM"), "job": CHANCE.choice("aab")} for number in range(600)]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with an installed package that adds the model."""
    folder = tmp_path / "site"
    (folder / "toy_models/sql/privacy/models").mkdir(parents=True)
    (folder / "toy_models/__init__.py").write_text(MODEL)
    (folder / "toy_models/sql/privacy/models/balance.sql").write_text(TEMPLATE)
    about = folder / "toy_models-0.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-models\nVersion: 0.1\n")
    (about / "entry_points.txt").write_text("[duckanon.models]\nbalance = toy_models:Balance\n")
    return folder


def run(package: Path, *arguments: object) -> Finished:
    """`duckanon ARGUMENTS` where the package is installed."""
    places = os.pathsep.join([str(package), *sys.path])
    ended = subprocess.run(
        [sys.executable, "-m", "duckanon", *map(str, arguments)],
        cwd=package.parent,
        env={**os.environ, "PYTHONPATH": places, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return Finished(ended.returncode, ended.stdout, ended.stderr)


def balances(rows: list[dict[str, object]]) -> list[float]:
    """How many times the rarest value's rows the most frequent has, a class."""
    jobs: dict[object, Counter[object]] = defaultdict(Counter)
    for row in rows:
        jobs[row["age"], row["sex"]][row["job"]] += 1
    return [max(counts.values()) / min(counts.values()) for counts in jobs.values()]


def test_a_model_of_another_package_is_required_searched_and_verified(package: Path) -> None:
    folder = package.parent
    write_parquet(folder / "in.parquet", ROWS)
    write_table(folder / "sex.csv", [["F", "*"], ["M", "*"]])
    (folder / "age.yaml").write_text("kind: intervals\nwidths: [3, 6]\n")
    arguments = [
        "in.parquet",
        "--qi",
        "age,sex",
        "--sensitive",
        "job",
        "--hierarchies",
        "age=age.yaml",
        "--hierarchies",
        "sex=sex.csv",
    ]
    assert max(balances(ROWS)) > 2.5
    done = run(
        package,
        "anonymize",
        *arguments,
        "--k",
        "2",
        "--require",
        "balance=2.5",
        "--max-suppression",
        "40%",
        "-o",
        "out.parquet",
        "--json",
    )
    assert done.code == 0, done.err
    rows = read_rows(folder / "out.parquet")
    assert rows
    assert max(balances(rows)) <= 2.5
    manifest = json.loads(done.out)
    [stated] = [entry for entry in manifest["privacy"] if entry["model"] == "balance"]
    assert stated["achieved"] == pytest.approx(max(balances(rows)))
    assert (stated["required"], stated["column"], stated["passed"]) == (2.5, "job", True)
    checked = run(package, "check", "out.parquet", "--qi", "age,sex", "--sensitive", "job", "--require", "balance=2.5@job")
    assert checked.code == 0, checked.err
    assert run(package, "check", *arguments[:5], "--require", "balance=1.01@job").code == 1


def test_it_stands_in_job_files_and_among_templates(package: Path) -> None:
    folder = package.parent
    (folder / "job.yaml").write_text(
        "columns: {sex: {role: quasi-identifier}, job: {role: sensitive}}\nprivacy: [{model: balance, ratio: 2, column: job}]\n"
    )
    assert run(package, "job", "validate", "job.yaml").code == 0
    assert '"const": "balance"' in run(package, "job", "schema").out
    assert run(package, "sql", "show", "privacy/models/balance").out == TEMPLATE
    (folder / "job.yaml").write_text("privacy: [{model: balance, ratoi: 2}]\n")
    refused = run(package, "job", "validate", "job.yaml")
    assert refused.code in (1, 2)
    assert "ratio" in refused.out + refused.err
    misspelt = run(package, "check", "in.parquet", "--qi", "sex", "--require", "balanec=2")
    assert "did you mean 'balance'" in misspelt.err


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ("balance = toy_models:Nothing", "cannot be loaded (AttributeError"),
        ("balance = nowhere:Balance", "of 'toy-models' cannot be loaded (ModuleNotFoundError"),
        ("balance = toy_models:Literal", "is not a privacy model"),
        ("balance = toy_models:Balance\nagain = toy_models:Balance", "and another model are both named 'balance'"),
    ],
)
def test_an_extension_that_is_none_is_named_in_one_line(package: Path, points: str, message: str) -> None:
    (package / "toy_models-0.1.dist-info/entry_points.txt").write_text(f"[duckanon.models]\n{points}\n")
    done = run(package, "check", "in.parquet", "--qi", "sex")
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert message in done.err
