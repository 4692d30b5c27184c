"""Tables of other libraries, to a file and back. They are recognized by the name of their package, so that none is imported."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from duckanon.engine.faults import translated
from duckanon.engine.protocol import READ_AS_TEXT, Column
from duckanon.engine.templates import Statement, ident, literal
from duckanon.errors import DuckanonError, InputError, JobError, did_you_mean

if TYPE_CHECKING:
    import pyarrow

_TAKEN = "a path, a DuckDB relation or connection, or a table of pandas, Polars, Arrow or Spark"
_KEPT = "release"


def spool(table: Any, path: Path, name: str | None = None) -> str:
    """Write a table of another library to a Parquet file, and return the name of its type.

    `name` is the name of a table if `table` is a connection. Raises `JobError` for an unsupported object, `InputError` if it cannot be
    written. Messages quote no value.
    """
    package = type(table).__module__.partition(".")[0]
    if name is not None and not isinstance(table, duckdb.DuckDBPyConnection):
        raise JobError(f"table={name!r} names a table of a DuckDB connection, but a {_called(table)} was given; leave it out")
    with _without_values(_called(table)):
        match package:
            case "duckdb" | "_duckdb":
                relation = _of_connection(table, name) if isinstance(table, duckdb.DuckDBPyConnection) else table
                _exact(relation).to_parquet(str(path))
            case "polars" if hasattr(table, "collect_schema"):
                _check_polars(table, _called(table))
                (table.sink_parquet if hasattr(table, "sink_parquet") else table.write_parquet)(path)
            case "pandas" if hasattr(table, "iloc") and hasattr(table, "columns"):
                _write_pandas(table, path)
            case "pyspark":
                _write_arrow(table.toArrow(), path, _called(table))
            case _ if hasattr(table, "__arrow_c_stream__"):
                _write_arrow(table, path, _called(table))
            case _:
                raise _no_table(_called(table))
    return _called(table)


def is_table(source: Any) -> bool:
    """Whether a source is a table object, and not a name."""
    return source is not None and not isinstance(source, str | Path)


def _called(table: Any) -> str:
    """The type of a table as its users know it: `pandas.DataFrame`."""
    return f"{type(table).__module__.partition('.')[0].removeprefix('_')}.{type(table).__name__}"


@contextmanager
def _without_values(called: str) -> Iterator[None]:
    """Convert errors of other libraries to messages without their text, which may quote a record."""
    try:
        yield
    except (DuckanonError, OSError, MemoryError):
        raise
    except duckdb.Error as error:
        raise InputError(f"the {called} cannot be read: {translated(error)}") from None
    except Exception as error:
        raise InputError(
            f"the {called} cannot be written as Parquet ({type(error).__name__}; its message is not shown because it may quote a value)"
        ) from None


def _exact(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """The relation with types that Parquet keeps. Without casts, a HUGEINT becomes a DOUBLE, and 30 days may become 1 month."""
    columns = [Column(name, str(type)) for name, type in zip(relation.columns, relation.types, strict=True)]
    stored = {column.name: "VARCHAR" if column.type in READ_AS_TEXT else column.file_type for column in columns}
    if all(stored[column.name] == column.type or column.type.startswith("ENUM") for column in columns):
        return relation
    return relation.project(", ".join(f"cast({ident(name)} as {type}) as {ident(name)}" for name, type in stored.items()))


def _of_connection(connection: duckdb.DuckDBPyConnection, name: str | None) -> duckdb.DuckDBPyRelation:
    """The named table, or the only one. If several schemas have the name, the one that the plain name selects in SQL."""
    here = connection.execute("select current_database(), current_schema()").fetchone()
    listed = [row[:3] for row in connection.execute("show all tables").fetchall()]
    # in the order in which SQL resolves a plain name: temporary tables, then those of the current schema
    tables = sorted((0 if table[0] == "temp" else 1 if table[:2] == here else 2, *table) for table in listed)
    known = sorted({table for *_, table in tables})
    if name is None and len(tables) != 1:
        there = f"it contains {', '.join(map(repr, known[:10]))}" if known else "it contains no table"
        raise JobError(f"a DuckDB connection was given without the name of a table; give table=NAME: {there}")
    fit = [table for table in tables if name in (None, table[3], ".".join(table[2:]), ".".join(table[1:]))]
    fit = [table for table in fit if table[0] == fit[0][0]]
    if len(fit) > 1:
        raise JobError(
            f"the DuckDB connection has several tables {name!r}; name one: {', '.join(repr('.'.join(table[1:])) for table in fit[:10])}"
        )
    if not fit:
        raise JobError(f"the DuckDB connection has no table {name!r}{did_you_mean(str(name), known)}")
    return connection.sql(f"from {'.'.join(map(ident, fit[0][1:]))}")


def _no_table(called: str) -> JobError:
    return JobError(f"a {called} is not a supported table; give {_TAKEN}")


def _check_names(names: Sequence[str]) -> None:
    """Raise for a table without columns, and for a name that would be truncated."""
    if not names:
        raise InputError("the table has no columns and no rows")
    if odd := next((name for name in names if "\0" in name), None):
        raise JobError(f"column {odd!r} has a NUL in its name; rename it")


def _unheld(name: str, called: str, kind: str) -> InputError:
    return InputError(f"column {name!r} of the {called} is {kind}, which a file would store as another type; cast it first")


def _check_polars(frame: Any, called: str) -> None:
    """Raise `InputError` for a type that a file would return as another type."""
    schema = frame.collect_schema()
    _check_names(list(schema))
    for name, kind in schema.items():
        if str(kind.base_type()) in ("Duration", "Int128", "UInt128", "Object"):
            raise _unheld(name, called, str(kind))


def _check_arrow(schema: "pyarrow.Schema", called: str) -> None:
    """Raise `InputError` for an Arrow type that a file would return as another type."""
    import pyarrow as pa

    _check_names(schema.names)
    for field in schema:
        kind = field.type
        is_other = isinstance(kind, pa.BaseExtensionType) and not str(kind.extension_name).startswith(("arrow.", "geoarrow."))
        if is_other or pa.types.is_duration(kind) or pa.types.is_decimal256(kind) or pa.types.is_run_end_encoded(kind):
            raise _unheld(field.name, called, str(kind))


def _write_pandas(frame: Any, path: Path) -> None:
    import pyarrow as pa

    if unnamed := [column for column in frame.columns if not isinstance(column, str)]:
        raise JobError(f"a column of the pandas.DataFrame has the name {unnamed[0]!r}, which is not text; rename it")
    _check_names(list(frame.columns))
    columns = []
    for position, name in enumerate(frame.columns):
        try:
            columns.append(_unchanged(frame.iloc[:, position]))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            raise InputError(
                f"column {name!r} of the pandas.DataFrame contains values of several types, or of a type that files cannot store; cast it first"
            ) from None
    _write_arrow(pa.Table.from_arrays(columns, names=list(frame.columns)), path, _called(frame))


def _unchanged(series: Any) -> Any:
    """The Arrow array of a column; raises `ValueError` where Arrow, which takes the type of the first value, changes a date or time."""
    import pyarrow as pa

    array = pa.array(series, from_pandas=True)
    kind = array.type.value_type if pa.types.is_list(array.type) else array.type
    if series.dtype == object and pa.types.is_temporal(kind):
        pairs = ((kept, value) for kept, value in zip(array.to_pylist(), series, strict=True) if kept is not None)
        if any((kept != list(value)) if isinstance(kept, list) else (kept != value) for kept, value in pairs):
            raise ValueError("values of several types")
    return array


def _write_arrow(table: Any, path: Path, called: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        reader = pa.RecordBatchReader.from_stream(table)
    except (pa.ArrowInvalid, TypeError):  # a single column
        raise _no_table(called) from None
    _check_arrow(reader.schema, called)
    # the metadata of a schema may contain data of the program that made it, such as an index or a name
    with pq.ParquetWriter(path, reader.schema.remove_metadata()) as writer:
        for batch in reader:
            writer.write_batch(batch)


def as_given(relation: duckdb.DuckDBPyRelation, table: Any) -> Any:
    """The rows as a table of the kind of a given one: pandas (with its index), Polars, a DuckDB relation; for others, and a path, of Arrow."""
    match type(table).__module__.partition(".")[0]:
        case "pandas":
            return relation.df().set_index(table.index)
        case "polars":
            return relation.pl() if hasattr(table, "height") else relation.pl().lazy()
        case "duckdb" | "_duckdb":
            return relation
    return relation.to_arrow_table()


def opened(statement: Statement, *, database: tuple[Path, str] | None, is_kept: bool) -> duckdb.DuckDBPyRelation:
    """A relation in a database of its own, in memory; with `is_kept`, it holds the rows even if the file is removed.

    `database` is a DuckDB file that the statement reads, and its name in the statement.
    """
    connection = duckdb.connect(config={"autoinstall_known_extensions": False, "autoload_known_extensions": False})
    connection.execute("set timezone = 'UTC'")
    if database is not None:
        connection.execute(f"attach {literal(str(database[0]))} as {ident(database[1])} (read_only)")
    if not is_kept:
        return connection.sql(statement.sql)
    connection.execute(f"create table {_KEPT} as\n{statement.sql}")
    return connection.table(_KEPT)
