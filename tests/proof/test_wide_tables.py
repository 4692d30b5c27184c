"""Small tables with many columns need little memory: no operator of a statement has many more rows than the table has cells.

The database counts the rows of each operator and the memory of each statement. Joins run in the order in which the templates write them,
so the counts do not depend on its estimates.
"""

import csv
import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest

from duckanon.engine.duckdb import DuckDBEngine
from tests.support.command_line import Cli
from tests.support.paths import SHARED

LIMIT = 500_000_000
"""Bytes of memory for the database."""
MULTIPLE = 30
"""The largest number of rows of an operator, for each cell of the table."""
AT_ONCE = 1_000_000
"""The classes that a local recoding counts at several nodes in one statement, which are limited by their own number."""
LIMITED = ("--memory-limit", f"{LIMIT // 1_000_000}MB", "--threads", "2", "--quiet")

KINDS = [
    "chr(97 + ({h} % 4)::int)",
    "({h} % 90)::int",
    "date '1950-01-01' + ({h} % 20000)::int",
    "round(({h} % 10000) / 7.0, 2)",
    "case when {h} % 10 < 3 then null else ({h} % 7)::int end",
    "'T' || lpad(({h} % 300)::varchar, 5, '0')",
    "case when {h} % 2 = 0 then 'yes' else 'no' end",
    "['north', 'south', 'east', 'west', 'centre'][1 + ({h} % 5)::int]",
    "sqrt({h} % 1000000)::int",
    "'0' || (10000 + {h} % 60)::varchar",
]
"""The values of a column of each kind, from a hash of the row and the column."""

KNOWN = "c0,c1,c4,c6,c7,c9"
SENSITIVE = ("--sensitive", "c10,c17", "--require", "distinct-l=2@c10", "--set", "accept=missing-values")
RUNS = {
    "detected roles": ((40, 200), ()),
    "retained columns": ((222, 100), ("--qi", KNOWN, "--keep", "c10,c14,c16,c20,c24,c26,c30,c34,c36", "--set", "accept=dependency")),
    "optimal, adversaries": ((222, 100), ("--qi", KNOWN, *SENSITIVE, "--adversary", "a=c0,c1,c4,c6", "--adversary", "b=c7,c9")),
    "optimal, masked": ((9, 3_000), ("--qi", "c0,c1,c6", "--sensitive", "c3", "--require", "distinct-l=3@c3", "--set", "suppression.style=star")),
    "local": ((20, 300), ("--qi", KNOWN, *SENSITIVE, "--algorithm", "local", "--report", "report.html")),
    "mondrian": ((30, 2_000), ("--qi", "c0,c1,c2,c3,c4,c5,c6,c7,c8,c9", *SENSITIVE, "--algorithm", "mondrian", "--report", "report.html")),
    "mondrian, wide": ((222, 100), ("--qi", ",".join(f"c{number}" for number in range(60)), "--algorithm", "mondrian")),
}  # fmt: skip
AFTER = ("check", "report", "apply", "explain", "risk")


