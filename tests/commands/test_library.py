"""The library: tables of other programs in and out, a release as an object, and that it prints nothing and leaves no file."""

import ast
import gc
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer

import duckanon
from duckanon.api.keywords import Keywords
from duckanon.checks import file as check_file
from duckanon.cli import app
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Settings
from duckanon.errors import Infeasible, InputError, JobError, OutputError, UsageError, VerificationFailed
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from tests.support import levels
from tests.support.damage import change_drafts
from tests.support.library_tables import PEOPLE, ROWS
from tests.support.rows import read_rows

HIERARCHIES = {"age": {"kind": "intervals", "widths": [5, 20]}, "sex": [["F", "*"], ["M", "*"]], "zip": {"kind": "redaction"}}


ASKED: dict[str, Any] = {"qi": "age,sex,zip", "sensitive": ["job"], "keep": "born,number", "hierarchies": HIERARCHIES, "k": 4}


QI = ("age", "sex", "zip")


UNKNOWN: Any = {"sensitiv": "age"}


@pytest.fixture(autouse=True)
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files that a test can look into."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.chdir(tmp_path)
    pq.write_table(PEOPLE, tmp_path / "people.parquet")
    return folder


def _connection(*, more: bool = False) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.register("arrow", PEOPLE)
    connection.execute("create table people as from arrow")
    connection.unregister("arrow")
    if more:
        connection.execute('create view "two ""words""" as from people')
    return connection


SOURCES: dict[str, Callable[[], Any]] = {
    "str": lambda: "people.parquet",
    "path": lambda: Path("people.parquet"),
    "duckdb.DuckDBPyRelation": lambda: _connection().table("people"),
    "duckdb.DuckDBPyConnection": _connection,
    "pandas.DataFrame": lambda: PEOPLE.to_pandas().sample(frac=1, random_state=1),
    "polars.DataFrame": lambda: pl.from_arrow(PEOPLE),
    "polars.LazyFrame": lambda: pl.scan_parquet("people.parquet"),
    "pyarrow.Table": lambda: PEOPLE,
    "pyarrow.RecordBatchReader": lambda: PEOPLE.to_reader(max_chunksize=37),
    "pyarrow.RecordBatch": lambda: PEOPLE.combine_chunks().to_batches()[0],
}


