"""Bundled hierarchies with a legal floor: no level, algorithm or later run shows what HIPAA Safe Harbor forbids."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support import levels
from tests.support.command_line import Cli
from tests.support.rows import read_rows

SMALL_AREAS = ("036", "059", "102", "893")
HIERARCHIES = ("--hierarchies", "zip=places/us-zip", "--hierarchies", "age=people/age")
ROLES = ("--qi", "zip,age", "--sensitive", "condition", *HIERARCHIES, "--k", "3")


def write_persons(path: Path, codes: list[Any], rows: int = 1200, oldest: int = 97) -> None:
    chosen = random.Random(4)
    columns = {
        "zip": [chosen.choice(codes) for _ in range(rows)],
        "age": [chosen.randint(85, oldest) for _ in range(rows)],
        "condition": [chosen.choice("abcdef") for _ in range(rows)],
    }
    pq.write_table(pa.table(columns), path)


def faults_of(path: Path) -> list[str]:
    """Plain Python on the released file: ZIP codes of small areas or with more than five digits, and ages above 89."""
    faults = []
    for row in read_rows(path):
        zip_code, age = str(row["zip"]).strip(), str(row["age"])
        digits = zip_code.zfill(5)
        if len(digits) > 5 or (digits != "00000" and digits.startswith(SMALL_AREAS)):
            faults.append(zip_code)
        if age.isdecimal() and int(age) > 89:
            faults.append(age)
        if age.startswith("[") and int(age.strip("[]").split(",")[1]) > 89:
            faults.append(age)
    return faults


CODES: dict[str, list[Any]] = {
    "text": ["03601", "02139", "90210", "05901"],
    "text with four more digits": ["03601-1166", "02139-4307", "02139", "902101234", "08902 1166", " 03602 "],
    "whole numbers": [3601, 2139, 90210, 5901, 10201],
    "whole numbers with four more digits": [36010001, 2139, 902101234, 5901],
    "numbers of a column with gaps": [3601.0, 2139.0, 90210.0, None],
}


@pytest.mark.parametrize(
    ("kind", "how"),
    levels.spread([*CODES], [("--levels", "zip=0,age=0"), ("--algorithm", "mondrian"), ("--algorithm", "local"), ()], turns=2),
)
def test_no_level_shows_what_the_floor_forbids(tmp_path: Path, cli: Cli, kind: str, how: tuple[str, ...]) -> None:
    write_persons(tmp_path / "in.parquet", CODES[kind])
    cli("anonymize", "in.parquet", *ROLES, *how, "-o", "out.parquet", code=0)
    assert faults_of(tmp_path / "out.parquet") == []
    assert Counter(str(row["zip"]) for row in read_rows(tmp_path / "out.parquet"))["000"]
    assert cli("check", "out.parquet", "--manifest", "out.parquet.manifest.json").code == 0


@pytest.mark.parametrize("how", [("--levels", "zip=0,age=0"), ("--algorithm", "mondrian"), ("--algorithm", "local")])
def test_later_data_below_the_floor_reads_so_too(tmp_path: Path, cli: Cli, how: tuple[str, ...]) -> None:
    write_persons(tmp_path / "first.parquet", ["02139", "90210"], oldest=89)
    write_persons(tmp_path / "later.parquet", ["02139", "90210", "03601", "02139-4307"])
    assert cli("anonymize", "first.parquet", *ROLES, *how, "-o", "out.parquet").code == 0
    cli("apply", "out.parquet.manifest.json", "later.parquet", "-o", "new.parquet", "--max-suppression", "100%", code=0)
    assert faults_of(tmp_path / "new.parquet") == []


def test_columns_without_such_values_keep_their_type(tmp_path: Path, cli: Cli) -> None:
    write_persons(tmp_path / "in.parquet", [2139, 90210], oldest=89)
    assert cli("anonymize", "in.parquet", *ROLES, "--levels", "zip=0,age=0", "-o", "out.parquet").code == 0
    assert {str(field.type) for field in pq.read_schema(tmp_path / "out.parquet")} == {"int64", "string"}


def test_a_linked_column_is_hidden_where_the_floor_holds(tmp_path: Path, cli: Cli) -> None:
    write_persons(tmp_path / "in.parquet", ["03601", "02139", "90210"])
    (tmp_path / "job.yaml").write_text(
        "columns:\n  zip: {role: quasi-identifier, hierarchy: places/us-zip}\n  town: {role: insensitive}\n"
        "linked: [[zip, town]]\nrecoding: {levels: {zip: 0}}\n"
    )
    duckdb.execute(
        f"copy (select *, 'town of ' || zip as town from '{tmp_path / 'in.parquet'}') to '{tmp_path / 'towns.parquet'}'"
    )
    assert cli("anonymize", "towns.parquet", "--job", "job.yaml", "-o", "out.parquet").code == 0
    assert {(row["zip"], row["town"]) for row in read_rows(tmp_path / "out.parquet")} == {
        ("000", "*"),
        ("02139", "town of 02139"),
        ("90210", "town of 90210"),
    }
    refused = cli("sql", "release", "out.parquet.manifest.json")
    assert refused.code != 0
    assert "legal floor" in refused.err
    assert "duckanon apply" in refused.err


@pytest.mark.parametrize("codes", [["03601", "02139", "90210"], [3601, 2139, 90210]])
@pytest.mark.parametrize("level", [0, 1])
def test_the_exported_statement_has_the_floor(tmp_path: Path, cli: Cli, codes: list[Any], level: int) -> None:
    write_persons(tmp_path / "in.parquet", codes)
    assert cli("anonymize", "in.parquet", *ROLES, "--levels", f"zip={level},age=0", "-o", "out.parquet").code == 0
    text = cli("sql", "release", "out.parquet.manifest.json").out
    statement = "\n".join(line for line in text.splitlines() if not line.startswith("--")).split(";")[0]
    connection = duckdb.connect()
    connection.sql(f"create table input as from '{tmp_path / 'in.parquet'}'")
    released = connection.sql(f"from '{tmp_path / 'out.parquet'}'").fetchall()
    assert Counter(connection.sql(statement).fetchall()) == Counter(released)


def test_ranges_are_refused_because_they_have_no_floor(tmp_path: Path, cli: Cli) -> None:
    write_persons(tmp_path / "in.parquet", ["02139"])
    run = cli("anonymize in.parquet --algorithm mondrian --set columns.age.cut=order -o out.parquet", *ROLES, code=2)
    assert "'people/age' of 'age' has a legal floor" in run.err
    assert "--set columns.age.cut=hierarchy" in run.err


def test_the_lowest_level_is_an_option(tmp_path: Path, cli: Cli) -> None:
    write_persons(tmp_path / "in.parquet", ["02139", "03601", "90210"])
    cli("anonymize in.parquet --set columns.zip.min-level=1 --set columns.age.min-level=2 -o out.parquet", *ROLES, code=0)
    assert {row["zip"] for row in read_rows(tmp_path / "out.parquet")} == {"021**", "000", "902**"}
    assert {row["age"] for row in read_rows(tmp_path / "out.parquet")} == {"[80, 89]", ">=90"}
    beyond = cli("anonymize", "in.parquet", *ROLES, "--set", "columns.zip.min-level=9", "-o", "no.parquet", code=2)
    assert "levels 0 to 3" in beyond.err
    strange = cli("anonymize", "in.parquet", *ROLES, "--set", "columns.zipp.min-level=1", "-o", "no.parquet", code=2)
    assert "did you mean 'zip'" in strange.err


def test_a_floor_without_labels_is_refused(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "h.yaml").write_text("kind: redaction\nlength: 5\nfloor: true\n")
    run = cli("hierarchy", "check", "h.yaml")
    assert run.code != 0
    assert "floor: needs labels that hold at every level" in run.out + run.err
