"""`duckanon hierarchy check` on hierarchies with faults."""

import json
import random
import shutil
import time
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from tests.support import levels
from tests.support.command_line import Cli, refused
from tests.support.faulty_hierarchies import COSTLY, SECONDS, faults, of, written
from tests.support.paths import FIXTURES
from tests.support.rows import read_rows, write_parquet
from tests.support.suggested import fallback, loss_with

QI = "age,education,marital-status,race"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    pq.write_table(pa.table({"c": ["a1", "a2", "b1", "b2", "b2", "b2"]}), tmp_path / "texts.parquet")
    return tmp_path / "texts.parquet"


# --- the seeds as printed

SEED_001 = [
    # what is said, and its line in its file
    ("it puts 'Prof-school' into 'Vocational School' on level 1", "did you mean 'Profschool'?", 8),
    ("it does not cover 'Prof-school' (576 rows, did you mean 'Profschool'?)", "", 3),
    ("it has no parent on level 1 for 'Profschool' of level 0", "", 3),
    ("it has no parent on level 2 for 'Graduate School' of level 1 (2,136 rows)", "", 10),
    ("it skips a level: 'Masters' in 'Advanced Degree' on level 2", "", 13),
    ("it skips a level: 'Doctorate' in 'Advanced Degree' on level 2", "", 13),
    ("it puts 'Never-Married' into 'Single' on level 1", "did you mean 'Never-married', 10,683 rows?", 5),
    ("it has no parent on level 1 for 'Never-married' of level 0 (10,683 rows)", "", 3),
    ("it has no parent on level 2 for 'Married-Together' of level 1 (14,999 rows)", "", 6),
    ("it lists no members for '17-19', '20-29', '30-39', ... on level 1", "", 5),
    ("it lists no members for '17-29', '30-49', '50-69', ... on level 2", "", 6),
    (r"$\!\!\!/\!\!\!/$ The data of age starts from 17 and ends with 90', which is not a number", "stray text", 4),
]


def assert_seed_001(lines: list[str], written_number: Callable[[int], str]) -> None:
    for phrase, other, number in SEED_001:
        [line] = [line for line in lines if phrase in line]
        assert other in line
        assert written_number(number) in line


def test_check_finds_every_fault_of_seed_001_at_once(adult: Path, cli: Cli) -> None:
    run = cli("hierarchy", "check", FIXTURES / "seed001", "--data", adult, code=2)
    assert run.err == ""
    assert_seed_001(run.out.splitlines(), lambda number: f"error: line {number}: ")
    assert "warning: it has a redundant level 1" in run.out
    assert "warning: line 13: it uses 2 labels on several levels: 'Other', 'Western Origin'" in run.out


def test_a_run_is_refused_with_every_fault_of_seed_001_at_once(adult: Path, cli: Cli, tmp_path: Path) -> None:
    run = cli("anonymize", adult, "--qi", QI, "--hierarchies", FIXTURES / "seed001", "-o", "out.parquet", code=2)
    assert run.out == ""
    assert "Traceback" not in run.err
    first, *rest = run.err.splitlines()
    assert first.startswith("duckanon: error: hierarchy ")
    assert all(line.strip().startswith(("it ", "hierarchy ")) for line in rest)
    assert_seed_001(rest, lambda number: f"(line {number})")
    for column in ("age", "education", "marital-status"):
        assert f"of column '{column}' has" in run.err
    assert not (tmp_path / "out.parquet").exists()


def test_seed_001_shows_its_structure_without_data_too(cli: Cli) -> None:
    run = cli("hierarchy", "check", FIXTURES / "seed001", code=2)
    assert "'Graduate School' of level 1; put it" in run.out
    assert "'Married-Together' of level 1; put it" in run.out
    assert "rows" not in run.out


def test_the_age_of_seed_000_is_refused_as_not_nested(adult: Path, cli: Cli) -> None:
    reference = FIXTURES / "seed000" / "age.yaml"
    reported = [fault for fault in faults(reference, adult, column="age") if fault["severity"] == "error"]
    assert [fault["value"] for fault in reported] == ["[27, 37)", "[47, 57)"]
    assert "'[27, 37)' on level 2 has parents 'Adult' and 'Young' on level 3" in reported[0]["message"]
    assert "'[47, 57)' on level 2 has parents 'Adult' and 'Senior' on level 3" in reported[1]["message"]
    assert [fault["rows"] for fault in reported] == [8_627, 5_167]
    assert all("nested: false" in fault["message"] for fault in reported)
    run = cli("anonymize", adult, "--qi", "age", "--hierarchies", f"age={reference}", "-o", "out.parquet", code=2)
    assert "'[27, 37)'" in run.err
    assert "'[47, 57)'" in run.err