def cells(rows: list[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    """The rows whatever their order."""
    return Counter(tuple(row.values()) for row in rows)


def classes(rows: list[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(row[name] for name in QI) for row in rows)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Counter[tuple[Any, ...]]:
    """The rows that the command releases."""
    folder = tmp_path_factory.mktemp("expected")
    pq.write_table(PEOPLE, folder / "people.parquet")
    duckanon.anonymize(folder / "people.parquet", folder / "expected.parquet", **ASKED)
    return cells(read_rows(folder / "expected.parquet"))


@pytest.mark.parametrize("kind", SOURCES)
def test_every_kind_of_table_gives_the_release_that_its_file_gives(kind: str, expected: Counter[tuple[Any, ...]]) -> None:
    made = duckanon.anonymize(SOURCES[kind](), **ASKED)
    rows = made.to_arrow().to_pylist()
    assert made.to_arrow().column_names == list(PEOPLE.column_names)
    assert cells(rows) == expected
    assert min(classes(rows).values()) >= 4
    assert made.manifest["rows"]["released"] == len(rows)
    assert made.path is None
    name = made.manifest["input"]["name"]
    assert name == ("people.parquet" if kind in ("str", "path") else kind)


def test_rows_come_out_as_every_kind_of_table(expected: Counter[tuple[Any, ...]]) -> None:
    made = duckanon.anonymize(PEOPLE, **ASKED)
    assert cells(made.to_arrow().to_pylist()) == expected
    assert cells(made.to_polars().to_dicts()) == expected
    assert cells(pl.from_pandas(made.to_pandas()).with_columns(pl.col("born").cast(pl.Date)).to_dicts()) == expected
    assert Counter(made.relation.fetchall()) == expected
    assert made.relation.filter("sex = 'F'").aggregate("count(*)").fetchall()[0][0] == sum(
        count for row, count in expected.items() if row[1] == "F"
    )


def test_what_hangs_on_a_release_outlives_it(private: Path, expected: Counter[tuple[Any, ...]]) -> None:
    relation = duckanon.anonymize(PEOPLE, **ASKED).relation
    gc.collect()
    assert not list(private.iterdir())
    assert Counter(relation.fetchall()) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("output", "kind"),
    levels.spread(["out.parquet", "out.csv", "out.tsv", "out.csv.gz", "out.duckdb::people"], ["str", "pandas.DataFrame"]),
)
def test_a_release_is_written_in_any_form_with_what_belongs_to_it(
    kind: str, output: str, expected: Counter[tuple[Any, ...]], tmp_path: Path
) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    made = duckanon.anonymize(SOURCES[kind](), **ASKED)
    written = made.write(folder / output)
    texts = Counter({tuple(map(str, row)): count for row, count in expected.items()})
    assert Counter(tuple(map(str, row)) for row in written.relation.fetchall()) == texts
    name = output.partition("::")[0]
    assert written.path == folder / name
    assert {path.name for path in folder.iterdir()} == {name, f"{name}.manifest.json", f"{name}.recoding"}
    manifest = json.loads((folder / f"{name}.manifest.json").read_text())
    assert manifest["rows"] == made.manifest["rows"]
    assert manifest["output"]["path"] == str(folder / output)
    assert str(tmp_path / "temporary") not in (folder / f"{name}.manifest.json").read_text()
    assert str(tmp_path / "temporary") not in (folder / f"{name}.recoding/asked.yaml").read_text()
    document = check_file.check(str(folder / output), options=Options(qi=QI, require=["k=4"]))
    assert document["status"] == "holds"
    # the files beside it do for the commands that begin with a manifest
    source = None if kind == "str" else "people.parquet"
    assert duckanon.explain(folder / f"{name}.manifest.json", source=source)["recoding"] == manifest["recoding"]
    again = duckanon.apply(folder / f"{name}.manifest.json", "people.parquet")
    assert cells(again.to_arrow().to_pylist()) == expected


def test_a_release_in_a_file_of_its_own_is_written_elsewhere_too(expected: Counter[tuple[Any, ...]]) -> None:
    made = duckanon.anonymize("people.parquet", "first.csv", **ASKED)
    assert made.path == Path("first.csv")
    second = made.write("second.parquet")
    assert {name.partition("[")[0] for name in map(str, second.to_arrow().schema.types)} == {"string"}
    with pytest.raises(OutputError, match="exists"):
        made.write("second.parquet")
    made.write("second.parquet", overwrite=True)
    with pytest.raises(OutputError, match="is the input itself"):
        made.write("people.parquet", overwrite=True)
    with pytest.raises(JobError, match="standard output"):
        made.write("-")
    assert pq.read_table("people.parquet") == PEOPLE
    parted = duckanon.anonymize("people.parquet", "parts", **ASKED, set={"output.partition-by": ["sex"]})
    copied = parted.write("copied")
    assert {path.relative_to("parts") for path in Path("parts").rglob("*.parquet")} == {
        path.relative_to("copied") for path in Path("copied").rglob("*.parquet")
    }
    assert Counter(copied.relation.select(*parted.relation.columns).fetchall()) == Counter(parted.relation.fetchall())
    assert sum(expected.values()) == len(copied.to_arrow())


def test_a_copy_in_another_form_that_is_not_the_release_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    made = duckanon.anonymize(PEOPLE, **ASKED)
    write = DuckDBEngine.write

    def damaging(self: DuckDBEngine, statement: Any, path: Path, *more: Any, **named: Any) -> int:
        rows = write(self, statement, path, *more, **named)
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join([*lines[:-1], lines[-1].replace("F", "X").replace("M", "X")]))
        return rows

    monkeypatch.setattr(DuckDBEngine, "write", damaging)
    with pytest.raises(VerificationFailed, match="2 rows of"):
        made.write("out.csv")
    assert not list(Path().glob("out*"))


def test_a_release_without_a_file_is_verified_as_any_other(monkeypatch: pytest.MonkeyPatch, private: Path) -> None:

    def damaged(draft: Path) -> None:
        table = pq.read_table(draft)
        wrong = table.set_column(0, "age", pa.array(["[20, 25)", *["*"] * (len(table) - 1)]))
        pq.write_table(wrong, draft)

    change_drafts(monkeypatch, damaged)
    with pytest.raises(VerificationFailed):
        duckanon.anonymize(PEOPLE, **ASKED)
    gc.collect()
    assert not list(private.iterdir())


@pytest.mark.slow
def test_nothing_is_printed_and_nothing_is_left(private: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = {path.name for path in tmp_path.iterdir()}
    with duckanon.anonymize(PEOPLE.to_pandas(), **ASKED) as made:
        made.to_arrow()
        held = [path for path in private.rglob("*") if path.is_dir() and path.parent == private]
        assert {oct(path.stat().st_mode & 0o777) for path in held} == {"0o700"}
    with pytest.raises(JobError, match="closed"):
        made.to_arrow()
    duckanon.check(PEOPLE, qi="age,sex")
    duckanon.risk(PEOPLE, qi="age,sex")
    duckanon.profile(PEOPLE)
    with pytest.raises(Infeasible):
        duckanon.anonymize(PEOPLE, **ASKED | {"k": 1_000})
    gc.collect()
    assert not list(private.iterdir())
    assert {path.name for path in tmp_path.iterdir()} == before
    assert capfd.readouterr() == ("", "")


def test_an_index_and_what_a_program_knew_of_a_table_are_not_released() -> None:
    frame = PEOPLE.to_pandas().set_index(pd.Index([f"name {number}" for number in range(ROWS)], name="person"))
    made = duckanon.anonymize(frame, **ASKED)
    assert "person" not in made.to_arrow().column_names
    path = made.write("out.parquet").path
    assert path is not None
    assert b"name 1" not in path.read_bytes()
    assert b"pandas" not in path.read_bytes()


def test_the_other_commands_take_tables_too() -> None:
    made = duckanon.anonymize(PEOPLE, **ASKED)
    assert duckanon.check(made.to_polars(), qi=QI, require="k=4")["status"] == "holds"
    assert duckanon.check(PEOPLE, qi=(*QI, "number"), require="k=4")["status"] == "violated"
    assert duckanon.risk(made.to_pandas(), qi=QI, max_risk=0.25)["status"] == "within"
    assert [column["column"] for column in duckanon.profile(PEOPLE)["columns"]] == PEOPLE.column_names
    compared = duckanon.compare(PEOPLE, **ASKED | {"k": [2, 4]})
    assert [run["k"] for run in compared["runs"]] == [2, 4]
    assert compared["runs"][1]["loss"] == pytest.approx(made.manifest["metrics"]["loss"])
    next_year = duckanon.apply(made, PEOPLE.slice(0, 300).to_pandas(), max_suppression="50%")
    assert next_year.manifest["recoding"]["levels"] == made.manifest["recoding"]["levels"]
    assert next_year.manifest["input"]["rows"] == 300


@pytest.mark.slow
def test_a_job_is_a_file_or_its_content() -> None:
    content = {
        "columns": {"sex": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}},
        "privacy": [{"model": "k-anonymity", "k": 7}],
    }
    Path("job.yaml").write_text(json.dumps(content))
    for job in (content, "job.yaml", Path("job.yaml")):
        assert duckanon.anonymize(PEOPLE, job=job).manifest["privacy"][0]["required"] == 7
    assert duckanon.anonymize(PEOPLE, job="job.yaml", k=3).manifest["privacy"][0]["required"] == 3
    placed = duckanon.anonymize(PEOPLE, job=content | {"output": {"path": "placed.csv"}})
    assert placed.path == Path("placed.csv")
    guessed = duckanon.anonymize(PEOPLE.drop_columns(["number"]))
    assert guessed.manifest["roles"] == "detected"
    assert "job" not in guessed.write("guessed.parquet").manifest


def test_a_release_explains_itself() -> None:
    made = duckanon.anonymize(PEOPLE.to_pandas(), **ASKED | {"k": 9, "max_suppression": "20%"})
    assert made.explain()["recoding"] == made.manifest["recoding"]
    assert made.explain(row=1)["row"]["row"] == 1
    made.close()
    with pytest.raises(JobError, match="closed"):
        made.explain()


@pytest.mark.slow
def test_reports_are_drawn_from_the_release(tmp_path: Path) -> None:
    made = duckanon.anonymize(PEOPLE, **ASKED)
    page = made.report()
    assert page.html.startswith("<!doctype html>")
    assert page.html != made.report(public=True).html
    assert page._repr_html_().startswith("<iframe srcdoc=")
    assert "<script" not in page._repr_html_()
    assert made.report("report.html").html == Path("report.html").read_text()
    with pytest.raises(OutputError, match="exists"):
        made.report("report.html")
    assert (tmp_path / "report.html").stat().st_mode & 0o077 == 0


def test_a_notebook_shows_a_summary_and_two_pictures() -> None:
    hostile = PEOPLE.rename_columns(["age", "<script>alert(1)</script>", "zip", "born", "job", "number"])
    name = hostile.column_names[1]
    made = duckanon.anonymize(hostile, qi=["age", name], hierarchies={"age": HIERARCHIES["age"], name: {"kind": "flat"}})
    html = made._repr_html_()
    assert html.count("<svg") == 2
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "duckanon-" not in html
    assert repr(made).startswith(f"<Release: {made.manifest['rows']['released']} of 400 rows in ")
    assert "information loss" in html


def test_statements_are_reported_without_a_key(tmp_path: Path) -> None:
    secret = "0b8d3f6a51c27e94" * 4
    (tmp_path / "key").write_text(secret)
    (tmp_path / "key").chmod(0o600)
    made = duckanon.anonymize(PEOPLE, **ASKED | {"keep": "born"}, pseudonym="number", release="r", key_file="key")
    assert "create or replace table" in made.sql
    assert "$inner_" in made.sql
    assert secret not in made.sql
    assert secret not in json.dumps(made.manifest)
    assert {len(text) for text in made.to_arrow()["number"].to_pylist()} == {32}


@pytest.mark.parametrize(
    ("given", "kind", "phrase"),
    [
        (lambda: duckanon.anonymize(PEOPLE, **UNKNOWN), JobError, "no such argument: 'sensitiv'; did you mean 'sensitive'"),
        (lambda: duckanon.anonymize(PEOPLE, qi="agee"), JobError, "did you mean 'age'"),
        (lambda: duckanon.anonymize(7, qi="age"), JobError, "a builtins.int is not a supported table"),
        (lambda: duckanon.anonymize([{"age": 1}], qi="age"), JobError, "a builtins.list is not a supported table"),
        (lambda: duckanon.anonymize(pd.DataFrame({1: [2]}), qi="age"), JobError, "which is not text"),
        (lambda: duckanon.anonymize(pd.DataFrame({"a": [1, "zqsecret"]}), qi="a"), InputError, "contains values of several types"),
        (lambda: duckanon.anonymize(pd.DataFrame([[1, 2]], columns=["a", "a"]), qi="a"), InputError, "a"),
        (lambda: duckanon.anonymize(pl.DataFrame({"a": [object()]}), qi="a"), InputError, "polars.DataFrame"),
        (lambda: duckanon.anonymize(pd.DataFrame(), qi="a"), InputError, "no columns"),
        (lambda: duckanon.anonymize(_connection(more=True), qi="age"), JobError, "without the name of a table"),
        (lambda: duckanon.anonymize(duckdb.connect(), qi="age"), JobError, "it contains no table"),
        (lambda: duckanon.anonymize(_connection(), table="peple", qi="age"), JobError, "did you mean 'people'"),
        (lambda: duckanon.anonymize(PEOPLE, table="people", qi="age"), JobError, "leave it out"),
        (lambda: duckanon.anonymize("people.parquet", table="people", qi="age"), JobError, "FILE.duckdb::TABLE"),
        (lambda: duckanon.anonymize(duckdb.sql("select cast('zqsecret' || range as int) as a from range(3)"), qi="a"), InputError, "not shown"),
        (lambda: duckanon.anonymize(PEOPLE, "-", **ASKED), JobError, "standard output"),
        (lambda: duckanon.anonymize("nobody.parquet", qi="age"), InputError, "nobody.parquet"),
        (lambda: duckanon.anonymize(qi="age"), JobError, "no input"),
        (lambda: duckanon.anonymize(PEOPLE, dry_run=True, **ASKED).to_arrow(), JobError, "ended with status 'dry-run'"),
        (lambda: duckanon.check(3, qi="age"), JobError, "is not a supported table"),
        (lambda: duckanon.anonymize(pd.Series([1], name="a"), qi="a"), JobError, "a pandas.Series is not a supported table"),
        (lambda: duckanon.anonymize(pl.Series("a", [1]), qi="a"), JobError, "a polars.Series is not a supported table"),
        (lambda: duckanon.anonymize(pa.chunked_array([[1]]), qi="a"), JobError, "a pyarrow.ChunkedArray is not a supported table"),
        (lambda: duckanon.anonymize(pl.DataFrame(), qi="a"), InputError, "no columns"),
        (lambda: duckanon.anonymize(pd.DataFrame({"a": [1], "b\0c": [2]}), qi="a"), JobError, "has a NUL in its name"),
        (lambda: duckanon.anonymize(PEOPLE, qi=cast("Any", 5)), JobError, "qi needs a text or a list, not int"),
        (lambda: duckanon.anonymize(PEOPLE, qi="age", k=cast("Any", "5")), JobError, "k needs a whole number"),
        (lambda: duckanon.anonymize(PEOPLE, qi="age", levels=cast("Any", 5)), JobError, "levels needs a mapping"),
        (lambda: duckanon.anonymize(PEOPLE, qi="age", key_file=cast("Any", 5)), JobError, "key_file needs a path"),
        (lambda: duckanon.anonymize(PEOPLE, qi="age", hierarchies={"age": 5}), JobError, "the hierarchy of 'age' must be a file"),
        (lambda: duckanon.anonymize(PEOPLE, job=cast("Any", 5)), JobError, "a job is a file or a mapping"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_reported_by_an_error_of_ours(
    given: Callable[[], object], kind: type[Exception], phrase: str, private: Path
) -> None:
    with pytest.raises(kind, match=phrase) as raised:
        given()
    assert len(str(raised.value).splitlines()) == 1
    assert "zqsecret" not in str(raised.value)
    assert raised.value.__cause__ is None or "zqsecret" not in str(raised.value.__cause__)
    del raised
    gc.collect()
    assert not list(private.iterdir())


def test_a_view_of_a_connection_is_taken_by_its_name() -> None:
    made = duckanon.anonymize(_connection(more=True), table='two "words"', **ASKED)
    assert made.manifest["rows"]["read"] == ROWS


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    made = duckanon.anonymize(PEOPLE, **ASKED)
    for package, taken in (("pandas", made.to_pandas), ("polars", made.to_polars)):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(UsageError, match=f"pip install {package}"):
            taken()


def test_arguments_are_the_options_of_the_command_line() -> None:
    known = {field.name for kind in (Options, Run, Settings) for field in fields(kind)}
    assert set(Keywords.__annotations__) == known - {"settings", "standard_output"}
    command = typer.main.get_command(app.app).commands["anonymize"]  # type: ignore[attr-defined]
    options = {parameter.name for parameter in command.params if parameter.opts[0].startswith("-")}
    by_other_means = {"place", "job", "json", "sql", "quiet", "verbose", "strict", "help", "help_all"}
    assert options - by_other_means == set(Keywords.__annotations__)


def test_public_names_are_typed_and_load_when_used() -> None:
    tree = ast.parse(Path(duckanon.__file__).read_text())
    shown = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert set(duckanon.__all__) <= shown
    assert (Path(duckanon.__file__).parent / "py.typed").exists()
    for name in duckanon.__all__:
        assert getattr(duckanon, name).__doc__, name


def test_a_fork_that_ends_does_not_take_the_release_with_it() -> None:
    made = duckanon.anonymize("people.parquet", **ASKED)
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    assert made.write("out.parquet").path == Path("out.parquet")


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"age": 30, "odd": pd.period_range("2020-01", periods=9, freq="M")}),
        pd.DataFrame({"age": 30, "odd": pd.interval_range(0, 9)}),
        pd.DataFrame({"age": 30, "odd": pd.timedelta_range(0, periods=9)}),
        pl.DataFrame({"age": [30] * 9, "odd": [timedelta(1)] * 9}),
        pl.DataFrame({"age": [30] * 9, "odd": pl.Series([2**70] * 9, dtype=pl.Int128)}).lazy(),
        pa.table({"age": [30] * 9, "odd": pa.array([1] * 9, pa.duration("s"))}),
        pa.table({"age": [30] * 9, "odd": pa.array([Decimal(1)] * 9, pa.decimal256(50, 2))}),
    ],
)
def test_a_type_that_a_file_holds_as_another_is_refused(table: Any) -> None:
    with pytest.raises(InputError, match=r"column 'odd' of the \S+ is .* cast it first"):
        duckanon.anonymize(table, qi="age", keep="odd")


