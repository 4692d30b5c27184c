"""The interface that the rest of the program uses for databases."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from duckanon.engine.scratch import Scratch
from duckanon.engine.settings import Settings as Settings
from duckanon.engine.templates import Statement, render
from duckanon.observers import Observer

if TYPE_CHECKING:
    from duckanon.engine.owner import Owned

SPOOLED = "standard-input"
"""The file of `scratch` that holds the data from standard input."""

Format = Literal["parquet", "csv", "duckdb"]
Compression = Literal["gzip", "zstd"]

_TEXT = ("VARCHAR", "ENUM")
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT")
_STORED = {
    "BIT": "VARCHAR",
    "HUGEINT": "DECIMAL(38,0)",
    "UHUGEINT": "DECIMAL(38,0)",
    "TIMESTAMP_S": "TIMESTAMP",
    "TIMESTAMP_MS": "TIMESTAMP",
    # Parquet truncates the microseconds of an INTERVAL and converts TIME WITH TIME ZONE to UTC
    "INTERVAL": "VARCHAR",
    "TIME WITH TIME ZONE": "VARCHAR",
    "BIGNUM": "VARCHAR",
}
_UNSTORED = re.compile(rf"\"(?:[^\"]|\"\")*\"|ENUM\((?:'(?:[^']|'')*'(?:, )?)*\)|\[\d+\]|\b(?:{'|'.join(_STORED)})\b")
READ_AS_TEXT = ("INTERVAL", "TIME WITH TIME ZONE", '"NULL"')
"""Types whose values DuckDB compares, or a file stores, as other values (1 month equals 30 days), and the type of a column without values."""
_FLOATING = ("FLOAT", "DOUBLE")
_WIDE = {
    "UTINYINT": "SMALLINT",
    "USMALLINT": "INTEGER",
    "UINTEGER": "BIGINT",
    "UBIGINT": "DECIMAL(20,0)",
    "TIMESTAMP_MS": "TIMESTAMP",
    "JSON": "VARCHAR",
}
_NARROW = re.compile(rf"\b(?:{'|'.join(_WIDE)})\b")


def _stored(part: str) -> str:
    """The replacement for a part of a type's name that not every file format supports. A quoted field name stays unchanged."""
    if part.startswith('"'):
        return part
    return _STORED.get(part, "VARCHAR" if part.startswith("ENUM") else "[]")