@pytest.fixture
def profiles(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """The template of each statement that runs, with the database's profile of it."""
    seen: list[tuple[str, dict[str, Any]]] = []
    connect, logged = DuckDBEngine._connect, DuckDBEngine._logged

    def profiled(engine: DuckDBEngine, *arguments: Any) -> duckdb.DuckDBPyConnection:
        connection = connect(engine, *arguments)
        connection.execute("pragma enable_profiling = 'no_output'")
        return connection

    def counted(engine: DuckDBEngine, statement: Any, *arguments: Any, **named: Any) -> list[tuple[Any, ...]]:
        rows = logged(engine, statement, *arguments, **named)
        seen.append((statement.template, json.loads(engine._connection.get_profiling_information(format="json"))))
        return rows

    monkeypatch.setattr(DuckDBEngine, "_connect", profiled)
    monkeypatch.setattr(DuckDBEngine, "_logged", counted)
    return seen


def operators(nodes: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for node in nodes:
        yield node
        yield from operators(node.get("children", []))


def write_table(path: Path, columns: int, rows: int) -> None:
    cells = ", ".join(f"{KINDS[number % len(KINDS)].format(h=f'hash(n, {number})')} as c{number}" for number in range(columns))
    duckdb.execute(f"copy (select {cells} from range({rows}) as t(n)) to '{path}'")


def assert_bounded(profiles: list[tuple[str, dict[str, Any]]], most: int) -> None:
    assert profiles
    rows = [(max((o["intermediate_rows"] for o in operators(p.get("operator", []))), default=0), name) for name, p in profiles]
    assert [row for row in sorted(rows, reverse=True) if row[0] > most][:5] == []
    memory = [(profile.get("system", {}).get("peak_buffer_memory", 0), name) for name, profile in profiles]
    assert max(memory)[0] < LIMIT


@pytest.mark.parametrize("name", RUNS)
def test_no_statement_multiplies_the_cells(tmp_path: Path, cli: Cli, profiles: list[Any], name: str) -> None:
    (columns, rows), options = RUNS[name]
    write_table(tmp_path / "in.csv", columns, rows)
    cli("anonymize", "in.csv", "-o", "out.csv", *LIMITED, *options, code=0)
    assert_bounded(profiles, max(MULTIPLE * columns * rows, AT_ONCE if "local" in name else 0))


@pytest.mark.parametrize("command", AFTER)
def test_no_statement_of_later_commands_multiplies_the_cells(
    tmp_path: Path, cli: Cli, profiles: list[Any], command: str
) -> None:
    columns, rows = 40, 1_000
    write_table(tmp_path / "in.csv", columns, rows)
    options = ("--qi", KNOWN, "--sensitive", "c10,c17", "--algorithm", "mondrian", "--set", "accept=missing-values")
    assert cli("anonymize", "in.csv", "-o", "out.csv", *LIMITED, *options).code == 0
    profiles.clear()
    arguments: Mapping[str, tuple[str, ...]] = {
        "check": ("out.csv", "--manifest", "out.csv.manifest.json", *LIMITED),
        "report": ("out.csv.manifest.json", "-o", "report.html"),
        "apply": ("out.csv.manifest.json", "in.csv", "-o", "applied.csv"),
        "explain": ("out.csv.manifest.json",),
        "risk": ("in.csv", "--qi", KNOWN, *LIMITED),
    }
    cli(command, *arguments[command], code=0)
    assert_bounded(profiles, MULTIPLE * columns * rows)


def test_the_table_of_195_rows_stays_below_the_limit(tmp_path: Path, cli: Cli, profiles: list[Any]) -> None:
    """It needed 19.9 GB, because the labels of 14 columns were joined before the regions that they describe."""
    (tmp_path / "cases.csv").write_bytes((SHARED / "data/small/cases.csv").read_bytes())
    cli("anonymize", "cases.csv", "-o", "out.csv", *LIMITED, code=0)
    assert_bounded(profiles, MULTIPLE * 195 * 18)


def test_joins_run_as_written() -> None:
    with DuckDBEngine() as engine:
        read = "select current_setting('disabled_optimizers')"
        assert engine._connection.execute(read).fetchall() == [("join_order",)]


def test_more_classes_join_the_masked_ones_than_are_judged_first(tmp_path: Path, cli: Cli) -> None:
    """Five classes fail a t of 0.36; so many classes of five values join them that the distance of their shares is at most t."""
    rows = [(age, "same") for age in range(5) for _ in range(40)] + [(age, f"v{i}") for age in range(5, 85) for i in range(5)]
    (tmp_path / "in.csv").write_text("age,pay\n" + "".join(f"{age},{pay}\n" for age, pay in rows))
    share = Fraction(200, len(rows))
    joining = next(m for m in range(81) if abs(Fraction(200, 200 + 5 * m) - share) <= Fraction("0.36"))
    options = ("--qi age --sensitive pay --set suppression.style=star --max-suppression 60% --require t=0.36@pay",)
    cli("anonymize", "in.csv", "-o", "out.csv", *LIMITED, *options, code=0)
    with (tmp_path / "out.csv").open(newline="") as file:
        masked = sum(row["age"] == "*" for row in csv.DictReader(file))
    assert joining > 16
    assert masked == 200 + 5 * joining
