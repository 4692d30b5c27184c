"""What the rest of the program asks of a database."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import pyarrow as pa

from duckanon.observer import Observer
from duckanon.templates import Statement

Format = Literal["parquet", "csv"]

_TEXT = ("VARCHAR", "ENUM")
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT")
_FLOATING = ("FLOAT", "DOUBLE")


@dataclass(frozen=True)
class Column:
    """A column of a relation: its name and the engine's name of its type."""

    name: str
    type: str

    @property
    def is_text(self) -> bool:
        return self.type.startswith(_TEXT)

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
    def is_nested(self) -> bool:
        return self.type.endswith("]") or self.type.startswith(("STRUCT", "MAP", "UNION", "VARIANT", "JSON"))


@dataclass(frozen=True)
class Step:
    """A statement that was run: where it stands, what it built, its text, what it took."""

    number: int
    relation: str
    template: str
    sql: str
    seconds: float
    rows: int | None


@dataclass(frozen=True)
class Settings:
    """What the engine may use: threads, memory (`4GB`), a folder to spill to, a file to keep its work in."""

    threads: int | None = None
    memory_limit: str | None = None
    temp_directory: Path | None = None
    workspace: Path | None = None


class Engine(Protocol):
    """Runs statements and keeps the relations that they build. Every method raises `EngineError` where the database does."""

    steps: list[Step]
    observer: Observer

    def describe(self, statement: Statement) -> list[Column]:
        """The columns that a statement would give; reads no row."""

    def create_view(self, statement: Statement) -> None:
        """Names a statement."""

    def create_table(self, statement: Statement, stage: str | None = None) -> int:
        """Keeps a statement's rows; gives their number. A stage's title makes it a pass over the rows, with progress."""

    def load(self, relation: str, rows: pa.Table) -> None:
        """Keeps rows that were decided outside the database."""

    def query(self, statement: Statement) -> list[tuple[Any, ...]]:
        """A statement's rows."""

    def write(self, statement: Statement, path: Path, format: Format, stage: str) -> int:
        """Writes a statement's rows to a file; gives their number."""

    def drop(self, relation: str) -> None:
        """Forgets a relation, if it stands."""

    def standing(self) -> dict[str, int | None]:
        """The relations that stand, with the rows of a table, None for a view."""

    def keep(self) -> None:
        """The workspace is complete: `close` gives it its name."""

    def close(self) -> None:
        """Ends the connection, and removes what spilled and a workspace that was not kept."""
