"""What the rest of the program asks of a database."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from duckanon.engine.scratch import Scratch
from duckanon.engine.settings import Settings as Settings
from duckanon.engine.templates import Statement
from duckanon.observers import Observer

SPOOLED = "standard-input"
"""The file of `scratch` that holds what came in on standard input."""

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
    # Parquet cuts the microseconds of the one off, and moves the other to UTC
    "INTERVAL": "VARCHAR",
    "TIME WITH TIME ZONE": "VARCHAR",
    "BIGNUM": "VARCHAR",
}
_UNSTORED = re.compile(rf"\"(?:[^\"]|\"\")*\"|ENUM\((?:'(?:[^']|'')*'(?:, )?)*\)|\[\d+\]|\b(?:{'|'.join(_STORED)})\b")
READ_AS_TEXT = ("INTERVAL", "TIME WITH TIME ZONE", '"NULL"')
"""Types whose values DuckDB compares, or a file stores, as other ones (1 month equals 30 days), and that of a column without a value."""
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
    """What stands for a part of a type's name that not every file has; the quoted name of a field stays."""
    if part.startswith('"'):
        return part
    return _STORED.get(part, "VARCHAR" if part.startswith("ENUM") else "[]")


@dataclass(frozen=True)
class Column:
    """A column of a relation: its name and the engine's name of its type."""

    name: str
    type: str
    holds_numbers: bool = field(default=False, compare=False)
    """Whether it is text because a type of numbers would not print its numbers as they are written; marks of missing values aside."""

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
        """The type in which a file stores it: the column's own, or one that keeps every value and every file format has.

        An ENUM would store the list of all its values, those of suppressed rows too.
        """
        return _UNSTORED.sub(lambda match: _stored(match[0]), self.type)

    @property
    def wide_type(self) -> str:
        """The type in which every engine can hold it: Spark has no unsigned numbers, and text for JSON."""
        return _NARROW.sub(lambda match: _WIDE[match[0]], self.type)

    @property
    def is_nested(self) -> bool:
        return self.type.endswith("]") or self.type.startswith(("STRUCT", "MAP", "UNION", "VARIANT", "JSON"))


@dataclass(frozen=True)
class Form:
    """How a release is written: the format and what else the format asks for."""

    format: Format
    delimiter: str = ","
    compression: Compression | None = None
    """Of a CSV file."""
    header: bool = True
    """Whether a CSV file begins with the names of its columns."""
    partition_by: tuple[str, ...] = ()
    """Columns that become folders, for Parquet."""
    has_parts: bool = False
    """Whether it is a folder of files, for Parquet, as a cluster writes it."""
    table: str | None = None
    """The table's name, for DuckDB."""

    @property
    def is_folder(self) -> bool:
        return self.has_parts or bool(self.partition_by)


@dataclass(frozen=True)
class Step:
    """A statement that was run: where it stands, what it built, its text, what it took."""

    number: int
    relation: str
    template: str
    sql: str
    seconds: float
    rows: int | None


class Engine(Protocol):
    """Runs statements and keeps the relations that they build. Every method raises `EngineError` where the database does, and `Exhausted`."""

    steps: list[Step]
    observer: Observer
    scratch: Scratch
    """The private folder of this run, removed when the engine closes."""
    sorts_codes: bool
    """Whether a shuffle sorts by a random number, which takes a third of the time where codes stand for text.

    Elsewhere rows are scattered by a hash of what is released: a random number would be another one where a worker begins again.
    """

    def confine(self, paths: Iterable[Path]) -> None:
        """Lets the database open these files and folders, bundled hierarchies and the private folders from now on, and nothing else; said once."""

    def admit(self, path: Path) -> Path:
        """A file where the database may read it: as it is named, or a copy in the private folder."""

    def describe(self, statement: Statement, stage: str | None = None) -> list[Column]:
        """The columns that a statement would give; reads rows only where the format has no schema, as a stage then."""

    def create_view(self, statement: Statement) -> None:
        """Names a statement."""

    def create_table(self, statement: Statement, stage: str | None = None, bound: Mapping[str, bytes] | None = None) -> int:
        """Keeps a statement's rows; gives their number. A stage's title makes it a pass over the rows, with progress.

        What is bound to its parameters stands in no log. A cluster's own words for a statement have no parameters.
        """

    def append(self, statement: Statement, stage: str | None = None) -> int:
        """Adds a statement's rows to those that a relation holds; gives their number. A stage as in `create_table`."""

    def load(self, relation: str, rows: Sequence[Mapping[str, object]], types: Mapping[str, type]) -> None:
        """Keeps rows that were decided outside the database, with the Python types of their columns.

        A Decimal has nine decimal places.
        """

    def query(self, statement: Statement, stage: str | None = None) -> list[tuple[Any, ...]]:
        """A statement's rows; a stage as in `create_table`."""

    def write(self, statement: Statement, path: Path, form: Form, stage: str, bound: Mapping[str, bytes] | None = None) -> int:
        """Writes a statement's rows to a file or folder; gives their number.

        What is bound to its parameters stands in no log and in no relation. On a cluster nothing can be bound.
        """

    def attach(self, path: Path, name: str) -> None:
        """Opens a database file for reading under a name."""

    def detach(self, name: str) -> None:
        """Closes a database file, if it is open."""

    def tables(self, name: str) -> list[tuple[str, str, bool]]:
        """Schema and name of the tables and views of a database file that is open, and whether it is a view."""

    def drop(self, relation: str) -> None:
        """Forgets a relation, if it stands."""

    def stands(self, relation: str) -> bool:
        """Whether a relation of that name was built, and not dropped since."""

    def is_away(self, relation: str) -> bool:
        """Whether a relation stands on a cluster, where a statement takes a second whatever it reads."""

    def standing(self) -> dict[str, int | None]:
        """The relations that stand, with the rows of a table, None for a view."""

    def keep(self) -> None:
        """The workspace is complete: `close` gives it its name."""

    def close(self) -> None:
        """Ends the connection, and removes what spilled and a workspace that was not kept."""
