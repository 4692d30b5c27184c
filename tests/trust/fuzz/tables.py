"""Tables of a few rows, and the files that they are written to."""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from tests.trust.fuzz import values
from tests.trust.fuzz.values import SECRET, SECRET_NUMBER, Kind

Form = Literal["parquet", "csv", "json", "duckdb"]
FORMS: tuple[Form, ...] = ("parquet", "parquet", "parquet", "csv", "csv", "json", "duckdb")
SIZES = (0, 1, 2, *range(20, 61))

_SECRETS = (
    Kind("secret text", pa.string(), (f"{SECRET}0", f"{SECRET}1", f"{SECRET}2", f"{SECRET}'; --"), str),
    Kind("secret number", pa.int64(), tuple(SECRET_NUMBER * 10 + digit for digit in range(4)), str),
)


@dataclass(frozen=True)
class Column:
    """A name, a kind, and a value a row."""

    name: str
    kind: Kind
    cells: Sequence[Any]

    @property
    def distinct(self) -> list[Any]:
        """Its values but NULL, once each, in the order of the kind."""
        held = [cell for cell in self.cells if cell is not None]
        return [value for value in self.kind.pool if any(value is cell or value == cell for cell in held)]


@dataclass(frozen=True)
class Table:
    """Columns of one length."""

    columns: Sequence[Column]
    rows: int

    def column(self, name: str) -> Column:
        return next(column for column in self.columns if column.name == name)

    def arrow(self) -> pa.Table:
        arrays = [column.kind.array(column.cells) for column in self.columns]
        return pa.Table.from_arrays(arrays, names=[column.name for column in self.columns])


@st.composite
def columns(draw: st.DrawFn, name: str, rows: int, kinds: Sequence[Kind], *, few: bool = False) -> Column:
    """A column of a kind; half of them without a NULL."""
    kind = draw(st.sampled_from(kinds))
    pool = list(kind.pool)
    if few and len(pool) > 3:
        pool = draw(
            st.lists(st.sampled_from(range(len(pool))), min_size=1, max_size=4, unique=True).map(
                lambda at: [pool[i] for i in at]
            )
        )
    if draw(st.integers(0, 3)) == 3:
        pool.append(None)
    chosen = draw(st.binary(min_size=rows, max_size=rows))
    return Column(name, kind, [pool[byte % len(pool)] for byte in chosen])


def secrets(name: str, rows: int) -> st.SearchStrategy[Column]:
    """A column whose values no message may quote."""
    return columns(name, rows, _SECRETS)


@st.composite
def numbered(draw: st.DrawFn, name: str, rows: int) -> Column:
    """A number a row, in no order: it finds the row again in a release."""
    order = draw(st.permutations(range(rows)))
    return Column(name, values.WHOLE, [10_000 + number * 7 for number in order])


def write(table: Table, folder: Path, form: Form, dress: "Dress") -> str:
    """Writes the table as a file of that form, and gives the name that the command line takes."""
    match form:
        case "parquet":
            pq.write_table(table.arrow(), folder / "in.parquet")
            return "in.parquet"
        case "csv":
            (folder / "in.csv").write_bytes(_csv(table, dress))
            return "in.csv"
        case "json":
            (folder / "in.jsonl").write_text(_json(table), encoding="utf-8")
            return "in.jsonl"
        case "duckdb":
            _database(table, folder / "in.duckdb")
            return "in.duckdb::people"


@dataclass(frozen=True)
class Dress:
    """How a CSV file is written."""

    delimiter: str = ","
    end: str = "\n"
    mark: bool = False
    header: bool = True
    quoted: bool = False


DRESSES = st.builds(
    Dress,
    delimiter=st.sampled_from(",;\t|"),
    end=st.sampled_from(["\n", "\r\n"]),
    mark=st.booleans(),
    header=st.sampled_from([True, True, True, False]),
    quoted=st.booleans(),
)


def _printed(column: Column, cell: Any) -> str | None:
    if cell is None:
        return None
    text = column.kind.text(cell) if column.kind.text is not None else None
    return str(cell) if text is None else text


def _cell(text: str | None, dress: Dress) -> str:
    if text is None:
        return ""
    if not dress.quoted and text and not any(mark in text for mark in f'"\r\n{dress.delimiter}'):
        return text
    return '"' + text.replace('"', '""') + '"'


def _csv(table: Table, dress: Dress) -> bytes:
    lines = [[column.name for column in table.columns]] if dress.header else []
    lines += [[_printed(column, column.cells[row]) for column in table.columns] for row in range(table.rows)]  # type: ignore[misc]
    text = "".join(dress.delimiter.join(_cell(cell, dress) for cell in line) + dress.end for line in lines)
    return (b"\xef\xbb\xbf" if dress.mark else b"") + text.encode()


def _json(table: Table) -> str:
    def value_of(column: Column, cell: Any) -> Any:
        return cell if column.kind.name in ("small whole", "int64", "boolean", "list") else _printed(column, cell)

    def line(row: int) -> str:
        pairs = [f"{json.dumps(column.name)}: {json.dumps(value_of(column, column.cells[row]))}" for column in table.columns]
        return "{" + ", ".join(pairs) + "}\n"

    return "".join(map(line, range(table.rows)))


def _database(table: Table, path: Path) -> None:
    """Names that SQL takes for one are numbered here, since no database holds them."""
    seen: set[str] = set()
    casts = []
    for number, column in enumerate(table.columns):
        name = column.name if column.name.casefold() not in seen and column.name else f"{column.name}{number}"
        seen.add(name.casefold())
        quoted = '"' + name.replace('"', '""').replace("\x00", "") + '"'
        casts.append(f"cast(c{number} as {column.kind.cast}) as {quoted}" if column.kind.cast else f"c{number} as {quoted}")
    arrays = [column.kind.array(column.cells) for column in table.columns]
    held = pa.Table.from_arrays(arrays, names=[f"c{number}" for number in range(len(arrays))])
    with duckdb.connect(str(path)) as connection:
        connection.register("held", held)
        connection.execute(f"create table people as select {', '.join(casts)} from held")


def read_csv(text: str, delimiter: str = ",") -> list[list[str | None]]:
    """The records of CSV, a quoted empty cell apart from an empty one, which the standard library cannot tell."""
    records: list[list[str | None]] = []
    record: list[str | None] = []
    stream, cell, is_quoted, is_open = io.StringIO(text, newline=""), "", False, False
    while character := stream.read(1):
        if is_open and character == '"':
            following = stream.read(1)
            if following == '"':
                cell += '"'
                continue
            is_open, character = False, following
            if not character:
                break
        if is_open:
            cell += character
        elif character == '"' and not cell and not is_quoted:
            is_open = is_quoted = True
        elif character == delimiter or character == "\n":
            record.append(cell if cell or is_quoted else None)
            cell, is_quoted = "", False
            if character == "\n":
                records.append(record)
                record = []
        else:
            cell += character
    if record or cell or is_quoted:
        records.append([*record, cell if cell or is_quoted else None])
    return records
