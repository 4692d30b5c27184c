"""Reference data, small tables, and one way to run the command line."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, settings

from tests import record

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

settings.register_profile("dev", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
settings.register_profile("ci", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data beside the checkout; skips without it, fails in CI."""
    if SHARED.is_dir():
        return SHARED
    reason = "the reference data (a folder 'shared' beside the checkout) is absent"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def adult(shared: Path) -> Path:
    """The real UCI Adult file."""
    return shared / "data" / "adult.parquet"


@dataclass(frozen=True)
class Finished:
    """A run of the command line."""

    code: int
    out: str
    err: str

    @property
    def manifest(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.out)
        return document


Cli = Callable[..., Finished]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Runs `duckanon ARGS` in an empty folder."""

    def run(*arguments: str | Path, cwd: Path = tmp_path) -> Finished:
        finished = subprocess.run(
            [sys.executable, "-m", "duckanon", *map(str, arguments)],
            cwd=cwd,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            env={**os.environ, "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"},
        )
        return Finished(finished.returncode, finished.stdout, finished.stderr)

    return run


Told = Callable[..., None]


@pytest.fixture
def told(request: pytest.FixtureRequest) -> Told:
    """Tells a row of a table that the run ends with: `told("attacks", channel=..., naive=..., ours=...)`."""

    def tell(title: str, **row: object) -> None:
        assert title in record.TITLES
        request.node.user_properties.append((record.PROPERTY, (title, {name: str(value) for name, value in row.items()})))

    return tell


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints what the tests told."""
    reports = [report for found in terminalreporter.stats.values() for report in found if isinstance(report, pytest.TestReport)]
    properties = [one for report in reports if report.when == "call" for one in report.user_properties]
    for line in record.tables(properties):
        terminalreporter.write_line(line)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """A Parquet file's rows, read without our code."""
    cursor = duckdb.connect().execute("select * from read_parquet(?)", [str(path)])
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def write_parquet(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """A Parquet file of rows, by pyarrow."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def write_table(path: Path, lines: Sequence[Sequence[str]]) -> Path:
    """A value table: value;level 1;...;top."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";", lineterminator="\n").writerows(lines)
    return path
