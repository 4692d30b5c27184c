"""Hierarchy files as pandas writes them: listed values match the values of a column by what they mean."""

from pathlib import Path

import duckdb
import pytest

from tests.support import levels
from tests.support.command_line import Cli
from tests.support.rows import read_rows

ROWS = """
    select
        (i % 8 + 70)::bigint as whole,
        (i % 8) / 2.0 as half,
        (i % 4)::decimal(6, 2) as amount,
        i % 2 = 0 as is_paid,
        date '2020-01-01' + (i % 5)::int as day,
        timestamp '2020-01-01' + interval (i % 5) day as moment
    from range(400) as rows(i)
"""
LISTED = {
    "whole": [(f"{value}.0", f"g{value // 4}") for value in range(70, 78)],
    "half": [(f"{value / 2:g}", f"g{value // 4}") for value in range(8)],
    "amount": [(str(value), f"g{value // 2}") for value in range(4)],
    "is_paid": [("True", "g"), ("False", "g")],
    "day": [(f"2020-01-0{day} 00:00:00", f"g{day // 3}") for day in range(1, 6)],
    "moment": [(f"2020-01-0{day}", f"g{day // 3}") for day in range(1, 6)],
}
GROUPS = {
    "whole": "'g' || whole // 4",
    "half": "'g' || cast(floor(half / 2) as int)",
    "amount": "'g' || cast(floor(amount / 2) as int)",
    "is_paid": "'g'",
    "day": "'g' || day(day) // 3",
    "moment": "'g' || day(moment) // 3",
}


@pytest.mark.parametrize(("shape", "column"), levels.spread(["table", "tree"], [*LISTED]))
def test_values_match_by_what_they_mean(cli: Cli, tmp_path: Path, column: str, shape: str) -> None:
    duckdb.execute(f"copy ({ROWS}) to '{tmp_path / 'in.parquet'}'")
    lines = [f"{value};{group}{';*' if shape == 'table' else ''}" for value, group in LISTED[column]]
    if shape == "tree":
        lines += sorted({f"{group};*" for _, group in LISTED[column]})
    (tmp_path / "listed.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for level, label in ((0, column), (1, GROUPS[column])):
        options = ("--qi", column, "--hierarchies", f"{column}=listed.csv", "--levels", f"{column}={level}")
        cli("anonymize", "in.parquet", *options, "-o", "out.parquet", "--overwrite", code=0)
        released = sorted(str(row[column]) for row in read_rows(tmp_path / "out.parquet"))
        expected = duckdb.execute(f"select {label} from '{tmp_path / 'in.parquet'}'").fetchall()
        assert released == sorted(str(value) for (value,) in expected)


@pytest.mark.parametrize(("column", "listed"), [("whole", "70.5"), ("day", "2020-01-01 05:00:00")])
def test_another_value_is_not_taken_for_it(cli: Cli, tmp_path: Path, column: str, listed: str) -> None:
    duckdb.execute(f"copy ({ROWS}) to '{tmp_path / 'in.parquet'}'")
    lines = [f"{value};*" for value in (listed, *[value for value, _ in LISTED[column]][1:])]
    (tmp_path / "listed.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = cli("anonymize", "in.parquet", "--qi", column, "--hierarchies", f"{column}=listed.csv", "-o", "out.parquet", code=2)
    assert "does not cover" in run.err
