"""Tables of other programs, to a file and back. They are known by their package's name, so that none is loaded for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from duckanon.engine.faults import translated
from duckanon.errors import DuckanonError, InputError, JobError, did_you_mean
from duckanon.templates import Statement, ident, literal

_TAKEN = "a path, a DuckDB relation or connection, or a table of pandas, Polars, Arrow or Spark"
_KEPT = "release"


def spool(table: Any, path: Path, name: str | None = None) -> str:
    """Writes a table of another program to a Parquet file; gives what such a table is called.

    `name` is that of a table where `table` is a connection. Raises `JobError` for what is no table, `InputError` where it cannot be
    written. No message quotes a value.
    """
    package = type(table).__module__.partition(".")[0]
    if name is not None and not isinstance(table, duckdb.DuckDBPyConnection):
        raise _unasked(name, f"a {_called(table)}")
    with _without_values(_called(table)):
        match package:
            case "duckdb" | "_duckdb":
                relation = _of_connection(table, name) if isinstance(table, duckdb.DuckDBPyConnection) else table
                relation.to_parquet(str(path))
            case "polars":
                (table.sink_parquet if hasattr(table, "sink_parquet") else table.write_parquet)(path)
            case "pandas":
                _write_pandas(table, path)
            case "pyspark":
                _write_arrow(table.toArrow(), path)
            case _ if hasattr(table, "__arrow_c_stream__"):
                _write_arrow(table, path)
            case _:
                raise JobError(f"a {_called(table)} is no table that is known here; give {_TAKEN}")
    return _called(table)


def is_table(source: Any) -> bool:
    """Whether something is handed over as a table, and not named."""
    return source is not None and not isinstance(source, str | Path)


def _unasked(name: str, given: str) -> JobError:
    return JobError(f"table={name!r} names a table of a DuckDB connection, and {given} was given; leave it out")


def _called(table: Any) -> str:
    """The kind of a table as its users call it: `pandas.DataFrame`."""
    return f"{type(table).__module__.partition('.')[0].removeprefix('_')}.{type(table).__name__}"


@contextmanager
def _without_values(called: str) -> Iterator[None]:
    """Whatever a package complains of, without its words, which may quote a record."""
    try:
        yield
    except (DuckanonError, OSError, MemoryError):
        raise
    except duckdb.Error as error:
        raise InputError(f"the {called} cannot be read: {translated(error)}") from None
    except Exception as error:
        raise InputError(
            f"the {called} cannot be written as Parquet ({type(error).__name__}; its words are not shown, since they may quote a value)"
        ) from None


def _of_connection(connection: duckdb.DuckDBPyConnection, name: str | None) -> duckdb.DuckDBPyRelation:
    """The table of that name, or the only one there is."""
    known = [found for (found,) in connection.execute("select table_name from information_schema.tables").fetchall()]
    if name is None and len(known) != 1:
        there = f"it holds {', '.join(map(repr, sorted(known)[:10]))}" if known else "it holds none"
        raise JobError(f"a DuckDB connection was given and no table of it named; say table=NAME: {there}")
    if name is not None and name not in known:
        raise JobError(f"the DuckDB connection has no table {name!r}{did_you_mean(name, known)}")
    return connection.sql(f"from {ident(name or known[0])}")


def _write_pandas(frame: Any, path: Path) -> None:
    import pyarrow as pa

    if unnamed := [column for column in frame.columns if not isinstance(column, str)]:
        raise JobError(f"a column of the pandas.DataFrame is called {unnamed[0]!r}, which is no text; rename it")
    columns = []
    for position, name in enumerate(frame.columns):
        try:
            columns.append(pa.array(frame.iloc[:, position], from_pandas=True))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            raise InputError(
                f"column {name!r} of the pandas.DataFrame holds values of several types, or of one that no file has; cast it first"
            ) from None
    _write_arrow(pa.Table.from_arrays(columns, names=list(frame.columns)), path)


def _write_arrow(table: Any, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    reader = pa.RecordBatchReader.from_stream(table)
    if not reader.schema.names:
        raise InputError("the table has no columns and no rows")
    # the key-value pairs of a schema may hold what their program knew: an index, a name
    with pq.ParquetWriter(path, reader.schema.remove_metadata()) as writer:
        for batch in reader:
            writer.write_batch(batch)


def opened(statement: Statement, *, database: tuple[Path, str] | None, is_kept: bool) -> duckdb.DuckDBPyRelation:
    """A relation in a database of its own, in memory; `is_kept`: with the rows, whatever becomes of the file.

    `database` is a DuckDB file that the statement reads, and the name that it has there.
    """
    connection = duckdb.connect(config={"autoinstall_known_extensions": False, "autoload_known_extensions": False})
    connection.execute("set timezone = 'UTC'")
    if database is not None:
        connection.execute(f"attach {literal(str(database[0]))} as {ident(database[1])} (read_only)")
    if not is_kept:
        return connection.sql(statement.sql)
    connection.execute(f"create table {_KEPT} as\n{statement.sql}")
    return connection.table(_KEPT)