@pytest.mark.slow
def test_a_table_of_another_schema_is_found() -> None:
    connection = _connection()
    connection.execute(
        "create schema s; create schema t; create table s.others as from people; create table t.others as from people"
    )
    connection.execute("create table s.people as from people limit 100; create table t.single as from people limit 50")

    def read(name: str) -> int:
        return int(duckanon.anonymize(connection, table=name, **ASKED).manifest["rows"]["read"])

    assert [read(name) for name in ("people", "s.people", "memory.s.people", "single")] == [ROWS, 100, 100, 50]
    with pytest.raises(JobError, match=r"several tables 'others'; name one: 'memory\.s\.others', 'memory\.t\.others'"):
        read("others")


@pytest.mark.slow
def test_a_release_is_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = duckanon.anonymize("people.parquet", "out.parquet", **ASKED)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert len(made.to_arrow()) == ROWS
    assert made.write("copy.parquet").to_arrow() == made.to_arrow()
    assert "<html" in made.report().html
    with pytest.raises(OutputError, match="is the input itself"):
        made.write("../people.parquet", overwrite=True)
    assert len(pq.read_table(tmp_path / "people.parquet")) == ROWS


def test_what_was_written_lives_on_when_the_release_is_closed() -> None:
    with duckanon.anonymize(PEOPLE, **ASKED) as made:
        written = made.write("out.parquet")
    assert len(written.write("out.csv").to_arrow()) == ROWS
    with pytest.raises(JobError, match="was removed when a release was closed"):
        written.report()


