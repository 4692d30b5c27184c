"""Standard input through a pipe, and inputs that another process holds."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.command_line import Cli, refused, run_process
from tests.support.input_forms import (
    ASKED,
    EXPECTED_TYPES,
    NAMES,
    ROWS,
    csv_bytes,
    described,
    not_taken,
    options,
    parquet,
    rows_of,
    with_line,
)
from tests.support.rows import write_table
from tests.support.runs import anonymize


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Counter[tuple[Any, ...]]:
    """The release of one Parquet file."""
    folder = tmp_path_factory.mktemp("expected")
    anonymize(parquet(folder / "rows.parquet", ROWS), folder / "out.parquet", options=options(folder))
    rows = rows_of(folder / "out.parquet")
    assert described(folder / "out.parquet") == EXPECTED_TYPES
    assert rows == Counter(
        (f"[{row['age'] // 5 * 5}, {row['age'] // 5 * 5 + 5})", *(row[name] for name in sorted(NAMES) if name != "age"))
        for row in ROWS
    )
    return rows


@pytest.mark.parametrize("kind", ["csv", "csv by semicolons", "parquet"])
def test_the_same_rows_come_in_by_standard_input(tmp_path: Path, expected: Counter[tuple[Any, ...]], kind: str) -> None:
    content = csv_bytes(ROWS, ";" if "semicolons" in kind else ",")
    if kind == "parquet":
        content = parquet(tmp_path / "rows.parquet", ROWS).read_bytes()
    write_table(tmp_path / "sex.csv", [["F", "*"], ["M", "*"]])
    hierarchies = ("--hierarchies", "adult/five-year", "--hierarchies", "sex=sex.csv")
    wanted = ("--k", "2", "--levels", "age=1,sex=0", "--keep", "year,zip,pay,born,note")
    run_process(
        tmp_path, "anonymize", "-", "--qi", "age,sex", *hierarchies, *wanted, "-o", "out.parquet", stdin=content, code=0
    )
    assert described(tmp_path / "out.parquet") == EXPECTED_TYPES
    assert rows_of(tmp_path / "out.parquet") == expected


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of 2,000 columns."""
    table: dict[str, Any] = {"age": [20 + number % 5 for number in range(40)], "sex": ["Male", "Female"] * 20}
    table |= {f"column {number}": [(row * number) % 7 for row in range(40)] for number in range(1998)}
    path = tmp_path_factory.mktemp("wide") / "wide.parquet"
    pq.write_table(pa.table(table), path)
    return path


def test_two_thousand_columns_without_roles_end_well(tmp_path: Path, wide: Path) -> None:
    """In 8 GB of address space, so that a test that fails does not take the machine with it."""
    command = ["sh", "-c", 'ulimit -v 8000000; exec "$@"', "sh", sys.executable, "-m", "duckanon", "anonymize", str(wide)]
    run = subprocess.run(
        [*command, "-o", "out.parquet"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "out.parquet.job.yaml").is_file()


HOLDING = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
connection.execute("create table if not exists people as select 20 as age, 'Male' as sex, 'secret' as name")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Path]:
    """A database that another process has open for writing."""
    path = tmp_path / "held.duckdb"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield path
        holder.stdin.close()
        holder.wait(30)


def test_a_database_that_another_process_holds_is_refused(cli: Cli, tmp_path: Path, held: Path) -> None:
    not_taken(cli, tmp_path, f"{held.name}::people", 3, "held.duckdb", "another process", "close it there")


def test_empty_standard_input_is_reported(tmp_path: Path) -> None:
    refused(run_process(tmp_path, "anonymize", "-", *ASKED), 3, "standard input", "empty")
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_line_on_standard_input_is_reported(tmp_path: Path) -> None:
    run = run_process(tmp_path, "anonymize", "-", *ASKED, stdin=with_line(b"20,Male,secret,secret\n", 30))
    refused(run, 3, "line 30", "standard")
    assert list(tmp_path.iterdir()) == []