@dataclass(frozen=True)
class Column:
    """A column of a relation: its name and the engine's name of its type."""

    name: str
    type: str
    holds_numbers: bool = field(default=False, compare=False)
    """Whether the column is text because its number type would print its numbers differently. Marks of missing values are ignored."""
    missing: tuple[str, ...] = field(default=(), compare=False)
    """The codes of the input that are read as NULL."""
    unread: str | None = field(default=None, compare=False)
    """What text looks like that could be read otherwise, and what to do about it."""
    is_row_index: bool = field(default=False, compare=False)
    """Whether it is the first column of a CSV file and has no name there, as R and pandas write the numbers or names of rows."""

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers, by their type or as text."""
        return self.is_number or self.holds_numbers

    @property
    def is_text(self) -> bool:
        return self.type.startswith(_TEXT) and not self.is_nested

    @property
    def is_whole(self) -> bool:
        return self.type in _WHOLE

    @property
    def is_floating(self) -> bool:
        return self.type in _FLOATING

    @property
    def is_number(self) -> bool:
        return self.is_whole or self.is_floating or self.type.startswith("DECIMAL")

    @property
    def is_date(self) -> bool:
        return self.type == "DATE" or self.type.startswith("TIMESTAMP")

    @property
    def file_type(self) -> str:
        """The type in which files store it: its own type, or one that keeps every value and that every file format supports.

        An ENUM would store the list of all its values, including those of suppressed rows.
        """
        return _UNSTORED.sub(lambda match: _stored(match[0]), self.type)

    @property
    def wide_type(self) -> str:
        """The type in which every engine can hold it. Spark has no unsigned numbers, and JSON is text."""
        return _NARROW.sub(lambda match: _WIDE[match[0]], self.type)

    @property
    def is_nested(self) -> bool:
        return self.type.endswith("]") or self.type.startswith(("STRUCT", "MAP", "UNION", "VARIANT", "JSON"))


@dataclass(frozen=True)
class Form:
    """The format of a release and the options of the format."""

    format: Format
    delimiter: str = ","
    compression: Compression | None = None
    """The compression of a CSV file."""
    header: bool = True
    """Whether a CSV file begins with a header."""
    partition_by: tuple[str, ...] = ()
    """For Parquet: the columns that become folders."""
    has_parts: bool = False
    """For Parquet: whether the output is a folder of files, as a cluster writes it."""
    table: str | None = None
    """For DuckDB: the name of the table."""

    @property
    def is_folder(self) -> bool:
        return self.has_parts or bool(self.partition_by)

    @property
    def has_types(self) -> bool:
        """Whether every column is stored in its own type. CSV files and the names of folders contain text."""
        return self.format != "csv" and not self.partition_by


@dataclass(frozen=True)
class Step:
    """A statement that was run: its place, its relation, its text, its duration and its rows."""

    number: int
    relation: str
    template: str
    sql: str
    seconds: float
    rows: int | None


class Engine(Protocol):
    """Runs statements and keeps the relations that they build. Every method raises `EngineError` if the database fails, and `Exhausted`."""

    steps: list[Step]
    observer: Observer
    scratch: Scratch
    """The private folder of this run, which `close` removes."""
    sorts_codes: bool
    """Whether a shuffle sorts by a random number, which takes a third of the time if codes represent text.

    Otherwise a hash of the released values scatters the rows, because a restarted worker would draw other random numbers.
    """

    owner: "Owned | None"
    """Whose relations have their logical names, of the owners that make relations of the same names."""

    def restrict(self, paths: Iterable[Path]) -> None:
        """Let the database open only these files and folders, the bundled hierarchies and the private folders from now on. Called once."""

    def allow(self, path: Path) -> Path:
        """The path of a file that the database may read: the file itself, or a copy in the private folder."""

    def describe(self, statement: Statement, stage: str | None = None) -> list[Column]:
        """The columns of a statement's result. Reads rows only if the format has no schema, and reports that as a stage."""

    def create_view(self, statement: Statement) -> None:
        """Create the view of a statement."""

    def create_table(self, statement: Statement, stage: str | None = None, bound: Mapping[str, bytes] | None = None) -> int:
        """Store the rows of a statement as a table and return their number. With the title of a stage it is a pass over the rows, with progress.

        Bound parameters are not logged. Statements in Spark SQL have no parameters.
        """

    def append(self, statement: Statement, stage: str | None = None) -> int:
        """Add the rows of a statement to a table and return their number. `stage` is as in `create_table`."""

    def load(self, relation: str, rows: Sequence[Mapping[str, object]], types: Mapping[str, type]) -> None:
        """Store rows that Python computed, with the Python types of their columns.

        A Decimal has nine decimal places.
        """

    def query(self, statement: Statement, stage: str | None = None) -> list[tuple[Any, ...]]:
        """The rows of a statement; `stage` is as in `create_table`."""

    def write(self, statement: Statement, path: Path, form: Form, stage: str, bound: Mapping[str, bytes] | None = None) -> int:
        """Write the rows of a statement to a file or folder and return their number.

        Bound parameters are neither logged nor stored in a relation. A cluster accepts none.
        """

    def attach(self, path: Path, name: str, *, is_writable: bool = False) -> None:
        """Open a database file under a name, read-only unless it `is_writable`."""

    def save(self, statement: Statement, name: str, stage: str | None = None) -> int:
        """Create a table in a writable database file; returns the number of its rows."""

    def discard(self, relation: str, name: str) -> None:
        """Drop a table of a writable database file if it exists."""

    def copy_tables(self, name: str, path: Path) -> None:
        """Copy the tables of an open database file to a new one, which then holds nothing of tables that were dropped."""

    def detach(self, name: str) -> None:
        """Close a database file if it is open."""

    def tables(self, name: str) -> list[tuple[str, str, bool]]:
        """Schema, name and whether it is a view, for the tables and views of an open database file."""

    def drop(self, relation: str) -> None:
        """Drop a relation if it exists."""

    def rename(self, relation: str, name: str) -> None:
        """Give a local relation another name; a relation on a cluster keeps its own."""

    @property
    def names(self) -> set[str]:
        """The names of the existing relations."""

    def stands(self, statement: Statement) -> bool:
        """Whether a relation exists, and this statement was the last that made it."""

    def is_remote(self, relation: str) -> bool:
        """Whether a relation is on a cluster, where every statement takes at least a second."""

    def relations(self) -> dict[str, int | None]:
        """The existing relations, with the number of rows of a table, None for a view."""

    def keep(self) -> None:
        """Mark the workspace as complete, so that `close` publishes it."""

    def close(self) -> None:
        """Close the connection, and remove temporary files and a workspace that was not kept."""


def row_count(engine: Engine, relation: str, *, has_rows: bool = False, stage: str | None = None) -> int:
    """The rows of a relation; with `has_rows`, the input rows for which its rows stand, by its column `_rows`."""
    [(rows,)] = engine.query(render("dataset/row_count", relation=relation, has_rows=has_rows), stage=stage)
    return int(rows)
