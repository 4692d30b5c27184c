"""Input files of every format: a table is released with the values that the test wrote, or refused in one line."""

import bz2
import csv
import gzip
import io
import json
import sqlite3
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from tests.support.command_line import Cli, Finished, refused
from tests.support.input_forms import written

ROWS: list[dict[str, Any]] = [
    {
        "sex": "F" if number % 3 else "M",
        "age": 20 + number % 7,
        "town": ("Köln", "Gießen", "Bonn, am Rhein", 'the "old"\ntown')[number % 4],
        "pay": 1234.5 + number % 6 * 1000,
        "born": date(1980, 12, 1) + timedelta(days=number % 28),
    }
    for number in range(120)
]
NAMES = list(ROWS[0])
TABLE = pa.Table.from_pylist(ROWS)
KEPT = ("--qi", "sex", "--others", "keep", "--k", "2", "-o", "out.parquet")


def cells(row: dict[str, Any]) -> list[str]:
    return [str(value) for value in row.values()]


def text(rows: Sequence[Sequence[str]], delimiter: str = ",") -> str:
    """CSV as Python's own writer writes it."""
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return file.getvalue()


CSV = text([NAMES, *map(cells, ROWS)])
LINES = "".join(json.dumps(row, default=str) + "\n" for row in ROWS)


def sqlite(path: Path, tables: Sequence[str] = ("people",)) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        for table in tables:
            connection.execute(f"create table {table} (sex text, age integer, town text, pay real, born date)")
            connection.executemany(
                f"insert into {table} values (?, ?, ?, ?, ?)", [[*list(row.values())[:4], str(row["born"])] for row in ROWS]
            )
        connection.commit()
    return path


def archive(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def arrow(path: Path, *, is_stream: bool) -> Path:
    make = pa.ipc.new_stream if is_stream else pa.ipc.new_file
    with make(str(path), TABLE.schema) as writer:
        writer.write_table(TABLE, max_chunksize=50)
    return path


def parquet(path: Path) -> Path:
    pq.write_table(TABLE, path)
    return path


def feathered(path: Path) -> Path:
    feather.write_feather(TABLE, str(path))
    return path


FORMS: dict[str, Callable[[Path], Path]] = {
    "CSV": lambda folder: written(folder / "in.csv", CSV.encode()),
    "CSV with a byte order mark": lambda folder: written(folder / "in.csv", CSV.encode("utf-8-sig")),
    "gzip": lambda folder: written(folder / "in.csv.gz", gzip.compress(CSV.encode())),
    "gzip called .csv": lambda folder: written(folder / "in.csv", gzip.compress(CSV.encode())),
    "zstd called .csv": lambda folder: written(folder / "in.csv", pa.Codec("zstd").compress(CSV.encode(), asbytes=True)),
    "JSON lines in gzip called .json": lambda folder: written(folder / "in.json", gzip.compress(LINES.encode())),
    "Parquet called .csv": lambda folder: parquet(folder / "in.csv"),
    "CSV called .parquet": lambda folder: written(folder / "in.parquet", CSV.encode()),
    "CSV of unknown ending": lambda folder: written(folder / "in.export", CSV.encode()),
    "JSON array": lambda folder: written(folder / "in.json", json.dumps(ROWS, default=str, indent=1).encode()),
    "JSON lines called .csv": lambda folder: written(folder / "in.csv", LINES.encode()),
    "UTF-16": lambda folder: written(folder / "in.csv", CSV.encode("utf-16")),
    "UTF-16 without a mark": lambda folder: written(folder / "in.csv", CSV.encode("utf-16-le")),
    "UTF-16 of the other order": lambda folder: written(folder / "in.csv", b"\xfe\xff" + CSV.encode("utf-16-be")),
    "cp1252": lambda folder: written(folder / "in.csv", CSV.encode("cp1252")),
    "cp1252 in gzip": lambda folder: written(folder / "in.csv.gz", gzip.compress(CSV.encode("cp1252"))),
    "ZIP": lambda folder: archive(
        folder / "in.zip", {"data/in.csv": CSV.encode(), "__MACOSX/._in.csv": b"x", "data/.DS_Store": b"x"}
    ),
    "ZIP of Parquet": lambda folder: archive(folder / "in.zip", {"in.parquet": parquet(folder / "x.parquet").read_bytes()}),
    "ZIP of cp1252": lambda folder: archive(folder / "in.zip", {"in.csv": CSV.encode("cp1252")}),
    "Feather": lambda folder: feathered(folder / "in.feather"),
    "Arrow file": lambda folder: arrow(folder / "in.arrow", is_stream=False),
    "Arrow stream": lambda folder: arrow(folder / "in.arrows", is_stream=True),
    "SQLite": lambda folder: sqlite(folder / "in.sqlite"),
    "SQLite called .db": lambda folder: sqlite(folder / "in.db"),
    "sep= line": lambda folder: written(folder / "in.csv", ("sep=;\n" + text([NAMES, *map(cells, ROWS)], ";")).encode()),
    "sep= line with a byte order mark": lambda folder: written(folder / "in.csv", ("sep=,\n" + CSV).encode("utf-8-sig")),
}


def released(path: Path) -> Counter[tuple[Any, ...]]:
    """The rows of a release, in the order of the test's columns."""
    names = ", ".join(f'"{name}"' for name in NAMES)
    return Counter(duckdb.connect().execute(f"select {names} from read_parquet(?)", [str(path)]).fetchall())


def names_of(path: Path) -> list[str]:
    return list(pq.read_schema(path).names)


def run_kept(cli: Cli, source: Path | str, *more: str) -> Finished:
    return cli("anonymize", source, *KEPT, *more, code=0)


def expected(rows: Sequence[dict[str, Any]] = ROWS) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(row.values()) for row in rows)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_rows(cli: Cli, tmp_path: Path, form: str) -> None:
    run_kept(cli, FORMS[form](tmp_path))
    assert released(tmp_path / "out.parquet") == expected()


