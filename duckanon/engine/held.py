"""The columns of Parquet files as Spark holds them, and the names of files that it takes for something else."""

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
"""What it refuses, or reads as something else, and what DuckDB makes of it that Spark reads."""

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
"""The names inside a struct, and a type that holds the name of another."""


def held(columns: Sequence[Column]) -> list[Column]:
    """The columns of an input in the types that Spark gives them; raises `InputError` where it cannot read one."""
    for column in columns:
        if match := _WORDS.search(_NO_TYPES.sub("", column.type)):
            name, is_whole = column.name, match[0] == column.type
            way = f"with {_UNREADABLE[match[0]].format(name)} as {name}" if is_whole else f"without its {match[0]}"
            raise InputError(
                f"column {name!r} of the input is {column.type}, which Spark does not read; write the file again {way}, or use --engine duckdb"
            )
    return [Column(column.name, column.wide_type) for column in columns]


def check_held(columns: Sequence[Column], spark_types: Mapping[str, str]) -> None:
    """Raises `InputError` where Spark, whose names of the types these are, reads a column as something else."""
    for column in columns:
        expected = _SPARKS.get(column.type, column.type.casefold() if column.type.startswith("DECIMAL") else None)
        if expected is not None and spark_types.get(column.name) != expected:
            raise InputError(
                f"column {column.name!r} of the input is {column.type}, and Spark reads it as {spark_types.get(column.name, 'nothing')}; "
                "write the file again with DuckDB, or use --engine duckdb"
            )


def check_names(paths: Sequence[Path], partitions: Mapping[str, str] | None) -> None:
    """Raises `InputError` for files that Spark leaves out without a word, or of whose folders it reads other values."""
    for path in paths:
        if path.name.startswith(("_", ".")) or ":" in path.name:
            raise InputError(
                f"Spark does not read {path.name!r}: names that begin with _ or ., or hold a colon, are not for files of data; rename it"
            )
        folders = path.parts[-1 - len(partitions or ()) : -1]
        names = [folder.partition("=")[0] for folder in folders]
        is_odd = any(_ODD_FOLDER.search(folder) or folder.endswith("=") for folder in folders)
        if is_odd or (partitions and (names != [*partitions] or any("=" in part for part in path.parts[: -1 - len(names)]))):
            raise InputError(
                f"the folders of {str(path)!r} are not read alike by DuckDB and Spark (other letters behind %, no value, a column twice, or a "
                "folder in between); name them anew, or use --engine duckdb"
            )