def test_threads_read_one_release() -> None:
    made = duckanon.anonymize(PEOPLE, **ASKED)
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda _: len(made.to_arrow()), range(32))) == [ROWS] * 32


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": True}, "k needs a whole number, not bool"),
        ({"qi": {"age": 1}}, "qi needs a text or a list, not dict"),
        ({"require": [5]}, "each of require needs a text, not int"),
        ({"hierarchies": [{"kind": "flat"}]}, "each of hierarchies needs a text, not dict"),
        ({"population": PEOPLE}, "population needs a path, not Table"),
        ({"output": PEOPLE}, "output needs a path, not Table"),
        ({"options": {"k": 3}}, "options needs duckanon.Options, not dict"),
        ({"run": 5}, "run needs duckanon.Run, not int"),
        ({"dry_run": "no"}, "dry_run needs True or False, not str"),
        ({"set": "k=2"}, "set needs a mapping by column, not str"),
    ],
)
def test_an_argument_of_another_kind_is_named_and_not_shown(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(JobError) as refusal:
        duckanon.anonymize(PEOPLE, **(ASKED | arguments))
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    "call",
    [
        lambda: duckanon.check(PEOPLE, qi="age", show_values=cast(Any, "no")),
        lambda: duckanon.check(PEOPLE, manifest=cast(Any, PEOPLE)),
        lambda: duckanon.risk(PEOPLE, qi="age", max_risk=cast(Any, "x")),
        lambda: duckanon.risk(PEOPLE, qi="age", attacker=cast(Any, "joe")),
        lambda: duckanon.compare(PEOPLE, qi="age", hierarchies=HIERARCHIES, k=cast(Any, "5")),
        lambda: duckanon.compare(PEOPLE, qi="age", hierarchies=HIERARCHIES, ks=cast(Any, 5)),
        lambda: duckanon.compare(PEOPLE, qi="age", hierarchies=HIERARCHIES, k=cast(Any, ["a"])),
        lambda: duckanon.apply(cast(Any, None), PEOPLE),
        lambda: duckanon.compare(PEOPLE, qi="age", hierarchies=HIERARCHIES, k=cast(Any, [None])),
        lambda: duckanon.compare(PEOPLE, qi="age", hierarchies=HIERARCHIES, max_suppression=cast(Any, [2.5])),
        lambda: duckanon.compare(PEOPLE, qi="age", hierarchies=HIERARCHIES, algorithms=cast(Any, ["fastest"])),
        lambda: duckanon.explain(cast(Any, None)),
        lambda: duckanon.explain("no.manifest.json", row=cast(Any, "17")),
        lambda: duckanon.report(cast(Any, PEOPLE)),
        lambda: duckanon.profile(PEOPLE, write_job=cast(Any, 5)),
        lambda: duckanon.demo(Path("d.parquet"), cast(Any, "x")),
        lambda: duckanon.anonymize(""),
        lambda: Options(qi="age,sex"),
    ],
)
def test_whatever_is_wrong_with_a_call_is_an_error_of_ours(call: Callable[[], object]) -> None:
    with pytest.raises(JobError) as refusal:
        call()
    assert "\n" not in str(refusal.value)