def test_standard_input_is_recognized_by_its_bytes(cli: Cli, tmp_path: Path) -> None:
    cli("anonymize", "-", *KEPT, stdin=gzip.compress(LINES.encode()), code=0)
    assert released(tmp_path / "out.parquet") == expected()


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_a_converted_encoding_is_noted(cli: Cli, tmp_path: Path, encoding: str) -> None:
    run = run_kept(cli, written(tmp_path / "in.csv", CSV.encode(encoding)))
    assert f"in.csv' is encoded in {encoding}" in run.err


@pytest.mark.slow
def test_windows_bytes_that_come_late_are_read(cli: Cli, tmp_path: Path) -> None:
    for age in ("5", "x"):
        written(tmp_path / "in.csv", text([["sex", "age"], *[["F", age]] * 200_000, ["Fr\u00fch", age]]).encode("cp1252"))
        cli("anonymize", "in.csv", "--qi", "age", "--keep", "sex", "--k", "1", "-o", "out.parquet", "--overwrite", code=0)
        assert Counter(pq.read_table(tmp_path / "out.parquet")["sex"].to_pylist()) == {"F": 200_000, "Fr\u00fch": 1}


def index_of_r(rows: Sequence[dict[str, Any]], names: Sequence[str] = NAMES) -> str:
    """As R's write.csv writes a data frame."""
    return text([["", *names], *([str(number), *cells(row)] for number, row in enumerate(rows, start=1))])


@pytest.mark.parametrize(
    "content",
    [
        index_of_r(ROWS),
        index_of_r(ROWS).replace(f",{NAMES[0]}", NAMES[0], 1),
        text([["", *NAMES], *([row["sex"] * 3 + str(number), *cells(row)] for number, row in enumerate(ROWS))], ";"),
    ],
    ids=["write.csv", "write.table", "names of rows"],
)
def test_a_row_index_is_noted_and_dropped(cli: Cli, tmp_path: Path, content: str) -> None:
    written(tmp_path / "in.csv", content.encode())
    run = cli("anonymize", "in.csv", "--k", "2", "--max-suppression", "50%", "-o", "out.parquet", code=0)
    assert run.err.count("the first column of 'in.csv' has no name; duckanon calls it 'row': it is read as a row index") == 1
    assert "names=" not in run.err
    assert "row" not in names_of(tmp_path / "out.parquet")
    profile = cli("profile", "in.csv", "--json")
    row = next(column for column in profile.manifest["columns"] if column["column"] == "row")
    assert (row["role"], row["reason"]) == ("dropped", "row index without a name")


