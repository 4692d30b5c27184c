"""The column types of Parquet files as Spark reads them, and file names that Spark treats as special."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from duckanon.engine.protocol import Column
from duckanon.errors import InputError

_UNREADABLE = {
    "TIMESTAMP_NS": "cast({} as timestamp)",
    "TIMESTAMPTZ_NS": "cast({} as timestamptz)",
    "TIME WITH TIME ZONE": "cast({} as varchar)",
    "TIME_NS": "cast({} as varchar)",
    "TIME": "cast({} as varchar)",
    "UUID": "cast({} as varchar)",
    "INTERVAL": "cast({} as varchar)",
    "VARIANT": "cast({} as json)",
    "GEOMETRY": "cast({} as varchar)",
}
"""Types that Spark rejects or reads as other types, and the DuckDB expression that makes them readable."""

_SPARKS = {
    "BOOLEAN": "boolean",
    "TINYINT": "tinyint",
    "SMALLINT": "smallint",
    "INTEGER": "int",
    "BIGINT": "bigint",
    "FLOAT": "float",
    "DOUBLE": "double",
    "DATE": "date",
    "TIMESTAMP": "timestamp_ntz",
    "TIMESTAMP WITH TIME ZONE": "timestamp",
    "VARCHAR": "string",
    "BLOB": "binary",
}
"""Spark's names of the same types."""

_ODD_FOLDER = re.compile(r"%[89A-Fa-f]|\\")
_WORDS = re.compile(rf"\b(?:{'|'.join(_UNREADABLE)})\b")
_NO_TYPES = re.compile(r'"(?:[^"]|"")*"|TIMESTAMP WITH TIME ZONE')
"""Names inside a struct, and a type that contains the name of another type."""


def spark_columns(columns: Sequence[Column]) -> list[Column]:
    """The columns of an input in Spark's types; raises `InputError` if Spark cannot read one."""
    for column in columns:
        if match := _WORDS.search(_NO_TYPES.sub("", column.type)):
            name, is_whole = column.name, match[0] == column.type
            way = f"with {_UNREADABLE[match[0]].format(name)} as {name}" if is_whole else f"without its {match[0]}"
            raise InputError(
                f"column {name!r} of the input is {column.type}, which Spark does not read; write the file again {way}, or use --engine duckdb"
            )
    return [Column(column.name, column.wide_type) for column in columns]


def check_types(columns: Sequence[Column], spark_types: Mapping[str, str]) -> None:
    """Raise `InputError` if Spark reads a column as another type; `spark_types` are Spark's names of the types."""
    for column in columns:
        expected = _SPARKS.get(column.type, column.type.casefold() if column.type.startswith("DECIMAL") else None)
        if expected is not None and spark_types.get(column.name) != expected:
            raise InputError(
                f"column {column.name!r} of the input is {column.type}, and Spark reads it as {spark_types.get(column.name, 'nothing')}; "
                "write the file again with DuckDB, or use --engine duckdb"
            )


def check_file_names(paths: Sequence[Path], partitions: Mapping[str, str] | None) -> None:
    """Raise `InputError` for files that Spark silently ignores, or whose folders give it other values."""
    for path in paths:
        if path.name.startswith(("_", ".")) or ":" in path.name:
            raise InputError(
                f"Spark does not read {path.name!r}: it ignores names that begin with _ or . or contain a colon; rename it"
            )
        folders = path.parts[-1 - len(partitions or ()) : -1]
        names = [folder.partition("=")[0] for folder in folders]
        is_odd = any(_ODD_FOLDER.search(folder) or folder.endswith("=") for folder in folders)
        if is_odd or (partitions and (names != [*partitions] or any("=" in part for part in path.parts[: -1 - len(names)]))):
            raise InputError(
                f"the folders of {str(path)!r} are read differently by DuckDB and Spark (other letters after %, no value, a repeated column, or a "
                "folder in between); rename them, or use --engine duckdb"
            )
