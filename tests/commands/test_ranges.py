"""`--ranges` on the command line and in jobs: columns, types, names that collide, columns that keep their labels, and errors."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

import duckanon
from duckanon.checks.file import check
from duckanon.errors import JobError
from duckanon.export.script import export_sql
from duckanon.workflows.explain import explain
from tests.support import levels
from tests.support.command_line import Cli, refused
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize, apply

ROWS = [
    {
        "age": 20 + number % 12,
        "sex": "FM"[number % 2],
        "born": date(1990, 1, 1) + timedelta(days=number % 360),
        "code": number % 3,
    }
    for number in range(240)
]
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10]}},
    "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_parquet(tmp_path / "in.parquet", ROWS)


def job_of(written: str = "bounds", levels: dict[str, int] | None = None, **columns: Any) -> dict[str, Any]:
    levels = levels or {"age": 1, "sex": 0}
    return {
        "columns": {**COLUMNS, **columns},
        "recoding": {"levels": levels},
        "output": {"ranges": written},
        "suppression": {"limit": "100%"},
        "entity": "none",
    }


def types_of(path: Path) -> dict[str, str]:
    with duckdb.connect() as connection:
        return dict(connection.execute(f"select column_name, column_type from (describe from '{path}')").fetchall())


def test_bounds_are_two_columns_and_the_midpoint_one(cli: Cli, source: Path) -> None:
    chosen = ("--qi", "age,sex", "--hierarchies", ".", "--levels", "age=1,sex=0", "--overwrite")
    source.with_name("age.yaml").write_text("kind: intervals\nwidths: [5, 10]\n", encoding="utf-8")
    done = cli("anonymize", source, "-o", "bounds.parquet", *chosen, "--ranges", "bounds", code=0)
    assert "age → [20, 25), [25, 30), ... as age_min and age_max" in done.err
    path = source.with_name("bounds.parquet")
    assert types_of(path) == {"age_min": "BIGINT", "age_max": "BIGINT", "sex": "VARCHAR"}
    assert {(row["age_min"], row["age_max"]) for row in read_rows(path)} == {(20, 25), (25, 30), (30, 35)}
    assert cli("anonymize", source, "-o", "middle.parquet", *chosen, "--ranges", "midpoint").code == 0
    path = source.with_name("middle.parquet")
    assert types_of(path) == {"age": "DOUBLE", "sex": "VARCHAR"}
    assert {row["age"] for row in read_rows(path)} == {22.5, 27.5, 32.5}


def test_the_library_reads_the_written_columns(source: Path) -> None:
    chosen: dict[str, Any] = {"hierarchies": {"age": COLUMNS["age"]["hierarchy"]}, "levels": {"age": 1, "sex": 0}}
    with duckanon.anonymize(source, qi=["age", "sex"], ranges="bounds", **chosen) as made:
        assert made.to_arrow().column_names[:2] == ["age_min", "age_max"]
        copy = made.write(source.with_name("copy.csv"))
        assert copy.to_arrow().column_names[:2] == ["age_min", "age_max"]


def test_labels_that_are_not_ranges_stay(source: Path) -> None:
    codes = {"kind": "levels", "levels": [{"low": "0", "high": "1, 2"}, "*"]}
    plan = {"role": "quasi-identifier", "hierarchy": codes}
    output = source.with_name("out.parquet")
    levels = {"age": 1, "sex": 0, "code": 1}
    manifest = anonymize(source, output, job=job_of(levels=levels, code=plan))
    assert {row["code"] for row in read_rows(output)} == {"low", "high"}
    assert manifest["ranges"] == {"age": {"written": "bounds", "columns": ["age_min", "age_max"], "max": "excluded"}}
    with pytest.raises(
        JobError, match=r"columns.code.ranges: bounds needs ranges, but its label 'high' is not a range of BIGINT"
    ):
        anonymize(source, job=job_of(levels=levels, code={**plan, "ranges": "bounds"}), overwrite=True)


def test_a_range_whose_bounds_do_not_fit_the_type_stays_a_label(source: Path) -> None:
    half = {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": ["2.5", 10]}}
    output = source.with_name("out.parquet")
    assert "ranges" not in anonymize(source, output, job=job_of(age=half))
    assert "[22.5, 25.0)" in {row["age"] for row in read_rows(output)}


def test_masked_records_and_values_released_unchanged(source: Path) -> None:
    output = source.with_name("out.parquet")
    job = job_of(levels={"age": 0, "sex": 0}) | {"suppression": {"limit": "100%", "style": "star"}}
    rare = write_parquet(source.with_name("rare.parquet"), [*ROWS, *({**ROWS[0], "age": 70 + extra} for extra in range(6))])
    anonymize(rare, output, job=job)
    rows = {(row["age_min"], row["age_max"]) for row in read_rows(output)}
    assert rows == {(age, age) for age in range(20, 32)} | {(None, None)}


def test_a_name_of_another_released_column_is_an_error(cli: Cli, source: Path) -> None:
    taken = write_parquet(source.with_name("taken.parquet"), [{**row, "Age_Min": 1} for row in ROWS])
    done = cli("anonymize", taken, "--qi", "age,sex", "--keep", "Age_Min", "--ranges", "bounds")
    refused(
        done, 2, "--ranges bounds writes 'age' as 'age_min', but the released column 'Age_Min' has the same name", narrates=True
    )
    assert cli("anonymize", taken, "-o", "free.parquet", "--qi", "age,sex", "--ranges", "bounds").code == 0


@pytest.mark.parametrize(("algorithm", "written"), levels.spread(["optimal", "mondrian", "local"], ["bounds", "midpoint"]))
def test_a_saved_recoding_writes_the_same_columns_again(source: Path, algorithm: str, written: str) -> None:
    output = source.with_name("out.parquet")
    recoding = {"algorithm": algorithm} if algorithm != "optimal" else {"levels": {"age": 1, "sex": 0}}
    job = job_of(written) | {"recoding": recoding}
    anonymize(source, output, job=job)
    again = source.with_name("again.parquet")
    new = write_parquet(source.with_name("new.parquet"), ROWS[:150])
    manifest = apply(f"{output}.manifest.json", new, again)
    assert types_of(again) == types_of(output)
    assert manifest["ranges"].keys() == {"age"}
    assert explain(f"{output}.manifest.json")["release"] == str(output)


def test_check_reads_the_names_of_the_written_columns_from_the_manifest(source: Path) -> None:
    output = source.with_name("out.parquet")
    anonymize(source, output, job=job_of(), set={"output.public-manifest": source.with_name("public.json")})
    for manifest in (f"{output}.manifest.json", source.with_name("public.json")):
        document = check(output, manifest=Path(manifest))
        assert document["quasi_identifiers"] == ["age_min", "age_max", "sex"]
        assert document["status"] == "holds"


def test_ranges_are_an_error_for_spark_the_sql_export_and_partitions(cli: Cli, source: Path) -> None:
    chosen = ("anonymize", source, "--qi", "age,sex", "--ranges", "bounds")
    refused(cli(*chosen, "--engine", "spark://127.0.0.1:1"), 2, "--ranges bounds works with --engine duckdb only")
    parted = cli(*chosen, "--set", "output.partition-by=age", "-o", "parts")
    refused(parted, 2, "output.partition-by names 'age', but --ranges bounds", narrates=True)
    output = source.with_name("out.parquet")
    anonymize(source, output, job=job_of())
    with pytest.raises(JobError, match=r"column 'age' is written as numbers \(--ranges bounds\)"):
        export_sql(Path(f"{output}.manifest.json"))


def test_a_job_sets_ranges_per_column(source: Path) -> None:
    output = source.with_name("out.parquet")
    born = {"role": "quasi-identifier", "hierarchy": {"kind": "dates", "units": ["month", "year"]}, "ranges": "midpoint"}
    text = {**COLUMNS["age"], "ranges": "text"}
    anonymize(source, output, job=job_of(levels={"age": 1, "sex": 0, "born": 2}, age=text, born=born))
    assert types_of(output) == {"age": "VARCHAR", "sex": "VARCHAR", "born": "DATE"}
    assert {row["born"] for row in read_rows(output)} == {date(1990, 7, 2)}


def test_a_microaggregated_column_shows_its_figure(source: Path) -> None:
    output = source.with_name("out.parquet")
    born = {"role": "quasi-identifier", "hierarchy": {"kind": "dates", "units": ["year"]}}
    job = job_of(levels={"age": 1, "sex": 0, "born": 1}, age={**COLUMNS["age"], "microaggregate": "mean"}, born=born)
    anonymize(source, output, job=job)
    assert types_of(output) == {"age": "DOUBLE", "sex": "VARCHAR", "born_min": "DATE", "born_max": "DATE"}