def test_a_row_index_gets_a_name_that_no_column_has(cli: Cli, tmp_path: Path) -> None:
    rows = [{"Row": row["age"], **row} for row in ROWS]
    written(tmp_path / "in.csv", index_of_r(rows, ["Row", *NAMES]).encode())
    assert "duckanon calls it 'row_2'" in run_kept(cli, "in.csv", "--identifying", "row_2").err
    assert released(tmp_path / "out.parquet") == expected()
    assert names_of(tmp_path / "out.parquet") == ["Row", *NAMES]


def test_columns_without_a_name_are_called_by_their_place(cli: Cli, tmp_path: Path) -> None:
    lines = [["sex", "", "age", ""], *([row["sex"], "x", str(row["age"]), "y"] for row in ROWS)]
    run = run_kept(cli, written(tmp_path / "in.csv", text(lines).encode()))
    assert "duckanon calls them column_2, column_4" in run.err
    assert names_of(tmp_path / "out.parquet") == ["sex", "column_2", "age", "column_4"]


@pytest.mark.parametrize(("header", "record"), [("", ";"), (";;", ";;")])
def test_delimiters_at_line_ends_are_left_out(cli: Cli, tmp_path: Path, header: str, record: str) -> None:
    first = text([NAMES, *map(cells, ROWS[:2])], ";").splitlines(keepends=True)[0]
    lines = [
        first.replace("\n", f"{header}\n"),
        *text(list(map(cells, ROWS)), ";").replace("\n", f"{record}\n").splitlines(keepends=True),
    ]
    content = "".join(lines).replace(f'old""{record}\n', 'old""\n')
    run = run_kept(cli, written(tmp_path / "in.csv", content.encode()))
    assert "without a name and without values" in run.err
    assert names_of(tmp_path / "out.parquet") == NAMES
    assert released(tmp_path / "out.parquet") == expected()


def test_columns_of_the_same_name_get_numbers(cli: Cli, tmp_path: Path) -> None:
    lines = [["sex", "age", "Age", "age_2", "age"], *([row["sex"], "1", "2", "3", "4"] for row in ROWS)]
    run = run_kept(cli, written(tmp_path / "in.csv", text(lines).encode()))
    assert "duckanon calls the later ones Age_3, age_4" in run.err
    assert names_of(tmp_path / "out.parquet") == ["sex", "age", "Age_3", "age_2", "age_4"]
    assert set(pq.read_table(tmp_path / "out.parquet")["Age_3"].to_pylist()) == {2}


def test_a_file_without_header_gets_numbered_names(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path / "in.csv", text(list(map(cells, ROWS))).encode())
    arguments = ("--qi", "column_1", "--others", "keep", "--k", "2", "-o", "out.parquet")
    run = cli("anonymize", "in.csv", *arguments, code=0)
    assert "the first line of 'in.csv' is a record" in run.err
    assert "--set 'names=[a, b, c]'" in run.err
    rows = duckdb.connect().execute("from read_parquet(?)", [str(tmp_path / "out.parquet")]).fetchall()
    assert Counter(rows) == expected()


def test_years_in_a_header_are_names(cli: Cli, tmp_path: Path) -> None:
    lines = [["sex", "2019", "2020"], *([row["sex"], "5", "6"] for row in ROWS)]
    run_kept(cli, written(tmp_path / "in.csv", text(lines).encode()))
    assert names_of(tmp_path / "out.parquet") == ["sex", "2019", "2020"]


