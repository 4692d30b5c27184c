"""One table in every form of input."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from duckanon.job.options import Options
from tests.support.command_line import Cli, refused
from tests.support.rows import write_table
from tests.support.runs import anonymize

NOTES = (None, "", "plain", 'a "doubled" quote', "a, comma; a semicolon | a bar\tand a tab", "two\nlines", "weiß", " blank ")


ROWS: list[dict[str, Any]] = [
    {
        "age": 20 + number % 7,
        "sex": "F" if number % 13 % 3 else "M",
        "year": 2020 + number % 11 % 2,
        "zip": "02139" if number % 17 % 3 else "10115",
        "pay": number * 0.5 - 3,
        "born": date(2000, 1, 31) + timedelta(days=number % 19 % 5),
        "note": NOTES[number % len(NOTES)],
    }
    for number in range(240)
]


NAMES = tuple(ROWS[0])


TYPES = pa.schema(
    {
        "age": pa.int64(),
        "sex": pa.string(),
        "year": pa.int64(),
        "zip": pa.string(),
        "pay": pa.float64(),
        "born": pa.date32(),
        "note": pa.string(),
    }
)


EXPECTED_TYPES = {
    "age": "VARCHAR",
    "sex": "VARCHAR",
    "year": "BIGINT",
    "zip": "VARCHAR",
    "pay": "DOUBLE",
    "born": "DATE",
    "note": "VARCHAR",
}


SECRET = "secret"


Rows = Sequence[dict[str, Any]]


def cell(value: Any) -> str:
    """A CSV cell: NULL is nothing, the empty string is two quotes."""
    if value is None:
        return ""
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if not text or re.search(r'[",;|\t\r\n]', text) else text


def csv_bytes(rows: Rows, delimiter: str = ",", *, header: bool = True, end: str = "\n") -> bytes:
    lines = [[cell(value) for value in row.values()] for row in rows]
    return "".join(delimiter.join(line) + end for line in ([list(rows[0])] if header else []) + lines).encode()


def written(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def parquet(path: Path, rows: Rows, names: Sequence[str] = NAMES) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    schema = pa.schema([TYPES.field(name) for name in names])
    pq.write_table(pa.Table.from_pylist([{name: row[name] for name in names} for row in rows], schema), path)
    return path


def database(folder: Path) -> Path:
    """A table, a view of it, a table in a schema, and one whose name needs quotes."""
    file = parquet(folder / "rows.parquet", ROWS)
    with duckdb.connect(str(folder / "rows.duckdb")) as connection:
        connection.execute(f"create table people as from '{file}'")
        connection.execute("create view seen as from people")
        connection.execute("create schema city")
        connection.execute("create table city.people as from people")
        connection.execute('create table "odd "" name" as from people')
    file.unlink()
    return folder / "rows.duckdb"


def rows_of(path: Path) -> Counter[tuple[Any, ...]]:
    """A release's rows, its columns sorted, read without our code."""
    columns = ", ".join(f'"{name}"' for name in sorted(described(path)))
    return Counter(duckdb.connect().execute(f"select {columns} from read_parquet(?)", [str(path)]).fetchall())


def described(path: Path) -> dict[str, str]:
    return {name: type for name, type, *_ in duckdb.connect().execute("describe from read_parquet(?)", [str(path)]).fetchall()}


def options(folder: Path) -> Options:
    """Age in classes of five years, sex as it is, everything else kept."""
    sex = write_table(folder / "sex.table", [["F", "*"], ["M", "*"]])
    return Options(
        qi=["age", "sex"],
        hierarchies=["adult/five-year", f"sex={sex}"],
        k=2,
        levels={"age": 1, "sex": 0},
        keep=[name for name in NAMES if name not in ("age", "sex")],
    )


# CSV: what is written is what is meant
FLAT = "kind: flat\n"


def kept(folder: Path, content: bytes, output: str, *, qi: str = "sex", keep: Sequence[str] = ("cell",)) -> Path:
    """A release of a CSV file whose rows are left as they are."""
    source = written(folder / "in.csv", content)
    (folder / "flat.yaml").write_text(FLAT)
    options = Options(qi=[qi], hierarchies=[f"{qi}={folder / 'flat.yaml'}"], k=1, levels={qi: 0}, keep=keep)
    anonymize(source, folder / output, options=options)
    return folder / output


# Bad input
PEOPLE: list[dict[str, Any]] = [
    {"age": 20 + number % 5, "sex": "Male" if number % 2 else "Female", "name": f"{SECRET}{number}"} for number in range(40)
]


ASKED = ("--qi", "age,sex", "--hierarchies", "adult/five-year", "--others", "keep", "--k", "2", "-o", "out.parquet")


def people_csv(delimiter: str = ",", rows: Rows = PEOPLE) -> bytes:
    return csv_bytes(rows, delimiter)


def not_taken(cli: Cli, folder: Path, source: Path | str, code: int, *phrases: str, arguments: Sequence[str] = ASKED) -> None:
    """Refused in one line that holds every phrase and no value, with nothing written."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    run = cli("anonymize", source, *arguments, cwd=folder)
    refused(run, code, *phrases)
    assert len(run.err.splitlines()) == 1, run.err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def with_line(line: bytes, number: int, lines: bytes | None = None) -> bytes:
    """The people with a line put at a number, the header being line 1."""
    parts = (lines or people_csv()).splitlines(keepends=True)
    return b"".join([*parts[: number - 1], line, *parts[number - 1 :]])


def doubled(path: Path, first: str, second: str) -> Path:
    """A file of each kind with two names in it."""
    if path.suffix == ".csv":
        return written(path, f"{first},sex,{second}\n20,Male,secret\n21,Male,secret\n".encode())
    if path.suffix == ".jsonl":
        return written(path, f'{{"{first}": 20, "sex": "Male", "{second}": "secret"}}\n'.encode() * 2)
    table = pa.Table.from_arrays(
        [pa.array([20, 21]), pa.array(["Male", "Male"]), pa.array([SECRET, SECRET])], names=list("abc")
    )
    pq.write_table(table.rename_columns([first, "sex", second]), path)
    return path