def test_the_age_of_seed_000_loads_where_it_says_that_it_is_not_nested(adult: Path, cli: Cli, tmp_path: Path) -> None:
    text = (FIXTURES / "seed000" / "age.yaml").read_text()
    reference = written(tmp_path / "age.yaml", f"{text}nested: false\n")
    reported = faults(reference, adult, column="age")
    assert of(reported, "error") == []
    assert any("nested: false" in message for message in of(reported, "warning"))
    run = cli("anonymize", adult, "--qi", "age", "--hierarchies", f"age={reference}", "--dry-run", code=0)
    [note] = [line for line in run.err.splitlines() if "not nested" in line]
    assert not note.startswith("warning: ")


def test_errors_warnings_and_notes_are_distinguished(tmp_path: Path, texts: Path, cli: Cli) -> None:
    written(tmp_path / "h.csv", "a1;A;X;*\na2;A;X;*\nb1;B;Y;*\nb2;B;Y;*\nc;B;Y;*\n")
    arguments = ("hierarchy", "check", "h.csv", "--data", texts, "--column", "c")
    easy = cli(*arguments, code=0)
    lines = easy.out.splitlines()
    assert lines[0] == "h.csv, column c:"
    assert [line.split(":")[0].strip() for line in lines[1:]] == ["warning", "note"]
    strict = cli(*arguments, "--strict")
    assert (strict.code, strict.out) == (2, easy.out)
    document = cli(*arguments, "--strict", "--json").manifest
    assert document["passed"] is False
    assert [fault["severity"] for fault in document["hierarchies"][0]["faults"]] == ["warning", "note"]
    written(tmp_path / "h.csv", "a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\nc;B;*\n")
    assert cli(*arguments, "--strict").code == 0
    written(tmp_path / "h.csv", "a1;A;*\na2;A;*\nb1;B;*\n")
    assert cli(*arguments).code == 2


@pytest.mark.parametrize("name", ["h.csv", "h.parquet", "named.yaml"])
def test_a_table_of_2_gib_is_refused_unread(tmp_path: Path, texts: Path, cli: Cli, name: str) -> None:
    table = tmp_path / ("named.csv" if name == "named.yaml" else name)
    with table.open("wb") as file:
        file.truncate(2 << 30)
    if name == "named.yaml":
        written(tmp_path / name, "kind: table\nfile: named.csv\n")
    started = time.process_time()
    run = cli("anonymize", texts, "--qi", "c", "--hierarchies", f"c={name}", "-o", "out.parquet")
    assert time.process_time() - started < SECONDS
    refused(run, 2, table.name, "2.0 GiB, more than 1")
    table.unlink()


def test_a_check_of_a_bomb_ends_in_one_fault(tmp_path: Path, texts: Path, cli: Cli) -> None:
    written(tmp_path / "h.yaml", COSTLY["a bomb"][1])
    started = time.process_time()
    run = cli("hierarchy", "check", "h.yaml", "--data", texts, "--column", "c")
    assert time.process_time() - started < SECONDS
    assert run.code == 2
    assert run.out.count("error: ") == 1
    assert "aliases" in run.out


@pytest.mark.parametrize("name", ["h.yaml", "h.csv", "h.parquet"])
def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path, texts: Path, cli: Cli, name: str) -> None:
    (tmp_path / name).mkdir()
    refused(cli("hierarchy", "show", name, "--data", texts, "--column", "c"), 2, name, "contains no hierarchy file")
    refused(cli("anonymize", texts, "--qi", "c", "--hierarchies", f"c={name}", "-o", "out.parquet"), 2, name)


def test_a_file_that_has_gone_is_named(tmp_path: Path, texts: Path, cli: Cli) -> None:
    written(tmp_path / "h.yaml", "kind: table\nfile: nowhere.csv\n")
    refused(cli("anonymize", texts, "--qi", "c", "--hierarchies", "c=h.yaml", "-o", "out.parquet"), 2, "nowhere.csv")
    refused(cli("hierarchy", "show", "adult/five-yaer/age"), 2, "did you mean 'adult/five-year/age'?")


def test_a_fault_of_a_file_with_a_long_cell_is_reported_without_its_line(tmp_path: Path, cli: Cli) -> None:
    """Python's reader of CSV refuses cells of more than 131,072 characters, DuckDB's does not."""
    (tmp_path / "town.csv").write_text(f"x;{'a' * 140_000}\ny;*\n", encoding="utf-8")
    refused(cli("hierarchy", "show", "town.csv"), 2, "ends in 2 labels")


def test_a_failed_check_leaves_nothing_behind(tmp_path: Path, adult: Path, cli: Cli) -> None:
    shutil.copytree(FIXTURES / "seed001", tmp_path / "set")
    before = sorted(tmp_path.rglob("*"))
    assert cli("hierarchy", "check", "set", "--data", adult).code == 2
    assert sorted(tmp_path.rglob("*")) == before


# Hierarchy files as pandas writes them: listed values match the values of a column by what they mean


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


# Suggested hierarchies in whole commands


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
    assert "give --overwrite" in cli("hierarchy", "suggest", "in.parquet", "--column", "age", "-o", "age.yaml", code=3).err
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
