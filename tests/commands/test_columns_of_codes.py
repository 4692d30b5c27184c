"""Columns of few values that many records share: categories, whatever their names; never ranges of codes."""

import csv
import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import Cli

CHANCE = random.Random(17)
CODES = (8507, 8515, 8522, 8527, 8552, 8557, 8657, 0)
COLUMNS: dict[str, Any] = {
    "race_concept_id": CODES,
    "department_id": range(1, 13),
    "station_name": [f"Station {letter}" for letter in "ABCDEFGH"],
    "clinic_name": ["St. Anna", "Charité", "Mayo", "North", "Florence", "Lorenz"],
    "doctor_id": [1001, 1002, 1003, 1010, 1020, 1040],
    "plan_label": [f"{word} river stone house north old long words apart" for word in ("red", "old", "small", "west")],
    "dx_id": [f"{chr(65 + number % 26)}{10 + number}.{number % 10}" for number in range(66)],
    "zip4": [f"0{number % 9}134-{1000 + number}" for number in range(20)],
}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    with (tmp_path / "in.csv").open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["patient_id", "visit_no", "badge_id", "age", *COLUMNS])
        for number in range(800):
            cells = [CHANCE.choice(list(values)) for values in COLUMNS.values()]
            lines.writerow([f"P{number // 20}", number * 7, f"B{number // 4}", CHANCE.randrange(20, 60), *cells])
    return tmp_path / "in.csv"


def test_many_records_of_each_value_are_no_direct_identifier(cli: Cli, table: Path) -> None:
    run = cli("profile", table.name, code=0)
    role = dict(
        re.findall(r"^(\S+) +(?:BIGINT|VARCHAR) .* (quasi-identifier|identifying|sensitive|dropped)\b", run.out, re.MULTILINE)
    )
    assert {name: role[name] for name in COLUMNS} == dict.fromkeys(COLUMNS, "quasi-identifier")
    # forty patients of twenty visits are still persons, by the name; 200 badges of four rows by their number
    assert role["patient_id"] == role["badge_id"] == "identifying"
    assert "telephone" not in run.out + run.err


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_codes_are_released_as_they_are_or_in_sets_and_never_as_ranges(cli: Cli, table: Path, algorithm: str) -> None:
    columns = ("race_concept_id", "doctor_id", "age")
    cli(
        "anonymize --identifying patient_id --entity none -o out.csv",
        table.name,
        "--qi",
        ",".join(columns),
        "--algorithm",
        algorithm,
        code=0,
    )
    with (table.parent / "out.csv").open() as file:
        rows = list(csv.DictReader(file))
    known = {str(code) for code in (*CODES, *COLUMNS["doctor_id"])} | {"*", "other"}
    assert {row[name] for row in rows for name in columns[:2]} <= known


def test_a_name_that_may_be_of_persons_is_named_in_a_warning(cli: Cli, table: Path) -> None:
    run = cli("anonymize", table.name, "-o", "out.csv", code=0)
    named = re.findall(r"warning: '(\w+)' is named like an identifier, but many records", run.err)
    assert named == ["doctor_id", "dx_id"]
