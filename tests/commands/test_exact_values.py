"""Values stay exact: read, counted and released as they are written."""

from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest

import duckanon
from tests.support.command_line import Cli, refused
from tests.support.input_forms import written

FLAT = "kind: flat\n"


def database(folder: Path, *statements: str) -> Path:
    """A DuckDB file that these statements make."""
    path = folder / "in.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


def released(cli: Cli, folder: Path, source: Path | str, *options: str, name: str = "out.csv") -> list[dict[str, Any]]:
    """The rows of a release, each cell as text, whose only quasi-identifier is `sex` where no other is named."""
    written(folder / "flat.yaml", FLAT.encode())
    asked = options if "--qi" in options else ("--qi", "sex", *options)
    column = asked[asked.index("--qi") + 1]
    run = cli("anonymize", source, "-o", name, "--hierarchies", f"{column}=flat.yaml", "--k", "2", "--overwrite", *asked)
    assert run.code == 0, run.err
    with duckdb.connect() as connection:
        read = f"read_csv('{folder / name}', all_varchar = true)" if name.endswith(".csv") else f"'{folder / name}'"
        found = connection.execute(f"select columns(*)::varchar from {read}")
        names = [column for column, *_ in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def k_of(cli: Cli, source: Path | str, column: str) -> int:
    """The k of a file as `duckanon check` measures it."""
    run = cli("check", source, "--qi", column, "--json")
    assert run.code == 0, run.err
    smallest: int = run.manifest["classes"]["smallest"]
    return smallest


COLLATED = [("F" if number % 2 else "f", ("HIV", "hiv", "hív")[number % 3]) for number in range(60)]
"""Rows that are alike without regard to case and accents."""


@pytest.mark.parametrize("collation", ["nocase", "noaccent", "nocase.noaccent"])
@pytest.mark.parametrize("table", ["people", "seen"])
def test_a_collation_of_the_input_changes_no_value_and_no_count(cli: Cli, tmp_path: Path, collation: str, table: str) -> None:
    rows = ", ".join(str(row) for row in COLLATED)
    source = database(
        tmp_path,
        f"create table people(sex varchar collate {collation}, dx varchar collate {collation})",
        f"insert into people values {rows}",
        "create view seen as select sex, dx from people",
    )
    found = released(cli, tmp_path, f"{source}::{table}", "--keep", "dx", "--levels", "sex=0")
    assert Counter((row["sex"], row["dx"]) for row in found) == Counter(COLLATED)
    assert k_of(cli, f"{source}::{table}", "dx") == min(Counter(dx for _, dx in COLLATED).values())
    assert k_of(cli, tmp_path / "out.csv", "dx") == min(Counter(dx for _, dx in COLLATED).values())


def test_a_collation_inside_a_struct_or_a_list_changes_no_value(cli: Cli, tmp_path: Path) -> None:
    rows = ", ".join(str(row) for row in COLLATED)
    source = database(
        tmp_path,
        "create table people(sex varchar, dx varchar collate nocase)",
        f"insert into people values {rows}",
        "create view seen as select sex, {'x': dx} as inside, [dx] as listed from people",
        "create table stored as select * from seen",
    )
    classes = len(set(COLLATED))
    for table in ("seen", "stored"):
        run = cli("check", f"{source}::{table}", "--qi", "sex", "--json")
        assert run.manifest["all_columns"]["classes"] == classes, run.err


SPANS = ("1 month", "30 days", "720:00:00")
TIMES = ("10:00:00+01", "09:00:00+00", "11:30:00+02:30")


@pytest.mark.parametrize(("column", "type", "texts"), [("span", "interval", SPANS), ("opens", "time with time zone", TIMES)])
@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
@pytest.mark.parametrize("role", ["quasi-identifier", "sensitive", "retained"])
def test_intervals_and_times_with_a_zone_are_released_as_they_are_written(
    cli: Cli, tmp_path: Path, column: str, type: str, texts: tuple[str, ...], name: str, role: str
) -> None:
    rows = [("F" if number % 2 else "M", texts[number % 3]) for number in range(60)]
    values = ", ".join(f"('{sex}', cast('{text}' as {type}))" for sex, text in rows)
    source = database(tmp_path, f"create table people as select * from (values {values}) as rows(sex, {column})")
    options = {
        "quasi-identifier": ("--qi", column, "--keep", "sex", "--levels", f"{column}=0"),
        "sensitive": ("--levels", "sex=0", "--sensitive", column, "--require", f"distinct-l=3@{column}"),
        "retained": ("--levels", "sex=0", "--keep", column),
    }[role]
    found = released(cli, tmp_path, f"{source}::people", *options, name=name)
    assert Counter((row["sex"], row[column]) for row in found) == Counter(rows)
    assert k_of(cli, f"{source}::people", column) == min(Counter(text for _, text in rows).values())


def test_an_interval_of_a_parquet_file_is_counted_as_it_is_written(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    # a dictionary page of DuckDB's would hold one of the two
    duckdb.execute(
        "copy (select if(range % 2 = 0, 'F', 'M') as sex, if(range % 4 < 2, interval 1 month, interval 30 days) as span from range(40)) "
        f"to '{path}' (format parquet, dictionary_size_limit 0)"
    )
    assert k_of(cli, path, "span") == 20
    found = released(cli, tmp_path, path, "--keep", "span", "--levels", "sex=0")
    assert Counter(row["span"] for row in found) == {"1 month": 20, "30 days": 20}


def test_an_interval_inside_another_type_is_refused(cli: Cli, tmp_path: Path) -> None:
    source = database(tmp_path, "create table people as select 'F' as sex, [interval 1 month] as spans from range(9)")
    written(tmp_path / "flat.yaml", FLAT.encode())
    run = cli("anonymize", f"{source}::people", "--qi", "sex", "--hierarchies", "sex=flat.yaml", "--keep", "spans")
    refused(run, 2, "'spans'", "INTERVAL[]", "cast it to VARCHAR")


def test_a_view_of_a_database_is_read_once(cli: Cli, tmp_path: Path) -> None:
    """Each pass over this view would give other rows; its tables are called as relations of a run are."""
    source = database(
        tmp_path,
        "create table source as select range as number from range(400)",
        "create table population_file as select range as number from range(7)",
        "create view combinations as select number from source",
        "create view records as select if(random() < 0.5, 'F', 'M') as sex, (random() * 3)::integer::varchar as dx, now()::varchar "
        "as seen, (select count(*) from population_file) as people from combinations",
    )
    options = ("--keep", "seen,people", "--sensitive", "dx", "--require", "distinct-l=2@dx", "--levels", "sex=0")
    found = released(cli, tmp_path, f"{source}::records", *options)
    assert len(found) == 400
    assert {row["people"] for row in found} == {"7"}
    assert len({row["seen"] for row in found}) == 1


def test_a_relation_keeps_its_integers_and_its_intervals() -> None:
    """Parquet, as DuckDB writes it, holds a HUGEINT as a DOUBLE, and one of two intervals that DuckDB takes for equal."""
    relation = duckdb.sql(
        "select if(range % 2 = 0, 'F', 'M') as sex, 100000000000000000000::hugeint + range % 4 as id, "
        "if(range % 4 < 2, interval 1 month, interval 30 days) as span from range(40)"
    )
    checked = duckanon.check(relation, qi=["id"])
    assert checked["classes"]["smallest"] == 10
    assert duckanon.check(relation, qi=["span"])["classes"]["smallest"] == 20
