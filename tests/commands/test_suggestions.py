"""Suggested hierarchies in whole commands."""

import json
import random
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.command_line import Cli
from tests.support.rows import write_parquet
from tests.support.suggested import fallback, loss_with


def made(rows: int, build: Callable[[random.Random, int], dict[str, Any]]) -> list[dict[str, Any]]:
    draw = random.Random(7)
    return [build(draw, number) for number in range(rows)]


SCHEMAS: dict[str, Callable[[random.Random, int], dict[str, Any]]] = {
    "clinic": lambda draw, _: {
        "birth_date": date(1930, 1, 1) + timedelta(days=int(31_000 * draw.random() ** 0.5)),
        "postcode": f"{10_000 + int(900 * draw.random() * draw.random()) * 37:05d}",
        "sex": draw.choice("FMX"),
        "diagnosis": draw.choice(["asthma", "flu", "migraine"]),
    },
    "staff": lambda draw, _: {
        "age": 18 + int(50 * draw.random() ** 2),
        "department": ["sales", "dev", "support", "finance", "legal", "kitchen", "press"][int(7 * draw.random() ** 3)],
        "hired_at": datetime(2001, 1, 1) + timedelta(hours=int(200_000 * draw.random())),
    },
    "trips": lambda draw, _: {
        "started": datetime(2025, 1, 1) + timedelta(seconds=int(86_400 * 90 * draw.random())),
        "district": ["Mitte", "Nord", "West", "Ost", "Hafen", "Messe", "Park", "Zoo", "Ring", "See"][
            int(10 * draw.random() ** 2)
        ],
        "household_minutes": 2 + int(480 * draw.random() ** 3),
    },
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_run_without_configuration_loses_less_than_with_the_fallback(cli: Cli, tmp_path: Path, schema: str) -> None:
    """On made-up tables of three kinds; what is read from the job file that the run writes."""
    rows = made(12_000, SCHEMAS[schema])
    path = write_parquet(tmp_path / f"{schema}.parquet", rows)
    run = cli("anonymize", path, "-o", tmp_path / "first.parquet", "--json", code=0)
    job = yaml.safe_load((tmp_path / "first.parquet.job.yaml").read_text())
    chosen = [name for name, plan in job["columns"].items() if plan["role"] == "quasi-identifier"]
    assert "suggested by duckanon" in json.dumps([job["columns"][name]["hierarchy"] for name in chosen])
    simple = {name: fallback([row[name] for row in rows]) for name in chosen}
    assert json.loads(run.out)["metrics"]["loss"] < loss_with(path, simple)


def test_a_quasi_identifier_without_a_hierarchy_gets_one_that_covers_it(cli: Cli, tmp_path: Path) -> None:
    people = [{"age": 20 + row % 60, "sex": "fm"[row % 2], "height": 150 + row % 50, "race": "White"} for row in range(600)]
    write_parquet(tmp_path / "in.parquet", people)
    run = cli("anonymize", "in.parquet", "--qi", "age,sex,height,race", "-o", "out.parquet", code=0)
    assert [line for line in run.err.splitlines() if line.startswith("no hierarchy given for ")] == [
        "no hierarchy given for age, race: duckanon uses adult/five-year/age, adult/five-year/race, which match their names and values",
        "no hierarchy given for sex, height: duckanon suggests one for each; -v shows why",
    ]
    again = cli("apply", "out.parquet.manifest.json", "in.parquet", "-o", "again.parquet", "--json", code=0)
    assert json.loads(again.out)["metrics"] == json.loads((tmp_path / "out.parquet.manifest.json").read_text())["metrics"]


def test_the_name_of_a_column_colours_no_terminal(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"\x1b[31mred": row % 3} for row in range(30)])
    run = cli("anonymize", "in.parquet", "--qi", "\x1b[31mred", "-o", "out.parquet", code=0)
    assert "no hierarchy given for \\x1b[31mred: duckanon suggests one" in run.err
    assert "\x1b" not in run.err


def test_hierarchies_that_are_named_need_no_look_at_the_values(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": 20 + row % 60, "height": 150 + row % 50} for row in range(600)])
    (tmp_path / "height.yaml").write_text("{kind: intervals, widths: [10, 50]}", encoding="utf-8")
    given = ["--qi", "age,height", "--hierarchies", "adult/five-year", "--hierarchies", "height=height.yaml"]
    run = cli("anonymize", "in.parquet", *given, "-o", "out.parquet", "-v", code=0)
    assert "no hierarchy given" not in run.err
    assert sum(line.startswith("distinct_values:") for line in run.err.splitlines()) == 1


def test_the_command_prints_a_file_that_the_others_take(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": number % 80} for number in range(900)])
    printed = cli("hierarchy", "suggest", "in.parquet", "--column", "age", code=0)
    assert yaml.safe_load(printed.out)["kind"] == "intervals"
    assert "age, 80 values in 900 rows: 16 intervals, cut at round numbers near the quantiles" in printed.err
    written = cli("hierarchy", "suggest", "in.parquet", "--column", "age", "-o", "age.yaml")
    assert (written.code, written.out) == (0, "")
    assert (tmp_path / "age.yaml").read_text() == printed.out
    assert cli("hierarchy", "check", "age.yaml", "--data", "in.parquet").code == 0
    assert cli("anonymize", "in.parquet", "--qi", "age", "--hierarchies", "age=age.yaml").code == 0
    again = cli("hierarchy", "suggest", "in.parquet", "--column", "age", "-o", "age.yaml", code=3)
    assert "give --overwrite" in again.err
    document = json.loads(cli("hierarchy", "suggest", "in.parquet", "--column", "age", "--json").out)
    assert document["hierarchy"] == yaml.safe_load(printed.out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.parquet"], "which column? name it with --column; columns: age"),
        (["in.parquet", "--column", "aeg"], "did you mean 'age'"),
        (["in.parquet", "--column", "age", "-o", "age.csv"], "does not end in .yaml"),
        (["nowhere.parquet", "--column", "age"], "nowhere.parquet"),
    ],
)
def test_what_cannot_be_suggested_is_reported_in_one_line(
    cli: Cli, tmp_path: Path, arguments: Sequence[str], message: str
) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": 1}])
    run = cli("hierarchy", "suggest", *arguments)
    assert run.code in (2, 3)
    assert message in run.err
    assert len(run.err.splitlines()) == 1