OTHERS: dict[str, tuple[bytes, str]] = {
    "dump.sql": (b"--\n-- PostgreSQL database dump\n--\n", r"\copy TABLE to 'TABLE.csv' csv header"),
    "dump.backup": (b"PGDMP\x01\x0e\x00", r"\copy TABLE to 'TABLE.csv' csv header"),
    "mysql.sql": (b"-- MySQL dump 10.13\n", "mysql --batch"),
    "data.rds": (gzip.compress(b"X\n\0\0\0\3"), "Rscript -e"),
    "in.csv.xz": (b"\xfd7zXZ\0\0", "unxz -k in.csv.xz"),
    "in.csv.bz2": (bz2.compress(CSV.encode()), "bunzip2 -k in.csv.bz2"),
    "old.xls": (b"<html><table>", "save the table as CSV"),
    "in.parquet.gz": (gzip.compress(b"PAR1\x15\x04"), "gunzip -k in.parquet.gz"),
    "in.bin": (b"\x01\x02\0\x04" * 20, "convert it to CSV or Parquet"),
    "in.duckdb": (b"12345678DUCK\x43" + bytes(7), "in.duckdb::TABLE"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_not_read_names_one_command(cli: Cli, tmp_path: Path, name: str) -> None:
    content, phrase = OTHERS[name]
    written(tmp_path / name, content)
    refused(cli("anonymize", name, *KEPT), 3, repr(name), phrase)


def test_a_long_cell_among_the_first_lines_is_read(cli: Cli, tmp_path: Path) -> None:
    """Longer than the default limit of Python's module `csv`."""
    lines = [["sex", "shape"], *([row["sex"], "x" * 200_000] for row in ROWS)]
    run_kept(cli, written(tmp_path / "in.csv", text(lines).encode()))
    assert set(map(len, pq.read_table(tmp_path / "out.parquet")["shape"].to_pylist())) == {200_000}


@pytest.mark.parametrize("first", ["PAR1", "PARENT_ID", "ORCID", "RDX", "BZh9", "FEA1", "ARROW1", "PGDMP", "the_big_DUCK"])
def test_the_first_letters_of_a_header_are_no_format(cli: Cli, tmp_path: Path, first: str) -> None:
    """`DUCK` is at byte 8 of a DuckDB file."""
    lines = [[first, "sex"], *([str(20 + number % 2), row["sex"]] for number, row in enumerate(ROWS))]
    cli("anonymize --k 2 -o out.parquet", written(tmp_path / "in.csv", text(lines).encode()).name, "--qi", first, code=0)
    assert names_of(tmp_path / "out.parquet") == [first]


def test_an_archive_of_several_files_names_them(cli: Cli, tmp_path: Path) -> None:
    archive(tmp_path / "in.zip", {"a.csv": CSV.encode(), "b.csv": CSV.encode()})
    refused(cli("anonymize", "in.zip", *KEPT), 3, "a.csv, b.csv", "unzip in.zip a.csv")


def test_a_database_of_several_tables_names_them(cli: Cli, tmp_path: Path) -> None:
    sqlite(tmp_path / "in.sqlite", ["people", "visits"])
    refused(cli("anonymize", "in.sqlite", *KEPT), 3, "people, visits", "in.sqlite::people")
    refused(cli("anonymize", "in.sqlite::poeple", *KEPT), 3, "did you mean 'people'?")
    run_kept(cli, "in.sqlite::visits")
    assert released(tmp_path / "out.parquet") == expected()


@pytest.mark.parametrize("form", ["Feather", "Arrow stream", "SQLite", "ZIP"])
def test_a_truncated_file_is_refused(cli: Cli, tmp_path: Path, form: str) -> None:
    path = FORMS[form](tmp_path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    refused(cli("anonymize", path, *KEPT), 3, path.name, "is it complete?")


def national(value: Any) -> str:
    """As a German program writes it."""
    if isinstance(value, float):
        return f"{value:,.2f}".translate(str.maketrans(",.", ".,"))
    return f"{value:%d.%m.%Y}" if isinstance(value, date) else str(value)


NATIONAL = text([NAMES, *([national(value) for value in row.values()] for row in ROWS)], ";")


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_decimal_commas_and_dates_with_dots_are_converted(cli: Cli, tmp_path: Path, encoding: str) -> None:
    run = run_kept(cli, written(tmp_path / "in.csv", NATIONAL.encode(encoding)))
    assert run.err.count("are converted: pay (as 1.234,56), born (as 31.12.1980)") == 1
    assert released(tmp_path / "out.parquet") == expected()
    kept = run_kept(cli, "in.csv", "--set", "decimal=text", "--set", "dates=text", "--overwrite")
    assert "are converted" not in kept.err
    assert {row[3:] for row in released(tmp_path / "out.parquet")} == {
        (national(row["pay"]), national(row["born"])) for row in ROWS
    }


@pytest.mark.parametrize(
    ("texts", "more", "values"),
    [
        (["1,5", "2"], (), [1.5, 2.0]),
        (["1,50", "2,25", "NA"], (), ["1.50", "2.25", "NA"]),
        (["1,500", "2,250"], (), ["1,500", "2,250"]),
        (["1,500", "2,250"], ("--set", "decimal=comma"), [1.5, 2.25]),
        (["1,500", "2,250"], ("--set", "decimal=point"), [1500, 2250]),
        (["1,234,567", "12"], (), [1234567, 12]),
        (["1,50", "12.25"], (), ["1,50", "12.25"]),
        (["01/02/2020", "03/04/2020"], (), ["01/02/2020", "03/04/2020"]),
        (["01/02/2020", "03/04/2020"], ("--set", "dates=day-first"), [date(2020, 2, 1), date(2020, 4, 3)]),
        (["01/02/2020", "03/04/2020"], ("--set", "dates=month-first"), [date(2020, 1, 2), date(2020, 3, 4)]),
        (["25/02/2020", "3/4/2020"], (), [date(2020, 2, 25), date(2020, 4, 3)]),
        (["02/25/2020", "03/04/2020"], (), [date(2020, 2, 25), date(2020, 3, 4)]),
        (["31.12.2020", "2021-01-31"], (), [date(2020, 12, 31), date(2021, 1, 31)]),
        (["31.02.2020", "01.02.2020"], (), ["31.02.2020", "01.02.2020"]),
        (["31.12.80", "01.02.81"], (), [date(1980, 12, 31), date(1981, 2, 1)]),
        (["31.12.00", "01.02.81"], (), ["31.12.00", "01.02.81"]),
        (["31.12.2020 14:30", "01.02.2021 09:05"], (), [datetime(2020, 12, 31, 14, 30), datetime(2021, 2, 1, 9, 5)]),
    ],
)
def test_a_notation_is_converted_if_it_is_certain(
    cli: Cli, tmp_path: Path, texts: list[str], more: tuple[str, ...], values: list[Any]
) -> None:
    written(tmp_path / "in.csv", text([["sex", "cell"], *(["F", text] for text in texts)], ";").encode())
    cli("anonymize in.csv --qi sex --keep cell --k 1 -o out.parquet --set output.shuffle=false", *more, code=0)
    actual = pq.read_table(tmp_path / "out.parquet")["cell"].to_pylist()
    assert [float(value) if isinstance(value, Decimal) else value for value in actual] == values


def test_a_notation_that_one_late_cell_does_not_have_stays_text(cli: Cli, tmp_path: Path) -> None:
    texts = ["1,5"] * 100_000 + ["oops"]
    written(tmp_path / "in.csv", text([["sex", "cell"], *(["F", text] for text in texts)], ";").encode())
    run_kept(cli, "in.csv", "--keep", "cell")
    assert set(pq.read_table(tmp_path / "out.parquet")["cell"].to_pylist()) == {"1,5", "oops"}


def test_the_job_file_says_the_notation(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path / "in.csv", text([["sex", "cell"], *([["F", "01/02/2020"]] * 9)], ";").encode())
    (tmp_path / "job.yaml").write_text(
        "source: in.csv\ndates: month-first\ncolumns: {sex: {role: quasi-identifier}, cell: {role: insensitive}}\n"
    )
    assert cli("anonymize", "--job", "job.yaml", "-o", "out.parquet").code == 0
    assert pq.read_table(tmp_path / "out.parquet")["cell"].to_pylist() == [date(2020, 1, 2)] * 9
    refused(cli("anonymize", "in.csv", "--qi", "sex", "--set", "dates=us"), 2, "day-first")


def with_codes(codes: Sequence[str]) -> str:
    """The national file, every seventh payment and every fifth date one of the codes."""
    records = [[national(value) for value in row.values()] for row in ROWS]
    for number, record in enumerate(records):
        record[3] = codes[number % len(codes)] if number % 7 == 0 else record[3]
        record[4] = codes[number % len(codes)] if number % 5 == 0 else record[4]
    return text([NAMES, *records], ";")


NULLED = [
    {**row, "pay": None if number % 7 == 0 else row["pay"], "born": None if number % 5 == 0 else row["born"]}
    for number, row in enumerate(ROWS)
]


@pytest.mark.parametrize("codes", [["?"], ["NA", "?"], ["k.A."]])
def test_named_codes_stand_among_numbers_and_dates_in_a_national_format(cli: Cli, tmp_path: Path, codes: list[str]) -> None:
    written(tmp_path / "in.csv", with_codes(codes).encode())
    columns = {name: {"role": "quasi-identifier" if name == "sex" else "insensitive"} for name in NAMES}
    job = {"source": "in.csv", "columns": columns, "missing": {"columns": {"pay": codes, "born": codes}}}
    (tmp_path / "job.yaml").write_text(json.dumps(job))
    cli("anonymize", "--job", "job.yaml", "--k", "2", "-o", "out.parquet", code=0)
    assert released(tmp_path / "out.parquet") == expected(NULLED)


def test_detected_codes_stand_among_numbers_and_dates_in_a_national_format(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path / "in.csv", with_codes(["?"]).encode())
    run = cli("anonymize", "in.csv", "--k", "1", "-o", "out.parquet", code=0)
    assert "read as missing values: born ('?'), pay ('?')" in run.err
    first = released(tmp_path / "out.parquet")
    assert first == expected(NULLED)
    assert cli("anonymize", "--job", "out.parquet.job.yaml", "-o", "again.parquet").code == 0
    assert released(tmp_path / "again.parquet") == first


def test_a_mark_that_keeps_dates_text_is_named_with_what_to_write(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path / "in.csv", with_codes(["?"]).encode())
    assert "read as missing values: born ('?')" in run_kept(cli, "in.csv").err
    kept = run_kept(cli, "in.csv", "--missing", "none", "--set", "dates=day-first", "--overwrite")
    assert "'born' is text that looks like dates beside '?'" in kept.err
    assert "write `missing: {columns: {born: ['?']}}` in the job file" in kept.err


@pytest.mark.parametrize("form", ["plain", "gzip", "national"])
def test_a_header_that_is_repeated_is_left_out_with_its_line(cli: Cli, tmp_path: Path, form: str) -> None:
    rows = [row for row in ROWS if "\n" not in row["town"]] * 40
    lines = (
        text([NAMES, *map(cells, rows)])
        if form != "national"
        else text([NAMES, *([national(value) for value in row.values()] for row in rows)], ";")
    )
    content = (lines + lines).encode()
    run = run_kept(cli, written(tmp_path / "in.csv", gzip.compress(content) if form == "gzip" else content))
    assert f"line {len(rows) + 2:,} of " in run.err
    assert "in.csv' repeats the header" in run.err
    assert released(tmp_path / "out.parquet") == expected(rows * 2)


def test_files_of_one_column_and_of_eight_rows_are_read(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path / "one.csv", ("sex\n" + "F\n" * 20).encode())
    assert cli("anonymize", "one.csv", "--qi", "sex", "-o", "one.parquet").code == 0
    assert pq.read_table(tmp_path / "one.parquet").to_pydict() == {"sex": ["F"] * 20}
    written(tmp_path / "eight.csv", text([NAMES, *map(cells, ROWS[:8])]).encode())
    run_kept(cli, "eight.csv", "--keep", ",".join(NAMES[1:]))
    assert released(tmp_path / "out.parquet") == expected(ROWS[:8])


def test_mixed_types_stay_as_they_are_written(cli: Cli, tmp_path: Path) -> None:
    texts = ["1", "2.50", "x", "2020-01-31", "true", ""]
    written(tmp_path / "in.csv", text([["sex", "cell"], *(["F", text] for text in texts)]).encode())
    run_kept(cli, "in.csv", "--keep", "cell")
    assert set(pq.read_table(tmp_path / "out.parquet")["cell"].to_pylist()) == {*texts[:-1], None}


def workbook(path: Path, sheets: dict[str, Sequence[Sequence[Any]]], merged: Sequence[str] = ()) -> Path:
    """As Excel writes it; the ranges are merged in the first sheet."""
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    for cells in merged:
        book.worksheets[0].merge_cells(cells)
    book.save(path)
    return path


SHEET: list[Sequence[Any]] = [NAMES, *(list(row.values()) for row in ROWS)]


def test_a_workbook_of_one_sheet_is_read(cli: Cli, tmp_path: Path) -> None:
    run_kept(cli, workbook(tmp_path / "in.xlsx", {"People": SHEET}))
    assert released(tmp_path / "out.parquet") == expected()
    (tmp_path / "in.xlsx").rename(tmp_path / "in.csv")
    run_kept(cli, "in.csv", "--overwrite")
    assert released(tmp_path / "out.parquet") == expected()


def test_a_workbook_of_two_sheets_names_them(cli: Cli, tmp_path: Path) -> None:
    workbook(tmp_path / "in.xlsx", {"Notes": [["made by"], ["us"]], "People 2": SHEET})
    refused(cli("anonymize", "in.xlsx", *KEPT), 3, "Notes, People 2", "in.xlsx::Notes")
    refused(cli("anonymize", "in.xlsx::Poeple 2", *KEPT), 3, "did you mean 'People 2'?")
    run_kept(cli, "in.xlsx::People 2")
    assert released(tmp_path / "out.parquet") == expected()


def test_merged_cells_of_a_header_are_joined_with_the_names_below(cli: Cli, tmp_path: Path) -> None:
    above: list[Sequence[Any]] = [
        ["People of 2020"],
        ["Person", None, "town", "Money", None],
        ["sex", "age", None, "pay", "born"],
    ]
    workbook(tmp_path / "in.xlsx", {"People": [*above, *SHEET[1:]]}, ["A1:E1", "A2:B2", "C2:C3", "D2:E2"])
    run = cli("anonymize", "in.xlsx", "--qi", "Person sex", "--others", "keep", "--k", "2", "-o", "out.parquet", code=0)
    assert "read as a title" in run.err
    assert names_of(tmp_path / "out.parquet") == ["Person sex", "Person age", "town", "Money pay", "Money born"]
    assert Counter(duckdb.connect().execute("from read_parquet(?)", [str(tmp_path / "out.parquet")]).fetchall()) == expected()


@pytest.mark.parametrize("form", ["sav", "dta", "xpt"])
def test_files_of_statistics_packages_are_read(cli: Cli, tmp_path: Path, form: str) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    import pandas as pd

    codes = {"F": 1.0, "M": 2.0}
    frame = pd.DataFrame([{**row, "sex": codes[row["sex"]] if form != "xpt" else row["sex"]} for row in ROWS])
    labels = {} if form == "xpt" else {"variable_value_labels": {"sex": {1: "F", 2: "M"}}}
    write = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta, "xpt": pyreadstat.write_xport}[form]
    write(frame, str(tmp_path / f"in.{form}"), **labels)
    assert ("read as their value labels: sex" in run_kept(cli, f"in.{form}").err) == (form != "xpt")
    assert released(tmp_path / "out.parquet") == expected()


@pytest.mark.parametrize(("form", "format"), [("sav", "N5"), ("dta", "%05.0f"), ("xport", "Z5.")])
def test_numbers_keep_the_zeros_of_their_format(cli: Cli, tmp_path: Path, form: str, format: str) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    import pandas as pd

    frame = pd.DataFrame({"zip": [1067.0, 10115.0, None, 99.0] * 3, "age": [20.0, 21.0, 22.0, 23.0] * 3})
    name = f"in.{form.replace('xport', 'xpt')}"
    getattr(pyreadstat, f"write_{form}")(frame, str(tmp_path / name), variable_format={"zip": format})
    cli("anonymize", name, "--qi", "age", "--keep", "zip", "--k", "1", "-o", "out.parquet", code=0)
    rows = Counter((row["zip"], row["age"]) for row in pq.read_table(tmp_path / "out.parquet").to_pylist())
    assert rows == {("01067", 20): 3, ("10115", 21): 3, (None, 22): 3, ("00099", 23): 3}


@pytest.mark.parametrize(("name", "reader"), [("in.xlsx", "python_calamine"), ("in.sav", "pyreadstat")])
def test_without_the_extra_one_line_names_the_command(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reader: str
) -> None:
    monkeypatch.setitem(sys.modules, reader, None)
    if name == "in.sav":
        written(tmp_path / name, b"$FL2@(#) SPSS")
    else:
        archive(tmp_path / name, {"xl/workbook.xml": b"<workbook/>"})
    refused(cli("anonymize", name, *KEPT), 3, repr(name), "pip install 'duckanon[formats]'")


def test_a_converted_file_leaves_nothing_behind(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    run_kept(cli, sqlite(tmp_path / "in.sqlite"), "--temp-directory", "scratch")
    assert not list((tmp_path / "scratch").iterdir())