def test_a_hierarchy_that_is_handed_over_is_refused_by_its_column() -> None:
    wrong = HIERARCHIES | {"age": {"kind": "intervals", "widths": [20, 50]}}
    with pytest.raises(duckanon.DuckanonError, match=r"^the hierarchy of 'age': widths: width 50"):
        duckanon.anonymize(PEOPLE, **(ASKED | {"hierarchies": wrong}))


def test_a_column_with_an_equals_sign_has_a_hierarchy() -> None:
    named = PEOPLE.rename_columns(["a=b", *PEOPLE.column_names[1:]])
    hierarchies = {"a=b": HIERARCHIES["age"], "sex": HIERARCHIES["sex"]}
    with duckanon.anonymize(named, qi=["a=b", "sex"], hierarchies=hierarchies, k=4) as release:
        assert release.to_arrow().column_names == ["a=b", "sex"]


def test_names_may_be_whatever_goes_through_them() -> None:
    frame = PEOPLE.to_pandas()
    hierarchies = {name: HIERARCHIES[name] for name in ("age", "sex")}
    kept: Any = {"job"}
    with duckanon.anonymize(frame, qi=cast(Any, frame.columns[:2]), hierarchies=hierarchies, k=4, keep=kept) as release:
        assert release.to_arrow().column_names == ["age", "sex", "job"]
    cases = duckanon.compare(PEOPLE, qi="sex", hierarchies={"sex": HIERARCHIES["sex"]}, k=range(2, 5))
    assert [run["k"] for run in cases["runs"]] == [2, 3, 4]


def test_a_mask_is_a_key() -> None:
    masked = {"columns.zip.mask.last": 2}
    with duckanon.anonymize(
        PEOPLE, qi="sex", identifying="zip", hierarchies={"sex": HIERARCHIES["sex"]}, set=masked
    ) as release:
        assert {text[:3] for text in release.to_arrow()["zip"].to_pylist()} == {"***"}
        assert {len(text) for text in release.to_arrow()["zip"].to_pylist()} == {5}


def test_the_package_lists_its_names() -> None:
    assert set(dir(duckanon)) == {*duckanon.__all__, "__version__"}
