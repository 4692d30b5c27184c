"""The columns of a Parquet file as Spark holds them."""

import re
from collections.abc import Sequence

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

_WORDS = re.compile(rf"\b(?:{'|'.join(_UNREADABLE)})\b")
_NO_TYPES = re.compile(r'"(?:[^"]|"")*"|TIMESTAMP WITH TIME ZONE')
"""The names inside a struct, and a type that holds the name of another."""


def held(columns: Sequence[Column]) -> list[Column]:
    """The columns of an input in the types that Spark gives them; raises `InputError` where it cannot read one."""
    for column in columns:
        if found := _WORDS.search(_NO_TYPES.sub("", column.type)):
            name, is_whole = column.name, found[0] == column.type
            way = f"with {_UNREADABLE[found[0]].format(name)} as {name}" if is_whole else f"without its {found[0]}"
            raise InputError(
                f"column {name!r} of the input is {column.type}, which Spark does not read; write the file again {way}, or use --engine duckdb"
            )
    return [Column(column.name, column.wide_type) for column in columns]
