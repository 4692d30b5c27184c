"""Tables of a SQLite file, whose columns may hold values of several types."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duckanon.dataset.location import Source
from duckanon.dataset.names import unique_names
from duckanon.dataset.private_copy import damaged, only_table, write_parquet
from duckanon.engine.protocol import Engine

if TYPE_CHECKING:
    import sqlite3

_ROWS_AT_ONCE = 20_000


def convert(engine: Engine, source: Source, path: Path) -> None:  # noqa: ARG001 - every converter has these arguments
    """Write a table of the input to a Parquet file."""
    import sqlite3

    # `immutable` keeps SQLite from writing beside the input, and needs a file without a log
    file = source.files[0].absolute()
    immutable = "" if file.with_name(f"{file.name}-wal").exists() else "&immutable=1"
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro{immutable}", uri=True)) as connection:
            _write(connection, source, path)
    except sqlite3.Error as error:
        raise damaged(source) from error


def _write(connection: "sqlite3.Connection", source: Source, path: Path) -> None:
    import pyarrow as pa

    query = (
        "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite@_%' escape '@' order by name"
    )
    table = _quoted(only_table(source, [str(name) for (name,) in connection.execute(query)], "table"))
    declared = {row[1]: str(row[2]).upper() for row in connection.execute(f"pragma table_info({table})")}
    types = {name: _type(connection, table, name, type) for name, type in declared.items()}
    schema = pa.schema(list(zip(unique_names(list(types)), (kind for _, kind in types.values()), strict=True)))
    rows = connection.execute(f"select {', '.join(expression for expression, _ in types.values())} from {table}")
    write_parquet(path, source, schema, _batches(rows, schema))


def _type(connection: "sqlite3.Connection", table: str, name: str, declared: str) -> tuple[str, Any]:
    """The expression that reads a column, and its Arrow type, by the types of its values."""
    import pyarrow as pa

    column = _quoted(name)
    types = {str(type) for (type,) in connection.execute(f"select distinct typeof({column}) from {table}")} - {"null"}
    if types <= {"integer"}:
        return column, pa.int64() if types else pa.string()
    if types <= {"integer", "real"}:
        return f"cast({column} as real)", pa.float64()
    if types == {"blob"}:
        return column, pa.binary()
    if types == {"text"} and ("DATE" in declared or "TIME" in declared):
        return column, _moment(
            text for (text,) in connection.execute(f"select distinct {column} from {table}") if text is not None
        )
    return f"cast({column} as text)", pa.string()


def _moment(texts: Iterator[str]) -> Any:
    """The type of dates, or of dates with a time without a zone; text if a value is neither."""
    import pyarrow as pa

    type = pa.date32()
    for text in texts:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return pa.string()
        if moment.tzinfo is not None:
            return pa.string()
        if len(text) > len("2020-12-31"):
            type = pa.timestamp("us")
    return type


def _batches(rows: "sqlite3.Cursor", schema: Any) -> Iterator[Any]:
    import pyarrow as pa

    while part := rows.fetchmany(_ROWS_AT_ONCE):
        columns = [_parsed(cells, field.type) for cells, field in zip(zip(*part, strict=True), schema, strict=True)]
        yield pa.record_batch(columns, schema=schema)


def _parsed(cells: Sequence[Any], type: Any) -> Any:
    import pyarrow as pa

    readers: Mapping[Any, Any] = {pa.date32(): date.fromisoformat, pa.timestamp("us"): datetime.fromisoformat}
    read = readers.get(type)
    return pa.array([None if cell is None else read(cell) for cell in cells] if read else cells, type)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
